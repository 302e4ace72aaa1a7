// Opens the feed of a trace of any format (source.hpp), for templates over feeds, such as
// simulators.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../config.hpp"
#include "formats.hpp"
#include "source.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "../tracepack/feed.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD) && defined(TRACECODEC_WITH_ZYDIS)
#include "../tracepack/values.hpp"
#endif

namespace tracecodec::trace {

namespace detail {

// Throws trace_error(unsupported). The message says that this build lacks `library`, which the
// trace's format needs.
[[noreturn]] TRACECODEC_FUNC void refuse_unreadable(const source& from, std::string_view library);

#if defined(TRACECODEC_WITH_ZSTD)
// Returns true if a tracepack has branch classes, lengths or code in addition to its records.
TRACECODEC_FUNC bool has_properties(const source& from, const format::open_options& o);
template <class Visitor>
decltype(auto) visit_packed(source& from, const format::open_options& o, Visitor& visitor) {
  return visitor(tracepack::trace_feed<champsim::instruction, true>(
      std::move(*from.take_pack()), o.own.value_or(champsim::branch_rules::current)));
}
#endif

// Return type of a visitor, which must be the same for all feeds.
template <class Visitor> using visited = decltype(champsim::descriptor::visit(
    std::declval<format::opened>(), std::declval<const format::open_options&>(),
    std::declval<Visitor&>()));

template <class Visitor>
visited<Visitor> visit_one_of(format::list<>, source& from, const format::open_options&, Visitor&) {
  refuse_unreadable(from, {});  // not reached: the format is in the list
}
template <class First, class... Rest, class Visitor>
visited<Visitor> visit_one_of(format::list<First, Rest...>, source& from,
                              const format::open_options& o, Visitor& visitor) {
  if (&from.format() != &First::facts)
    return visit_one_of(format::list<Rest...>(), from, o, visitor);
  if constexpr (format::is_readable<First>()) {
    static_assert(std::is_same_v<decltype(First::visit(from.take(), o, visitor)), visited<Visitor>>,
                  "the visitor must return the same type for the feed of every format");
    return First::visit(from.take(), o, visitor);
  } else {
    refuse_unreadable(from, First::missing_library);
  }
}

}  // namespace detail

// Calls visitor(feed) with the feed of `from`, whose type depends on the format. The visitor is a
// template that is compiled once for each format, so this call takes longer to compile than any
// other. With the compiled library, compilation takes a quarter of the time (docs/choosing.md).
// Throws trace_error like the constructor of the feed. Throws trace_error(refused) for an option
// that the format does not have, and trace_error(unsupported) if this build cannot read the format.
template <class Visitor>
decltype(auto) visit(source from, const format::open_options& options, Visitor&& visitor) {
  require_known_options(from, options);
#if defined(TRACECODEC_WITH_ZSTD)
  if (detail::has_properties(from, options)) return detail::visit_packed(from, options, visitor);
#endif
  return detail::visit_one_of(formats(), from, options, visitor);
}

// Opens an input or a path ("-" is standard input), and calls visitor(feed) with its feed. Also
// throws trace_error like the constructor of source.
template <class Visitor>
decltype(auto) visit(io::input in, const format::open_options& options, Visitor&& visitor) {
  return visit(source(std::move(in), options), options, std::forward<Visitor>(visitor));
}
template <class Visitor> decltype(auto) visit(const std::string& path,
                                              const format::open_options& options,
                                              Visitor&& visitor) {
  return visit(source(path, options), options, std::forward<Visitor>(visitor));
}
template <class Visitor> decltype(auto) visit(const std::string& path, Visitor&& visitor) {
  // This object is static, because g++ -O3 issues a warning for a local object.
  static const format::open_options usual;
  return visit(path, usual, std::forward<Visitor>(visitor));
}

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/open.ipp"
#endif
