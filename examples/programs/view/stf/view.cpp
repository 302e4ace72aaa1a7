#include "view.hpp"

#include <tracecodec/stf/descriptor.hpp>

#include "../rows_of.hpp"
#include "rows.hpp"

namespace view {

namespace {

struct stf_text {
  template <class Instruction>
  static void add_json(std::string& s, std::uint64_t index, const Instruction& i) {
    stf::for_each_row(index, i.record(),
                      [&s](const stf::row& r) { tracecodec::rows::json_form::add(s, r); });
  }
  template <class Instruction>
  static void add_compact(std::string& s, std::uint64_t index, const Instruction& i) {
    add_stf_compact(s, index, i);
  }
  template <class Instruction>
  static void add_detail(std::string& s, std::uint64_t index, const Instruction& i) {
    add_stf_detail(s, index, i);
  }
};

made_rows make_stf_rows(const tracecodec::feed::column_source& from, const std::string& /*path*/,
                        const tracecodec::format::open_options& /*as*/,
                        const shown_besides& /*besides*/) {
  const auto* const columns = columns_of<stf::trace_feed>(from);
  return columns != nullptr ? std::make_unique<rows_of<stf::trace_feed, stf_text>>(*columns)
                            : nullptr;
}

}  // namespace

constexpr format_view stf_view{.format = &stf::descriptor::facts, .rows = make_stf_rows};

}  // namespace view
