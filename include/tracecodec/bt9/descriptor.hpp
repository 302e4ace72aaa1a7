// Descriptor of BT9 traces (format/list.hpp).
#pragma once
#include <array>
#include <string_view>
#include <utility>

#include "../format/facts.hpp"
#include "../format/statements.hpp"
#include "../format/text_descriptor.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::bt9 {

// Returns true if the first word of `text` is that of a BT9 trace.
constexpr bool begins_like_a_trace(std::string_view text) noexcept {
  return io::words(text.substr(0, text.find('\n'))).next() == signature;
}

struct descriptor
    : format::text_descriptor<trace_feed, checker<format::on_finding>, begins_like_a_trace> {
  static constexpr std::array<std::string_view, 2> suffixes{".bt9", ".bt9.trace"};
  static constexpr format::facts facts{.name = "bt9",
                                       .title = "BT9",
                                       .family = "BT9",
                                       .record = "instruction",
                                       .is_text = true,
                                       .suffixes = suffixes};

  static void about(format::opened from, format::statements& to) {
    const trace_reader all(std::move(*from.input));
    for (const auto& [key, value] : all.graph().header) to.add(key, value);
  }
};

}  // namespace tracecodec::bt9
