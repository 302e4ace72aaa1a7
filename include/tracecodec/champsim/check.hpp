// The rules a sound ChampSim trace keeps, reported as diagnostics; never stops at the first.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../io/findings.hpp"
#include "feed.hpp"
#include "record_size.hpp"

namespace tracecodec::champsim {

// What check() looks for; check_rules has them in this order.
enum class rule : std::uint8_t {
  trailing_bytes,
  damaged,
  record_size,
  flag_value,
  flag_class,
  unflagged_call,
  taken_flag,
  zero_ip,
  flow,
  no_conditional,
  short_addresses
};
inline constexpr std::array<check_rule, 11> check_rules{{
    {"trailing-bytes", severity::error, "the file is no whole number of records"},
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"record-size", severity::error, "the records seem to have another size"},
    {"flag-value", severity::error, "is_branch or branch_taken is neither 0 nor 1"},
    {"flag-class", severity::warning, "is_branch differs from the class that the registers give"},
    {"unflagged-call", severity::note,
     "a call or return with is_branch 0, as the Pin tracer writes them"},
    {"taken-flag", severity::warning, "branch_taken contradicts the class"},
    {"zero-ip", severity::warning, "an instruction at address 0"},
    {"flow", severity::warning,
     "the next ip is neither behind this instruction nor a branch's target"},
    {"no-conditional", severity::warning,
     "branches, but no conditional one: without the flags register "
     "among the sources each is taken for a direct jump"},
    {"short-addresses", severity::warning,
     "no memory address needs more than 32 bits although an ip "
     "does: the Pin tracer truncates them"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

// Checks a whole trace of `Record`s in constant memory. What the reader throws is reported; what
// `report` throws is thrown.
template <trace_record Record, class Report> class checker {
 public:
  checker(Report report, check_options options)
      : found_(std::move(report), options.each), options_(std::move(options)) {}

  check_summary run(io::input in) {
    check_size(in);
    trace_feed<Record> trace(std::move(in));
    for (auto b = next(trace); b.size() != 0; b = next(trace)) {
      for (std::size_t i = 0; i < b.size(); ++i)
        check_one(b[i], i + 1 < b.size() || !b.ends() ? &b : nullptr, i);
      if (options_.progress) options_.progress(trace.progress());
    }
    check_whole();
    found_.finish();
    return found_.sum;
  }

 private:
  using codec = codec_of<Record>;
  using view = instruction_view<Record>;

  // The next batch; an empty one at the end, and where the input can be read no further.
  instruction_batch<Record> next(trace_feed<Record>& trace) {
    trace_errc code{};
    std::optional<std::uint64_t> offset, record;
    std::string message;
    try {
      return trace.next();
    } catch (const trace_error& e) {
      code = e.code();
      offset = e.offset();
      record = e.record();
      message = e.message();
    }
    const bool tail = code == trace_errc::truncated && record;
    add(tail ? rule::trailing_bytes : rule::damaged, offset, record, message);
    return {};
  }

  void check_one(const view& v, const instruction_batch<Record>* b, std::size_t i) {
    const Record& r = v.record();
    const branch_class c = v.branch();
    const auto class_text = [&] { return "class " + std::string(feed::name(c)); };
    if (r.is_branch > 1 || r.branch_taken > 1)
      add(rule::flag_value, "is_branch " + std::to_string(r.is_branch) + ", branch_taken " +
                                std::to_string(r.branch_taken));
    const bool branch = c != branch_class::not_branch;
    const bool call_or_return = c == branch_class::direct_call ||
                                c == branch_class::indirect_call || c == branch_class::return_;
    if ((r.is_branch != 0) != branch) {
      if (call_or_return)
        add(rule::unflagged_call, class_text() + ", is_branch 0");
      else
        add(rule::flag_class, class_text() + ", is_branch " + std::to_string(r.is_branch));
    } else if (branch ? v.taken() && r.branch_taken == 0 : r.branch_taken != 0) {
      add(rule::taken_flag, class_text() + ", branch_taken " + std::to_string(r.branch_taken));
    }
    if (v.ip() == 0) add(rule::zero_ip, "ip 0");
    if (b && !v.taken()) check_flow(v.ip(), following(*b, i));
    seen_branch_ |= branch;
    seen_conditional_ |= c == branch_class::conditional;
    wide_ip_ |= v.ip() >> 32 != 0;
    for (const std::uint64_t a : r.source_memory) note_address(a);
    for (const std::uint64_t a : r.destination_memory) note_address(a);
    ++found_.sum.records;
  }

  // x86 instructions have at most 15 bytes, other machines' fewer; a repeated string instruction
  // follows itself.
  void check_flow(std::uint64_t ip, std::uint64_t next) {
    if (next - ip > 15)
      add(rule::flow, "after ip " + hex(ip) + ", which is no taken branch, comes " + hex(next));
  }
  static std::uint64_t following(const instruction_batch<Record>& b, std::size_t i) {
    return i + 1 < b.size() ? b.records()[i + 1].ip : b.following_ip();
  }
  void note_address(std::uint64_t a) {
    seen_address_ |= a != 0;
    wide_address_ |= a >> 32 != 0;
  }

  void check_whole() {
    if (seen_branch_ && !seen_conditional_) whole(rule::no_conditional);
    if (wide_ip_ && seen_address_ && !wide_address_) whole(rule::short_addresses);
  }
  void whole(rule r) {
    add(r, {}, {}, std::string(check_rules[static_cast<std::size_t>(r)].meaning));
  }

  // On the first 64 KiB, enough for 682 records or more.
  void check_size(io::input& in) {
    const auto head = in.peek(io::input::peek_limit);
    const size_guess best = guess_record_size(head);
    const wire::array_view<codec> own(head);
    std::size_t sequential = 0;
    for (std::size_t i = 0; i + 1 < own.size(); ++i)
      sequential += follows(own[i].ip, own[i + 1].ip);
    const double share =
        own.size() < 2 ? 0 : static_cast<double>(sequential) / static_cast<double>(own.size() - 1);
    if (best.sequential > 0.3 && best.sequential > 2 * share)
      add(rule::record_size, {}, {},
          "read as records of " + std::to_string(codec::size) +
              " bytes, but the addresses follow each other as in records of " +
              std::to_string(best.size));
  }

  void add(rule r, const std::string& message) {
    add(r, found_.sum.records * codec::size, found_.sum.records, message);
  }
  void add(rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    found_.add(r, offset, record, message);
  }

  findings<check_rules, rule, check_summary, Report> found_;
  check_options options_;
  bool seen_branch_ = false, seen_conditional_ = false, wide_ip_ = false;
  bool seen_address_ = false, wide_address_ = false;
};

// Calls report(const diagnostic&) in file order.
template <trace_record Record, class Report>
check_summary check(io::input in, Report report, check_options options = {}) {
  return checker<Record, Report>(std::move(report), std::move(options)).run(std::move(in));
}

}  // namespace tracecodec::champsim
