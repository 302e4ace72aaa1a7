// Descriptor of Tarmac text (format/list.hpp).
#pragma once
#include <array>
#include <string_view>

#include "../format/facts.hpp"
#include "../format/text_descriptor.hpp"
#include "check.hpp"
#include "feed.hpp"
#include "style.hpp"

namespace tracecodec::tarmac {

namespace detail {
inline constexpr std::array<std::string_view, 1> suffixes{".tarmac"};
inline constexpr std::array<const format::option*, 1> options{&style_option};
}  // namespace detail

struct descriptor
    : format::text_descriptor<trace_feed, checker<format::on_finding>, begins_like_a_trace> {
  static constexpr format::facts facts{.name = "tarmac",
                                       .title = "Tarmac",
                                       .family = "Tarmac",
                                       .thread = "processor",
                                       .has_code = true,
                                       .has_values = true,
                                       .record = "instruction",
                                       .is_text = true,
                                       .suffixes = detail::suffixes,
                                       .options = detail::options};
};

}  // namespace tracecodec::tarmac
