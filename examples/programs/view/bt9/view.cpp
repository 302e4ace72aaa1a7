// Prints a BT9 instruction with the edge of the graph on which it lies.
#include "view.hpp"

#include <tracecodec/bt9/descriptor.hpp>
#include <tracecodec/bt9/rows.hpp>
#include <tracecodec/rows/json_lines.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include "../../common/text.hpp"
#include "../parts.hpp"
#include "../rows_of.hpp"

namespace view {

namespace {

namespace bt9 = tracecodec::bt9;

class bt9_rows : public shown_rows {
 public:
  explicit bt9_rows(const made_columns<bt9::trace_feed>& from) : from_(from) {}

  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) override {
    const auto i = from_.last_batch()[row];
    const bt9::row r = bt9::row_of(index, i.record(), from_.feed().source().graph());
    if (f == form::json)
      tracecodec::rows::json_form::add(s, r);
    else if (f == form::detail)
      add_detail(s, r, i);
    else
      add_compact(s, r);
    add_place_of(s, f, index, i, places);
  }

 private:
  static bool is_branch(const bt9::row& r) {
    return r.branch != tracecodec::feed::branch_class::not_branch;
  }
  // Adds a compact row, such as:
  //   [     7] 0x0000000000010044 | conditional | BR(T) | edge 5
  static void add_compact(std::string& s, const bt9::row& r) {
    add_start(s, r.index, r.ip.value);
    if (is_branch(r)) {
      (s += " | ") += name(r.branch);
      s += r.taken ? " | BR(T)" : " | BR(N)";
    }
    s += " | edge ";
    examples::add_number(s, r.edge);
    s += '\n';
  }
  // Adds each column on its own line, and then the branch class and target.
  template <class Instruction>
  static void add_detail(std::string& s, const bt9::row& r, const Instruction& i) {
    s += "Instruction ";
    examples::add_number(s, r.index);
    s += '\n';
    add_label(s, "ip");
    examples::add_hex(s, r.ip.value, 16);
    s += '\n';
    for (const auto& [label, number] :
         {std::pair("step", r.step), std::pair("edge", r.edge), std::pair("node", r.node)}) {
      add_label(s, label);
      examples::add_number(s, number);
      s += '\n';
    }
    add_outcome(s, i);
  }

  const made_columns<bt9::trace_feed>& from_;
};

made_rows make_bt9_rows(const tracecodec::feed::column_source& from, const std::string& /*path*/,
                        const tracecodec::format::open_options& /*as*/,
                        const shown_besides& /*besides*/) {
  const auto* const columns = columns_of<bt9::trace_feed>(from);
  return columns != nullptr ? std::make_unique<bt9_rows>(*columns) : nullptr;
}

}  // namespace

constexpr format_view bt9_view{.format = &bt9::descriptor::facts, .rows = make_bt9_rows};

}  // namespace view
