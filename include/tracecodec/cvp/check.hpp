// Rules for valid CVP-1 and CBP2025 traces. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "../file/check_records.hpp"
#include "../io/text/hex.hpp"
#include "access.hpp"
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
     "the ip neither follows the previous instruction nor is the target of its branch"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

template <dialect D, class Report> class checker
    : public file::record_checker<checker<D, Report>, trace_file<D>, check_rules, rule,
                                  check_summary, Report> {
  using base =
      file::record_checker<checker, trace_file<D>, check_rules, rule, check_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  void check_one(const instruction<D>& i) {
    if (next_ && *next_ != i.pc && !this->missing_before(this->sum().records))
      this->found(rule::flow, "expected ip " + hex(*next_) + ", found " + hex(i.pc));
    next_ = i.next_pc();
    if (i.what == instruction_class::undefined) this->found(rule::undefined, "class 8");
    if (!i.taken && i.branches() && i.what != instruction_class::conditional)
      this->found(rule::not_taken, "class " + std::string(name(i.what)) + ", taken 0");
    if (i.accesses() && i.size == 0) this->found(rule::size, "size 0");
    if (i.base_update && mode_of(i).base == no_register) this->found(rule::base, "base_update 1");
  }

  std::optional<std::uint64_t> next_ = {};  // address of the next instruction
};

}  // namespace tracecodec::cvp
