// Rows that show the instructions of a particular feed. The rows obtain the instructions from
// columns that were made from that feed.
#pragma once
#include <tracecodec/trace/instruction_source.hpp>

#include <typeinfo>

#include "places.hpp"
#include "shown.hpp"

namespace view {

// Columns that trace::open_columns() makes from a feed.
template <class Feed> using made_columns = tracecodec::trace::feed_instructions<Feed>;

// Returns `from` as the columns of a `Feed`. Returns nullptr if the columns were made from a
// different feed.
template <class Feed>
const made_columns<Feed>* columns_of(const tracecodec::feed::column_source& from) {
  using type = made_columns<Feed>;
  return typeid(from) == typeid(type) ? static_cast<const type*>(&from) : nullptr;
}

// Adds the module and the symbol at the address of instruction `i` to the row of that instruction.
template <class Instruction> void add_place_of(std::string& s, form f, std::uint64_t index,
                                               const Instruction& i,
                                               const tracecodec::program_map& places) {
  if (!places.empty()) add_place(s, f, places, index, i.ip(), f == form::detail ? i.target() : 0);
}

// Rows that are printed by the static functions add_json(), add_detail() and add_compact() of `Text`.
// Each function receives a string, an index and an instruction.
template <class Feed, class Text> class rows_of : public shown_rows {
 public:
  explicit rows_of(const made_columns<Feed>& from) : from_(from) {}
  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) override {
    const auto i = from_.last_batch()[row];
    if (f == form::json)
      Text::add_json(s, index, i);
    else if (f == form::detail)
      Text::add_detail(s, index, i);
    else
      Text::add_compact(s, index, i);
    add_place_of(s, f, index, i, places);
  }

 protected:
  [[nodiscard]] const Feed& feed() const { return from_.feed(); }

 private:
  const made_columns<Feed>& from_;
};

}  // namespace view
