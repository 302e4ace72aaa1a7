// Base class of descriptors for formats of lines of text, whose reader makes the records. A derived
// class adds only `facts`.
#pragma once
#include <span>
#include <string_view>
#include <utility>

#include "../io/input/byte_order_mark.hpp"
#include "../io/options.hpp"
#include "check.hpp"
#include "front.hpp"
#include "layout.hpp"
#include "open_options.hpp"
#include "opened.hpp"

namespace tracecodec::format {

// `Begins(text)` returns true if `text` is the beginning of a trace. Check(report, options).run(input)
// checks a trace, and returns a summary with the number of `records`.
template <class Feed, class Checker, bool (*Begins)(std::string_view)> struct text_descriptor {
  static match probe(const front& f) {
    const std::string_view text(reinterpret_cast<const char*>(f.bytes.data()), f.bytes.size());
    return Begins(io::without_byte_order_mark(text)) ? match::marked : match::none;
  }
  // Returns nothing, because the lines of text have no layout.
  static std::span<const layout> layouts(bool) { return {}; }
  template <class Visitor>
  static decltype(auto) visit(opened from, const open_options&, Visitor& visitor) {
    return visitor(Feed(std::move(*from.input)));
  }
  static check_summary check(opened from, const on_finding& report, const check_options& how,
                             const open_options&) {
    const auto sum = Checker(report, how).run(std::move(*from.input));
    return summary_of(sum.records, sum);
  }
};

}  // namespace tracecodec::format
