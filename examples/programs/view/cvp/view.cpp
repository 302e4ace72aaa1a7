#include "view.hpp"

#include <tracecodec/cvp/descriptor.hpp>

#include "../rows_of.hpp"
#include "rows.hpp"

namespace view {

namespace {

template <cvp::dialect D> struct cvp_text {
  template <class Instruction>
  static void add_json(std::string& s, std::uint64_t index, const Instruction& i) {
    tracecodec::rows::json_form::add(s, cvp::row_of(index, i.record()));
  }
  template <class Instruction>
  static void add_compact(std::string& s, std::uint64_t index, const Instruction& i) {
    add_cvp_compact(s, index, i.record());
  }
  template <class Instruction>
  static void add_detail(std::string& s, std::uint64_t index, const Instruction& i) {
    add_cvp_detail<D>(s, index, i);
  }
};

template <cvp::dialect D> made_rows make_cvp_rows(const tracecodec::feed::column_source& from,
                                                  const std::string& /*path*/,
                                                  const tracecodec::format::open_options& /*as*/,
                                                  const shown_besides& /*besides*/) {
  using feed = cvp::trace_feed<D>;
  const auto* const columns = columns_of<feed>(from);
  return columns != nullptr ? std::make_unique<rows_of<feed, cvp_text<D>>>(*columns) : nullptr;
}

}  // namespace

constexpr format_view cvp1_view{.format = &cvp::cvp1_descriptor::facts,
                                .rows = make_cvp_rows<cvp::dialect::cvp1>};
constexpr format_view cbp2025_view{.format = &cvp::cbp2025_descriptor::facts,
                                   .rows = make_cvp_rows<cvp::dialect::cbp2025>};

}  // namespace view
