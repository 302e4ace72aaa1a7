// Descriptor of STF (format/list.hpp).
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "../format/statements.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::stf {

namespace detail {
inline constexpr std::array<std::string_view, 2> suffixes{".stf", ".zstf"};
}  // namespace detail

struct descriptor : format::file_descriptor<trace_file, trace_feed, checker<format::on_finding>> {
  static constexpr format::facts facts{.name = "stf",
                                       .title = "STF",
                                       .family = "STF",
                                       .article = "an",
                                       .has_values = true,
                                       .record = "record",
                                       .suffixes = detail::suffixes};

  static std::span<const format::layout> layouts(bool) {
    static const std::array all{format::layout_of<header_codec>("Header", "header"),
                                format::layout_of<record_codec>("Record", "record")};
    return all;
  }
  // Adds the texts of the header: the program that made the trace, and comments.
  static void about(format::opened from, format::statements& to) {
    const file::reader<trace_file> in(std::move(*from.input));
    for (const record& r : in.header().records)
      to.add(r.descriptor == record_kind::trace_info ? "recorder" : std::string(name(r.descriptor)),
             std::string(r.text.begin(), r.text.end()));
  }
};

}  // namespace tracecodec::stf
