// Rules for valid CVP-1 and CBP2025 traces. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../file/check_engine.hpp"
#include "../file/reader.hpp"
#include "../io/text/hex.hpp"
#include "access.hpp"
#include "recognise.hpp"
#include "trace_file.hpp"

namespace tracecodec::cvp {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, cut, refused, undefined, not_taken, size, base, flow };
inline constexpr std::array<check_rule, 8> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the file ends inside a record"},
    {"refused", severity::error, "a record has an invalid value"},
    {"undefined", severity::warning, "an instruction of class undefined"},
    {"not-taken", severity::warning, "an unconditional branch that is not taken"},
    {"size", severity::warning, "a load or a store of 0 bytes"},
    {"base", severity::warning, "a base update without a register that is read and written"},
    {"flow", severity::warning,
     "the next ip neither follows this instruction nor is the branch's target"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

template <dialect D, class Report> class checker
    : file::check_engine<checker<D, Report>, findings<check_rules, rule, check_summary, Report>> {
  using engine =
      file::check_engine<checker<D, Report>, findings<check_rules, rule, check_summary, Report>>;
  using reader = file::reader<trace_file<D>>;
  friend engine;

 public:
  explicit checker(Report report, check_options options = {})
      : engine(std::move(report), std::move(options)) {}

  check_summary run(io::input in) {
    return this->template check<reader>(std::move(in), file::reader_options{.lenient = true});
  }

 private:
  using engine::add, engine::missing_before, engine::sum;

  void not_opened(const trace_error& e) { add(rule::damaged, e); }
  bool failed(const trace_error& e, reader&) {
    add(rule::damaged, e);
    return false;
  }
  void ended(reader& from) {
    from.for_each_finding([this](file::flaw f, const trace_error& e) {
      add(f == file::flaw::cut ? rule::cut : rule::refused, e);
    });
  }
  void batch(const typename reader::batch_type& b) {
    for (const instruction<D>& i : b) {
      check_one(i);
      offset_ += size_of(i);
      ++sum().records;
    }
  }

  static std::uint64_t size_of(const instruction<D>& i) {
    constexpr bool more = D == dialect::cbp2025;
    return 11 + i.inputs.size() + i.outputs.size() + 8 * i.values.size() +
           (i.accesses() ? 9U + more : 0U) + (i.stores() && more ? 1U : 0U) +
           (i.branches() ? 1U + (i.taken ? 8U : 0U) : 0U);
  }
  void check_one(const instruction<D>& i) {
    if (next_ && *next_ != i.pc && !missing_before(sum().records))
      say(rule::flow, "expected ip " + hex(*next_) + ", found " + hex(i.pc));
    next_ = next_pc(i);
    if (i.what == instruction_class::undefined) say(rule::undefined, "class 8");
    if (i.branches() && !i.taken && i.what != instruction_class::conditional)
      say(rule::not_taken, "class " + std::string(name(i.what)) + ", taken 0");
    if (i.accesses() && i.size == 0) say(rule::size, "size 0");
    if (i.base_update && !mode_of(i).base) say(rule::base, "base_update 1");
  }
  void say(rule r, const std::string& message) { add(r, offset_, sum().records, message); }

  std::uint64_t offset_ = 0;  // offset of the record that is checked
  std::optional<std::uint64_t> next_ = {};
};

}  // namespace tracecodec::cvp
