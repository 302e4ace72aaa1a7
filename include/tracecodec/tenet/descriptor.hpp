// Descriptor of Tenet's traces (format/list.hpp).
#pragma once
#include <array>
#include <string_view>

#include "../format/facts.hpp"
#include "../format/text_descriptor.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::tenet {

namespace detail {
inline constexpr std::array<std::string_view, 2> suffixes{".tenet", ".tenet.log"};
}  // namespace detail

struct descriptor
    : format::text_descriptor<trace_feed, checker<format::on_finding>, begins_like_a_trace> {
  static constexpr format::facts facts{.name = "tenet",
                                       .title = "Tenet",
                                       .family = "Tenet",
                                       .has_values = true,
                                       .record = "instruction",
                                       .is_text = true,
                                       .suffixes = detail::suffixes};
};

}  // namespace tracecodec::tenet
