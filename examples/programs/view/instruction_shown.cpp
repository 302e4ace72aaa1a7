// Rows of instructions, for formats that do not have rows of their own.
#include <tracecodec/rows/json_lines.hpp>
#include <tracecodec/trace/instruction_row.hpp>

#include "parts.hpp"
#include "places.hpp"
#include "shown.hpp"

namespace view {

namespace {

namespace feed = tracecodec::feed;
using feed::column_row;

// Adds a compact row, such as:
//   [     7] 0x0000000000671e84 | T[3] | BR(T) | D_R[1] | S_M['0x33fca08']
void add_compact(std::string& s, std::uint64_t index, const column_row& i, bool threads) {
  const auto number = [&s](std::uint64_t v) { examples::add_number(s, v); };
  const auto address = [&s](std::uint64_t v) { add_quoted(s, v); };
  add_start(s, index, i.ip());
  if (threads) {
    s += " | T[";
    number(i.asid());
    s += ']';
  }
  if (i.is_branch()) s += i.taken() ? " | BR(T)" : " | BR(N)";
  add_part(s, "D_R", i.destination_registers(), number);
  add_part(s, "S_R", i.source_registers(), number);
  add_part(s, "D_M", i.destination_memory(), address);
  add_part(s, "S_M", i.source_memory(), address);
  s += '\n';
}

void add_detail(std::string& s, std::uint64_t index, const column_row& i, bool threads) {
  const auto list = [&s](std::string_view name, const auto& all, auto add) {
    add_label(s, name);
    bool first = true;
    for (const auto v : all) {
      s += first ? "[" : ", ";
      first = false;
      add(v);
    }
    s += first ? "[]\n" : "]\n";
  };
  const auto number = [&s](std::uint64_t v) { examples::add_number(s, v); };
  const auto address = [&s](std::uint64_t v) { examples::add_hex(s, v, 16); };
  s += "Instruction ";
  number(index);
  s += '\n';
  add_label(s, "ip");
  address(i.ip());
  s += '\n';
  if (threads) {
    add_label(s, "thread");
    number(i.asid());
    s += '\n';
  }
  list("destination_registers", i.destination_registers(), number);
  list("source_registers", i.source_registers(), number);
  list("destination_memory", i.destination_memory(), address);
  list("source_memory", i.source_memory(), address);
  add_outcome(s, i);
}

class instruction_rows final : public shown_rows {
 public:
  explicit instruction_rows(feed::column_source& from)
      : from_(from), threads_(from.has().has(feed::column::thread)) {}

  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) override {
    from_.read_row(one_, row, tracecodec::trace::instruction_row_columns);
    const feed::row_columns all(one_);
    const column_row i(all, 0);
    if (f == form::json)
      tracecodec::rows::json_form::add(s, tracecodec::trace::row_of(index, i));
    else if (f == form::detail)
      add_detail(s, index, i, threads_);
    else
      add_compact(s, index, i, threads_);
    if (!places.empty()) add_place(s, f, places, index, i.ip(), f == form::detail ? i.target() : 0);
  }

 private:
  feed::column_source& from_;
  bool threads_;
  feed::columns one_ = {};
};

}  // namespace

made_rows instructions_shown(feed::column_source& from) {
  return std::make_unique<instruction_rows>(from);
}

}  // namespace view
