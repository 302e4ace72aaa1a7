// Opens a trace of any format the library reads as a feed: the format is recognised by content.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../champsim/feed.hpp"
#include "../champsim/recognise.hpp"
#include "../io/open.hpp"

namespace tracecodec::feed {

enum class format : std::uint8_t { champsim, cloudsuite };

inline constexpr std::array<std::string_view, 2> format_names{"champsim", "cloudsuite"};
constexpr std::string_view name(format f) noexcept {
  return format_names[static_cast<std::size_t>(f)];
}

// The format called `name`; nullopt if there is none of that name.
constexpr std::optional<format> format_of_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < format_names.size(); ++i)
    if (format_names[i] == name) return static_cast<format>(i);
  return std::nullopt;
}

// The format of an input at its first byte, by the 64 KiB there; nothing is consumed. Throws
// trace_error: not_a_trace if it is empty or like none; what read() throws if nothing can be read.
inline format recognise(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  if (head.empty()) {
    std::byte one{};
    in.read({&one, 1});  // an error has its own words
    throw trace_error(trace_errc::not_a_trace, {in.name(), 0}, "empty, expected a trace");
  }
  constexpr std::size_t tar_magic = 257;
  if (head.size() >= tar_magic + 5 &&
      std::string_view(reinterpret_cast<const char*>(head.data()) + tar_magic, 5) == "ustar")
    throw trace_error(trace_errc::not_a_trace, {in.name(), tar_magic},
                      "a tar archive, expected a trace: unpack it first");
  const auto standard = champsim::liken<champsim::instruction_codec>(head);
  const auto cloudsuite = champsim::liken<champsim::cloudsuite_codec>(head);
  if (cloudsuite.possible() && (!standard.possible() || cloudsuite.with_ip * standard.records >
                                                            standard.with_ip * cloudsuite.records))
    return format::cloudsuite;
  // Too short for one record: the reader says so.
  if (standard.possible() || standard.records == 0) return format::champsim;
  throw trace_error(
      trace_errc::not_a_trace,
      {in.name(), *standard.bad_byte, *standard.bad_byte / champsim::instruction_codec::size},
      "not a trace of a known format: expected a flag byte of 0 or 1, found " +
          std::to_string(std::to_integer<unsigned>(head[*standard.bad_byte])) +
          "; name the format to read it all the same");
}

// Calls visit(feed) with the feed of `in`, whose type depends on the format: the visitor is a
// template, compiled once for each. `forced` overrules recognition.
template <class Visitor>
decltype(auto) visit(io::input in, std::optional<format> forced, Visitor&& visitor) {
  switch (forced ? *forced : recognise(in)) {
    case format::cloudsuite:
      return visitor(champsim::trace_feed<champsim::cloudsuite_instruction>(std::move(in)));
    case format::champsim:
      break;
  }
  return visitor(champsim::trace_feed<champsim::instruction>(std::move(in)));
}

// The same from a path; "-" is standard input.
template <class Visitor> decltype(auto) visit(const std::string& path, Visitor&& visitor) {
  return visit(io::open_input(path), std::nullopt, std::forward<Visitor>(visitor));
}

}  // namespace tracecodec::feed
