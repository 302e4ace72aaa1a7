// Layout of a format's record, derived from its description.
#pragma once
#include <span>
#include <string_view>

#include "../wire/layout/layout_row.hpp"
#include "../wire/plain_record.hpp"

namespace tracecodec::format {

struct layout {
  std::string_view title = {};  // name of the part of the trace, or empty if there is only one part
  std::string_view name = {};   // name of the record, such as "instruction" or "exec_header"
  std::span<const wire::layout_row> rows = {};
  std::span<const wire::layout_node> nodes = {};
};

template <class Codec> layout layout_of(std::string_view title, std::string_view name) noexcept {
  return {title, name, wire::layout_table<Codec>, wire::layout_nodes<Codec>};
}

}  // namespace tracecodec::format
