// Descriptor of Tenet's traces (format/list.hpp).
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "../format/check.hpp"
#include "../format/facts.hpp"
#include "../format/front.hpp"
#include "../format/layout.hpp"
#include "../format/open_options.hpp"
#include "../format/opened.hpp"
#include "../io/input/byte_order_mark.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::tenet {

struct descriptor {
  static constexpr std::array<std::string_view, 2> suffixes{".tenet", ".tenet.log"};
  static constexpr format::facts facts{.name = "tenet",
                                       .title = "Tenet",
                                       .family = "Tenet",
                                       .has_values = true,
                                       .record = "instruction",
                                       .is_text = true,
                                       .suffixes = suffixes};

  static format::match probe(const format::front& f) {
    const std::string_view text(reinterpret_cast<const char*>(f.bytes.data()), f.bytes.size());
    return begins_like_a_trace(io::without_byte_order_mark(text)) ? format::match::marked
                                                                  : format::match::none;
  }
  // Returns nothing, because the lines of text have no layout.
  static std::span<const format::layout> layouts(bool) { return {}; }
  template <class Visitor>
  static decltype(auto) visit(format::opened from, const format::open_options&, Visitor& visitor) {
    return visitor(trace_feed(std::move(*from.input)));
  }
  static format::check_summary check(format::opened from, const format::on_finding& report,
                                     const check_options& how, const format::open_options&) {
    const auto sum = checker<format::on_finding>(report, how).run(std::move(*from.input));
    return format::summary_of(sum.instructions, sum);
  }
};

}  // namespace tracecodec::tenet
