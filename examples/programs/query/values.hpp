// What the questions about registers and about the origin of values share.
#pragma once
#include <tracecodec/feed/operand_list.hpp>
#include <tracecodec/query/data_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "../common/open_trace.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "question.hpp"

namespace ask {

// Opens the trace, with the values of registers if `registers` is true.
inline view::shown_trace open_shown(const options& o, bool registers) {
  examples::reading as = o.as;
  as.registers = as.registers || registers;
  return view::show(examples::open_trace(o.trace, as), o.trace, as);
}

// Returns the register that the operand names. Throws usage_error if there is none.
inline tracecodec::query::place register_of(const options& o,
                                            const tracecodec::query::register_names& names) {
  if (const auto found = names.find(o.operands[0])) return *found;
  std::string some;
  for (const std::uint8_t number : names.all())
    if (number != tracecodec::feed::flags) some += (some.empty() ? "" : ", ") + names.name(number);
  throw examples::usage_error(
      std::string(o.what->name) + ": expected a register, such as rax, ah, xmm1 or a number" +
      (some.empty() ? "" : " (" + some + ")") + ", got '" + o.operands[0] + "'");
}

// Prints a note if `n`, the number of operands that were not examined, is not 0.
inline void note_left_out(std::uint64_t n) {
  if (n != 0)
    examples::note("trace_query", examples::some(n, "operand") +
                                      " of instructions with very many were not examined");
}

// Adds the rows of instructions as trace_view prints them.
class printed_rows {
 public:
  printed_rows(view::shown_trace& shown, view::form form) : shown_(&shown), form_(form) {}
  void add(std::string& to, std::uint64_t index, std::size_t row) {
    shown_->rows->add(to, form_, index, row, shown_->places);
  }
  // Reads instruction `index` and adds its row.
  void add_at(std::string& to, std::uint64_t index) {
    shown_->columns.columns().move_to(index);
    shown_->columns.want({});
    if (shown_->columns.next(batch_, 1)) add(to, index, 0);
  }

 private:
  view::shown_trace* shown_;
  view::form form_;
  tracecodec::feed::columns batch_ = {};
};

// Prints where a value comes from or, with --forward, what it reaches. Returns false if that is
// nothing.
bool answer_origin(const options& o);

}  // namespace ask
