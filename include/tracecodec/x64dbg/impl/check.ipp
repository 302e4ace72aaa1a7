// Implementation of check.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "../../io/text/hex.hpp"
#include "../check.hpp"
#include "../check/memory_cache.hpp"
#include "../reader.hpp"
#include "../reader/instruction.hpp"

namespace tracecodec::x64dbg {

namespace detail {
template <class Report> using findings =
    tracecodec::findings<check_rules, rule, check_summary, const Report&>;

// Checker of a trace's blocks, in file order.
template <target T, class Report> class block_checker {
 public:
  block_checker(block_reader<T>& blocks, findings<Report>& found, const check_options& options)
      : blocks_(blocks), found_(found), options_(options) {}

  void run() {
    blocks_.on_user_block([this](user_block_data<T>&) { ++found_.sum.user_blocks; });
    blocks_.on_skipped([this](const skipped_bytes& s) { report_skipped(s); });
    while (next()) {
      at_ = blocks_.position_of(b_);
      check_block();
      ++found_.sum.instructions;
      if (options_.progress && found_.sum.instructions % 65536 == 0)
        options_.progress(blocks_.window().progress());
    }
  }

 private:
  // Reads the next block. Returns false at the end. If an error occurs, reports the error and
  // returns false.
  bool next() {
    try {
      return blocks_.next(b_);
    } catch (const trace_error& e) {
      report_end(e);
      return false;
    }
  }

  void report_skipped(const skipped_bytes& s) {
    const std::string where = "; continues " + std::to_string(s.size) + " bytes later";
    if (s.why)
      found_.add(rule_of(*s.why), s.offset, s.instruction, s.why->message() + where);
    else
      found_.add(rule::second_header, s.offset, s.instruction,
                 "a second file header: another trace was appended here");
    // Discard the state, because the next blocks may belong to another run or to a much later time.
    state_.forget();
    memory_ = {};
    last_snapshot_.reset();
    thread_ = blocks_.thread();
  }

  void report_end(const trace_error& e) {
    const block_position at = blocks_.stopped_at();
    if (e.code() == trace_errc::truncated && e.record())
      found_.add(rule::truncated, e.offset(), at.instruction, e.field() + ": " + e.message());
    else if (e.code() == trace_errc::bad_value)
      found_.add(rule_of(e) == rule::position || rule_of(e) == rule::second_header
                     ? rule_of(e)
                     : rule::trailing_bytes,
                 at.offset, at.instruction, e.message() + "; no more blocks were found");
    else  // decompression error, which has no record
      found_.add(rule::damaged, e.offset(), at.instruction, e.message());
  }

  static rule rule_of(const trace_error& e) {
    if (e.field() == "opcode_size") return rule::empty_opcode;
    if (e.field() == appended_header_field) return rule::second_header;
    return e.field() == "positions" ? rule::position : rule::unknown_type;
  }

  void check_block() {
    if (at_.instruction == 0 && !b_.snapshot())
      add(rule::first_snapshot, "has " + std::to_string(b_.registers) + " register words, not " +
                                    std::to_string(register_words<T>));
    if (blocks_.was_mended())
      add(rule::thread_bit, "carries thread id " + std::to_string(b_.thread) +
                                " although bit 7 of its flags is clear");
    if (b_.reserved != 0) add(rule::reserved_bits, "reserved bits " + std::to_string(b_.reserved));
    if (b_.accesses > largest_accesses)
      add(rule::access_count, std::to_string(b_.accesses) + " memory accesses");
    check_thread();
    check_registers();
    check_memory();
  }

  void check_thread() {
    if (b_.snapshot()) {
      ++found_.sum.snapshots;
      if (!b_.has_thread) add(rule::snapshot_thread, "a snapshot without a thread id");
      last_snapshot_ = at_.instruction;
    } else if (last_snapshot_ && at_.instruction - *last_snapshot_ == 512) {
      add(rule::snapshot_distance,
          "no snapshot since instruction " + std::to_string(*last_snapshot_));
    }
    if (b_.has_thread && thread_ && *thread_ != b_.thread) ++found_.sum.thread_switches;
    if (b_.has_thread) thread_ = b_.thread;
  }

  void check_registers() {
    bool cip = false;
    register_state<T>::walk(b_,
                            [&](std::size_t w, auto) { cip |= w == register_state<T>::cip_word; });
    state_.apply(b_);
    if (b_.registers == 0)
      add(rule::no_registers, "no register values");
    else if (!cip)
      add(rule::cip_missing,
          std::to_string(b_.registers) + " register words without the instruction pointer");
  }

  void check_memory() {
    constexpr std::size_t sp = register_state<T>::csp_word;
    const auto csp = state_.known(sp) ? std::optional(state_[sp]) : std::nullopt;
    for (const memory_access& a : accesses(b_)) {
      if (a.reserved != 0) add(rule::access_flags, "access flags " + std::to_string(a.reserved));
      const auto expected = memory_.word_at(a.address);
      if (trusts_old_value<T>(a, b_.opcode.bytes(), csp) && expected.differs(a.old_value))
        add(rule::old_value, "address " + hex(a.address) + " holds " + hex(a.old_value) +
                                 ", expected " + hex(expected.value));
    }
    for (const memory_access& a : accesses(b_)) memory_.store(a.address, a.value_after());
  }

  void add(rule r, const std::string& message) {
    found_.add(r, at_.offset, at_.instruction, message);
  }

  block_reader<T>& blocks_;
  findings<Report>& found_;
  const check_options& options_;
  block<T> b_ = {};
  block_position at_ = {};
  register_state<T> state_ = {};
  memory_cache<T> memory_ = {};
  std::optional<std::uint32_t> thread_ = {};
  std::optional<std::uint64_t> last_snapshot_ = {};
};

template <class Report>
check_summary check_all(io::input in, const Report& report, const check_options& options) {
  findings<Report> found(report, options.each);
  io::window window(std::move(in));
  std::optional<parsed_header> header;
  try {
    header = parse_header(read_header_text(window));
  } catch (const trace_error& e) {
    found.add(rule::header, e.offset(), {}, e.field() + ": " + e.message());
  }
  if (header) {
    for (const header_problem& p : header->problems)
      found.add(rule::header, prefix_codec::size, {}, p.field + ": " + p.message);
    for (const auto& [key, value] : header->header.unknown)
      found.add(rule::header_key, prefix_codec::size, {}, key + ": " + value);
    const auto run = [&]<target T>(std::integral_constant<target, T>) {
      block_reader<T> blocks(std::move(window), std::move(header->header), {.repair = true});
      block_checker<T, Report>(blocks, found, options).run();
    };
    // Blocks can be decoded only if the architecture is known.
    if (header->arch_known && header->header.arch == target::x86)
      run(std::integral_constant<target, target::x86>{});
    else if (header->arch_known)
      run(std::integral_constant<target, target::x64>{});
  }
  found.finish();
  return found.sum;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template check_summary check_all(io::input, const report_function&, const check_options&);
#endif
}  // namespace detail

}  // namespace tracecodec::x64dbg
