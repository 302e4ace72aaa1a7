// Rules for valid ChampSim traces. Violations are reported as diagnostics. A check does not stop at
// the first violation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../file/check_engine.hpp"
#include "feed.hpp"
#include "record_regions.hpp"
#include "register_watch.hpp"

namespace tracecodec::champsim {

// Rule that check() verifies. The enumerators are in the order of check_rules.
enum class rule : std::uint8_t {
  trailing_bytes,
  cut,
  damaged,
  record_size,
  flag_value,
  flag_class,
  unflagged_call,
  taken_flag,
  zero_ip,
  flow,
  no_conditional,
  short_addresses,
  older_rules,
  unseen_branches,
  unwritten_flags
};
inline constexpr std::array<check_rule, 15> check_rules{{
    {"trailing-bytes", severity::error, "the file size is not a multiple of the record size"},
    {"cut", severity::error, "the input ends before its last record"},
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"record-size", severity::error,
     "the records seem to have another size or to begin at another offset"},
    {"flag-value", severity::error, "is_branch or branch_taken is neither 0 nor 1"},
    {"flag-class", severity::warning, "is_branch differs from the class that the registers imply"},
    {"unflagged-call", severity::note,
     "a call or return with is_branch 0, as the Pin tracer writes them"},
    {"taken-flag", severity::warning, "branch_taken contradicts the class"},
    {"zero-ip", severity::warning, "an instruction at address 0"},
    {"flow", severity::warning,
     "the next ip neither follows this instruction nor is a branch's target"},
    {"no-conditional", severity::warning,
     "branches, but no conditional ones: without the flags register as a source, each counts as a "
     "direct jump"},
    {"short-addresses", severity::warning,
     "no memory address needs more than 32 bits, but an ip does: the Pin tracer truncates "
     "addresses"},
    {"older-rules", severity::note,
     "branches that ChampSim releases up to 2023-08 classify differently"},
    {"unseen-branches", severity::warning,
     "records flagged as branches do not write the instruction pointer"},
    {"unwritten-flags", severity::note,
     "conditional branches read the flags, but no record writes them"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

namespace detail {
// Positions of a feed's records in the file, and the regions in which records have another size.
// table_check.hpp contains the specialisation for table_feed.
template <class Feed> class checked_records;

template <trace_record Record> class checked_records<trace_feed<Record>> {
 public:
  using part = typename record_regions<Record>::part;
  void begin(const trace_feed<Record>&) {}
  static constexpr bool mappable() { return true; }  // argument for unseen_branches()
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t record) const {
    return record * codec_of<Record>::size;
  }
  part next(const instruction_batch<Record>& rest, std::uint64_t index) {
    return regions_.next(rest.records(), index);
  }
  static std::string describe(const record_layout& l) { return champsim::describe<Record>(l); }
  static branch_class class_of_2022(const instruction_view<Record>& i) {
    return branch_class_of<branch_rules::of_2022>(i.record());
  }

 private:
  record_regions<Record> regions_ = {};
};
}  // namespace detail

// Checker of an entire trace. Uses constant memory. `Feed` is a trace_feed<Record> or a table_feed.
// Errors of the reader become findings, and exceptions of `report` propagate.
template <class Feed, class Report> class checker
    : file::check_engine<checker<Feed, Report>,
                         findings<check_rules, rule, check_summary, Report>> {
  using engine =
      file::check_engine<checker<Feed, Report>, findings<check_rules, rule, check_summary, Report>>;
  friend engine;

 public:
  using engine::engine;

  // Runs the check. `args` are the arguments of the feed's constructor.
  template <class... Args> check_summary run(Args&&... args) {
    return this->template check<Feed>(std::forward<Args>(args)...);
  }

 private:
  using batch_type = typename Feed::batch_type;
  using view = typename batch_type::value_type;
  using engine::add, engine::missing_before, engine::sum;

  void opened(const Feed& from) { records_.begin(from); }
  void batch(const batch_type& b) {
    for (std::size_t i = 0; i < b.size();) {
      const auto part = records_.next(b.drop(i), sum().records);
      enter(part.layout);
      if (part.layout)
        sum().records += part.records;
      else
        for (std::size_t k = i; k < i + part.records; ++k) check_one(b[k]);
      i += part.records;
    }
  }
  void not_opened(const trace_error& e) { add(rule::damaged, e); }
  bool failed(const trace_error& e, Feed&) {
    enter({});
    // If a file ends inside a record, the error contains a field. If a tracepack file is truncated,
    // the error does not contain a field. The field therefore determines which rule is violated.
    const bool ends = e.code() == trace_errc::truncated && e.record();
    add(!ends               ? rule::damaged
        : e.field().empty() ? rule::cut
                            : rule::trailing_bytes,
        e.offset(), e.record(), e.message());
    return false;
  }
  void closing() {
    enter({});
    check_whole();
  }

  // Enters the region of the next record. `layout` is the region's layout, or nullopt for the
  // trace's own records. A region with another layout is reported as a single finding at the end of
  // the region, because its contents are unknown.
  void enter(const std::optional<record_layout>& layout) {
    if (layout == region_) return;
    if (region_) {
      const std::uint64_t n = sum().records - region_begin_;
      add(rule::record_size, records_.offset_of(region_begin_), region_begin_,
          "there seem to be " + records_.describe(*region_) + ", up to offset " +
              std::to_string(records_.offset_of(sum().records)) + "; " + std::to_string(n) +
              (n == 1 ? " record is not checked" : " records are not checked"));
    }
    runs_on_from_.reset();
    region_ = layout;
    region_begin_ = sum().records;
  }

  void check_one(const view& v) {
    if (runs_on_from_) check_flow(*runs_on_from_, v.ip());
    runs_on_from_ = v.taken() ? std::nullopt : std::optional(v.ip());
    const auto& r = v.record();
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
    registers_.add_instruction(v);
    if (branch) compare_rules(v);
    seen_branch_ |= branch;
    seen_conditional_ |= c == branch_class::conditional;
    wide_ip_ |= v.ip() >> 32 != 0;
    for (const std::uint64_t a : v.source_memory()) note_address(a);
    for (const std::uint64_t a : v.destination_memory()) note_address(a);
    ++sum().records;
  }

  // Adds a finding if `next` cannot follow `ip` without a branch. Instructions have at most 15
  // bytes, and a repeated string instruction may follow itself.
  void check_flow(std::uint64_t ip, std::uint64_t next) {
    const std::uint64_t record = sum().records - 1;
    if (next - ip > 15 && !missing_before(record + 1))
      add(rule::flow, records_.offset_of(record), record,
          "after ip " + hex(ip) + ", which is not a taken branch, comes " + hex(next));
  }
  void note_address(std::uint64_t a) {
    seen_address_ |= a != 0;
    wide_address_ |= a >> 32 != 0;
  }

  // Counts the branch if the rules of 2022, for which older traces were made, derive another class.
  void compare_rules(const view& v) {
    const branch_class then = records_.class_of_2022(v), now = v.branch();
    if (then == now || other_class_++ != 0) return;
    first_other_ = sum().records;
    was_ =
        "the first as " + std::string(feed::name(then)) + ", now " + std::string(feed::name(now));
  }

  void check_whole() {
    if (other_class_ != 0)
      add(rule::older_rules, records_.offset_of(first_other_), first_other_,
          "ChampSim releases up to 2023-08 classify " + std::to_string(other_class_) +
              (other_class_ == 1 ? " branch" : " branches") + " differently: " + was_);
    const auto say = [this](rule r, const std::string& what) {
      if (!what.empty()) add(r, {}, {}, what);
    };
    say(rule::unseen_branches, champsim::unseen_branches(registers_.seen(), records_.mappable()));
    say(rule::unwritten_flags, champsim::unwritten_flags(registers_.seen()));
    if (seen_branch_ && !seen_conditional_) whole(rule::no_conditional);
    if (wide_ip_ && seen_address_ && !wide_address_) whole(rule::short_addresses);
  }
  void whole(rule r) {
    add(r, {}, {}, std::string(check_rules[static_cast<std::size_t>(r)].meaning));
  }

  void add(rule r, const std::string& message) {
    add(r, records_.offset_of(sum().records), sum().records, message);
  }

  detail::checked_records<Feed> records_ = {};
  std::optional<record_layout> region_ = {};  // layout of the region that contains the next record
  std::uint64_t region_begin_ = 0;            // number of the first record in `region_`
  // Ip of the previous record, or nullopt if the previous record is a taken branch.
  std::optional<std::uint64_t> runs_on_from_ = {};
  // Number of branches to which the rules of 2022 assign another class, and the index of the first
  // such branch.
  std::uint64_t other_class_ = 0, first_other_ = 0;
  std::string was_ = {};
  register_watch registers_ = {};
  bool seen_branch_ = false, seen_conditional_ = false, wide_ip_ = false;
  bool seen_address_ = false, wide_address_ = false;
};

// Checks a trace, and calls report(const diagnostic&) for each finding, in file order. Unlike the
// reader, the check accepts records that do not look like a program's trace. However, if the file
// is known to be of another kind, the only finding is `damaged`, unless `how.trust` is set.
template <trace_record Record, class Report> check_summary check(io::input in, Report report,
                                                                 check_options options = {},
                                                                 reader_options how = {}) {
  if (!how.trust) how.trust = !detail::known_other<codec_of<Record>>(in);
  return checker<trace_feed<Record>, Report>(std::move(report), std::move(options))
      .run(std::move(in), how);
}

}  // namespace tracecodec::champsim
