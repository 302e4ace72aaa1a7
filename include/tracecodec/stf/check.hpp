// Rules for valid STF traces. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "../file/check_records.hpp"
#include "../io/text/hex.hpp"
#include "operands.hpp"

namespace tracecodec::stf {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, cut, refused, index, order, content, target };
inline constexpr std::array<check_rule, 7> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the file ends inside an instruction"},
    {"refused", severity::error, "a record has an unknown descriptor or an invalid value"},
    {"index", severity::error, "the index of a ZSTF file differs from the instructions"},
    {"order", severity::error, "a record of the header after END_HEADER"},
    {"content", severity::warning, "an access and its content do not follow each other"},
    {"target", severity::warning, "a target that differs from that of the opcode"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

template <class Report> class checker
    : public file::record_checker<checker<Report>, trace_file, check_rules, rule, check_summary,
                                  Report> {
  using base = file::record_checker<checker, trace_file, check_rules, rule, check_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  void check_one(const instruction& i) {
    using enum record_kind;
    record_kind last{};
    for (const record& r : i.records) {
      if (r.descriptor == isa || r.descriptor == encoding || r.descriptor == trace_info ||
          r.descriptor == features || r.descriptor == extended_isa || r.descriptor == end_header)
        this->found(rule::order, "a record " + std::string(name(r.descriptor)));
      if ((r.descriptor == content) != (last == access) ||
          (r.descriptor == bus_content) != (last == bus_access))
        this->found(rule::content, "a record " + std::string(name(r.descriptor)) + " after " +
                                       (last == record_kind{} ? "the previous instruction"
                                                              : std::string(name(last))));
      last = r.descriptor;
    }
    const auto expected = encoded_target(i);
    if (i.has_target && expected && *expected != i.target)
      this->found(rule::target, "expected target " + hex(*expected) + ", found " + hex(i.target));
  }
};

}  // namespace tracecodec::stf
