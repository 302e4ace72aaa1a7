// Rules for valid Tarmac text. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "../file/text_checker.hpp"
#include "../io/text/hex.hpp"
#include "reader.hpp"

namespace tracecodec::tarmac {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, cut, refused, flow, time, source, unknown };
inline constexpr std::array<check_rule, 7> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the text ends inside a line"},
    {"refused", severity::error, "a line is malformed"},
    {"flow", severity::warning, "an instruction does not lead to the next one, without an event"},
    {"time", severity::warning,
     "the time of an instruction is earlier than that of the previous one"},
    {"processor", severity::note, "a line between those of an instruction of another processor"},
    {"opcode", severity::note, "the opcode of an instruction is unknown"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;  // number of instructions
};

template <class Report> class checker
    : public file::text_checker<checker<Report>, trace_reader, check_rules, rule, check_summary,
                                Report> {
  using base = file::text_checker<checker, trace_reader, check_rules, rule, check_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  struct place {
    std::uint64_t ip = 0, next = 0;  // addresses of an instruction and of the next one
    bool known = false;
  };

  void check_one(const instruction& i) {
    bool foreign = false, has_event = false;
    for (const line& l : i.lines()) {
      has_event = has_event || l.kind == line_kind::event;
      foreign = foreign || l.source != i.source();
    }
    if (i.own().time < time_)
      this->found(rule::time,
                  "the time " + std::to_string(i.own().time) + " follows " + std::to_string(time_));
    time_ = i.own().time;
    if (foreign) this->found(rule::source, "a line of another processor");
    if (i.code().empty()) this->found(rule::unknown, "the instruction at " + hex(i.ip));
    place& p = places_[i.source()];
    // Iterations of a repeated x86 instruction have the same address.
    const bool repeats = is_x86(i.own().state) && p.ip == i.ip;
    if (p.known && p.next != i.ip && !repeats)
      this->found(rule::flow,
                  "expected the instruction at " + hex(p.next) + ", found " + hex(i.ip));
    // A branch without a known target, and an event such as an exception, can lead anywhere.
    p = {i.ip, i.taken ? i.target : i.ip + i.code().size(),
         !has_event && !i.code().empty() && (!i.taken || i.target != 0)};
  }

  std::uint64_t time_ = 0;
  std::unordered_map<std::uint32_t, place> places_ = {};  // by processor
};

}  // namespace tracecodec::tarmac
