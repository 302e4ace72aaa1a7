// The functions of trace/reader.hpp and trace/instruction_source.hpp. The one place where the columns of every format are made.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include "../instruction_source.hpp"
#include "../open.hpp"
#include "../reader.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::unique_ptr<instruction_source> open_instructions(source from,
                                                                      const visit_options& how) {
  return visit(std::move(from), how, [](auto feed) -> std::unique_ptr<instruction_source> {
    return std::make_unique<feed_instructions<decltype(feed)>>(std::move(feed));
  });
}
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(source from,
                                                                  const visit_options& how) {
  return open_instructions(std::move(from), how);
}
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(const std::string& path,
                                                                  const visit_options& how) {
  return open_columns(source(path, how), how);
}

TRACECODEC_FUNC reader::reader(const std::string& path, const visit_options& how)
    : reader(source(path, how), how) {}
TRACECODEC_FUNC reader::reader(source from, const visit_options& how)
    : cursor{from.name(), from.format(), open_columns(std::move(from), how)} {}

TRACECODEC_FUNC bool reader::next(feed::columns& to, std::size_t most) {
  const std::size_t here = within(std::max<std::size_t>(most, 1));
  if (here != 0) return columns().next(to, here);
  to.clear();
  return false;
}

}  // namespace tracecodec::trace
