// Implementation of trace/reader.hpp.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "../instruction_source.hpp"
#include "../reader.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(
    source from, const tracecodec::format::open_options& how) {
  return open_instructions(std::move(from), how);
}
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(
    const std::string& path, const tracecodec::format::open_options& how) {
  return open_columns(source(path, how), how);
}

TRACECODEC_FUNC reader::reader(const std::string& path, const tracecodec::format::open_options& how)
    : reader(source(path, how), how) {}
TRACECODEC_FUNC reader::reader(source from, const tracecodec::format::open_options& how)
    : cursor{from.name(), from.format(), open_columns(std::move(from), how)} {}

TRACECODEC_FUNC bool reader::next(feed::columns& to, std::size_t most) {
  const std::size_t here = within(std::max<std::size_t>(most, 1));
  if (here != 0) return columns().next(to, here);
  to.clear();
  return false;
}

}  // namespace tracecodec::trace
