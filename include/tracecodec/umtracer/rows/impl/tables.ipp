// The functions of umtracer/rows/tables.hpp.
#pragma once
#include "../tables.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC thread_rows::thread_rows(const reader& trace) : table_(&trace.threads()) {}
TRACECODEC_FUNC thread_row thread_rows::operator()(std::size_t i) {
  return {&(record_ = (*table_)[i])};
}
TRACECODEC_FUNC range_rows::range_rows(const reader& trace) : table_(&trace.ranges()) {}
TRACECODEC_FUNC range_row range_rows::operator()(std::size_t i) {
  return {i, {&(record_ = (*table_)[i])}};
}
TRACECODEC_FUNC module_row module_rows::operator()(std::size_t i) {
  record_ = (*table_)[i];
  module_row r{.id = i,
               .record = {&record_},
               .win_name = win_name_ = to_utf8(table_->win_name(i)),
               .device_name = device_name_ = to_utf8(table_->device_name(i))};
  if (const auto v = table_->version(i)) {
    r.last_write_time = {v->last_write_time};
    version_.clear();
    for (const std::uint16_t n : v->version) {
      if (!version_.empty()) version_ += '.';
      version_ += std::to_string(n);
    }
    r.version = version_;
  }
  return r;
}

namespace detail {
TRACECODEC_FUNC std::optional<std::string_view> found_name(const name_table& names,
                                                           std::uint32_t number) {
  const std::string_view n = names.name(number);
  return n.empty() ? std::nullopt : std::optional(n);
}

}  // namespace detail

TRACECODEC_FUNC register_row register_rows::operator()(std::size_t i) const {
  const auto id = static_cast<std::uint16_t>(i);
  register_row r{.id = i, .name = map_->name(id), .common_name = map_->common_name(id)};
  if (const register_info n = map_->info(id, false); n.present()) r.map32 = n;
  if (const register_info n = map_->info(id, true); n.present()) r.map64 = n;
  return r;
}

}  // namespace tracecodec::umtracer
