// The function of check.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "../../io/hex.hpp"
#include "../check.hpp"
#include "../check/memory_cache.hpp"
#include "../reader.hpp"
#include "../reader/defect.hpp"
#include "../reader/instruction.hpp"

namespace tracecodec::x64dbg {

namespace detail {
template <class Report> using findings =
    tracecodec::findings<check_rules, rule, check_summary, const Report&>;

// The blocks of a trace, checked in order.
template <target T, class Report> class block_checker {
 public:
  block_checker(block_reader<T>& blocks, findings<Report>& found, const check_options& options)
      : blocks_(blocks), found_(found), options_(options) {}

  void run() {
    blocks_.on_user_block([this](user_block_data<T>&) { ++found_.sum.user_blocks; });
    while (next()) {
      at_ = blocks_.position_of(b_);
      check_block();
      ++found_.sum.instructions;
      if (options_.progress && found_.sum.instructions % 65536 == 0)
        options_.progress(blocks_.window().progress());
    }
  }

 private:
  // The next block, behind what cannot be read; false where nothing more can be.
  bool next() {
    for (;;) {
      std::optional<trace_error> problem;
      try {
        return blocks_.next(b_);
      } catch (const trace_error& e) {
        problem = e;
      }
      if (!go_on_behind(*problem)) return false;
    }
  }

  bool go_on_behind(const trace_error& e) {
    const block_position at = blocks_.position();
    if (e.code() != trace_errc::bad_value && e.code() != trace_errc::truncated) {
      found_.add(rule::damaged, e.offset(), at.instruction, e.message());
      return false;
    }
    const bool empty = e.field() == "opcode_size";
    const bool cut = e.code() == trace_errc::truncated;
    std::optional<std::uint64_t> skipped;
    if (e.field() != "data") skipped = find_blocks();
    if (cut && !skipped) {
      const bool compressed = !e.record();  // from the decompressor, which knows no records
      found_.add(compressed ? rule::damaged : rule::truncated, e.offset(), at.instruction,
                 compressed ? e.message() : e.field() + ": " + e.message());
      return false;
    }
    found_.add(skipped ? (empty ? rule::empty_opcode : rule::unknown_type) : rule::trailing_bytes,
               at.offset, at.instruction,
               e.message() + (skipped ? "; goes on " + std::to_string(*skipped) + " bytes later"
                                      : "; no more blocks are found"));
    state_.forget();
    return skipped.has_value();
  }

  // Moves to the next place where three strict blocks follow each other; returns how many bytes
  // were passed. nullopt if there is none: the position is then the end.
  std::optional<std::uint64_t> find_blocks() {
    io::window& w = blocks_.window();
    const std::uint64_t from = w.offset(), instruction = blocks_.index();
    for (;;) {
      const auto in = w.look(chunk + 3 * largest_block<T>);
      if (in.empty()) return std::nullopt;
      const std::size_t n = std::min(in.size(), chunk);
      for (std::size_t i = w.offset() == from ? 1 : 0; i < n; ++i) {
        if (in[i] != std::byte{instruction_type} || !three_blocks(in.subspan(i))) continue;
        blocks_.seek({w.offset() + i, instruction}, blocks_.thread());
        return w.offset() - from;
      }
      w.consume(n);
    }
  }
  static bool three_blocks(std::span<const std::byte> in) {
    for (int i = 0; i < 3; ++i) {
      const std::size_t n = strict_size<T>(in);
      if (n == 0) return false;
      in = in.subspan(n);
    }
    return true;
  }

  void check_block() {
    if (at_.instruction == 0 && !b_.snapshot())
      add(rule::first_snapshot, "gives " + std::to_string(b_.registers) + " register words, not " +
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
    if (!state_.apply(b_))
      add(rule::position, "a register position outside REGDUMP");
    else if (b_.registers == 0)
      add(rule::no_registers, "no register values");
    else if (!cip)
      add(rule::cip_missing, std::to_string(b_.registers) +
                                 " register words, not the instruction " + "pointer among them");
  }

  void check_memory() {
    constexpr std::size_t sp = register_state<T>::csp_word;
    const auto csp = state_.known(sp) ? std::optional(state_[sp]) : std::nullopt;
    for (const memory_access& a : accesses(b_)) {
      if (a.reserved != 0) add(rule::access_flags, "access flags " + std::to_string(a.reserved));
      const auto expected = memory_.word_at(a.address);
      if (trusts_old_value<T>(a, b_.opcode.bytes(), csp) && expected.differs(a.old_value))
        add(rule::old_value, "address " + hex(a.address) + " holds " + hex(a.old_value) +
                                 ", was left as " + hex(expected.value));
    }
    for (const memory_access& a : accesses(b_)) memory_.store(a.address, a.value_after());
  }

  void add(rule r, const std::string& message) {
    found_.add(r, at_.offset, at_.instruction, message);
  }

  static constexpr std::size_t chunk = std::size_t{256} << 10;
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
    // Without a known architecture the blocks cannot be told.
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
