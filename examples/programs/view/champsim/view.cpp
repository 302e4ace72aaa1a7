#include "view.hpp"

#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/champsim/table_feed.hpp>
#include <tracecodec/champsim/validating_feed.hpp>

#include "rows.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "packed_rows.hpp"
#endif
#include "../described_rows.hpp"
#include "../rows_of.hpp"

namespace view {

namespace {
// Calls the functions of rows.hpp and packed_rows.hpp.
struct champsim_text {
  template <class Instruction>
  static void add_json(std::string& s, std::uint64_t index, const Instruction& i) {
    view::add_json(s, index, i);
  }
  template <class Instruction>
  static void add_detail(std::string& s, std::uint64_t index, const Instruction& i) {
    view::add_detail(s, index, i);
  }
  template <class Instruction>
  static void add_compact(std::string& s, std::uint64_t index, const Instruction& i) {
    view::add_compact(s, index, i);
  }
};

template <class Record, champsim::branch_rules Rules>
made_rows shown_of(const tracecodec::feed::column_source& from) {
  using feed = champsim::validating_feed<Record, Rules>;
  const auto* const columns = columns_of<feed>(from);
  return columns != nullptr ? std::make_unique<rows_of<feed, champsim_text>>(*columns) : nullptr;
}
template <class Record> made_rows shown_of(const tracecodec::feed::column_source& from) {
  made_rows rows = shown_of<Record, champsim::branch_rules::current>(from);
  return rows ? std::move(rows) : shown_of<Record, champsim::branch_rules::of_2022>(from);
}

// Rows of records that a table describes. Compact rows show the instruction that a record
// represents. Other forms show the fields of the record.
class table_rows final : public shown_rows {
 public:
  using columns = made_columns<champsim::table_feed>;
  explicit table_rows(const columns& from) : from_(from), fields_(from.feed().table()) {}
  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) override {
    const auto i = from_.last_batch()[row];
    if (f != form::compact) return fields_.add(s, f, index, i.bytes(), places);
    add_compact(s, index, i, from_.has().has(tracecodec::feed::column::thread));
    add_place_of(s, f, index, i, places);
  }

 private:
  const columns& from_;
  described_rows fields_;
};

made_rows make_champsim_rows(const tracecodec::feed::column_source& from,
                             const std::string& /*path*/,
                             const tracecodec::format::open_options& /*as*/,
                             const shown_besides& /*besides*/) {
  if (const auto* const columns = columns_of<champsim::table_feed>(from))
    return std::make_unique<table_rows>(*columns);
  made_rows rows = shown_of<champsim::instruction>(from);
#if defined(TRACECODEC_WITH_ZSTD)
  using packed = tracecodec::tracepack::trace_feed<champsim::instruction, true>;
  if (const auto* const columns = columns_of<packed>(from))
    rows = std::make_unique<rows_of<packed, champsim_text>>(*columns);
#endif
  return rows ? std::move(rows) : shown_of<champsim::cloudsuite_instruction>(from);
}

}  // namespace

constexpr format_view champsim_view{.format = &champsim::descriptor::facts,
                                    .rows = make_champsim_rows};
constexpr format_view cloudsuite_view{.format = &champsim::cloudsuite_descriptor::facts,
                                      .rows = make_champsim_rows};

}  // namespace view
