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
#include "../champsim/record_size.hpp"
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

// The format of an input at its first byte, by its first records; nothing is consumed. Throws
// trace_error: not_a_trace if it is empty or like none; what read() throws if nothing can be read.
inline format recognise(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  const auto no_trace = [&in](std::uint64_t offset, const std::string& why) {
    return trace_error(trace_errc::not_a_trace, {in.name(), offset}, why + in.offset_note());
  };
  if (head.empty()) {
    std::byte one{};
    in.read({&one, 1});  // an error has its own words
    throw no_trace(0, "empty, expected a trace");
  }
  constexpr std::size_t tar_magic = 257;
  if (head.size() >= tar_magic + 5 &&
      std::string_view(reinterpret_cast<const char*>(head.data()) + tar_magic, 5) == "ustar")
    throw no_trace(tar_magic, "a tar archive, expected a trace: unpack it first");
  const auto standard = champsim::judge<champsim::instruction_codec>(head);
  const auto cloudsuite = champsim::judge<champsim::cloudsuite_codec>(head);
  if (cloudsuite.likely() && cloudsuite.more_than(standard)) return format::cloudsuite;
  // Too short for one record: the reader says so.
  if (standard.likely() || standard.records == 0) return format::champsim;

  if (!standard.bad_byte)
    throw no_trace(0, "not a trace of a known format: its records would all be at address 0");
  const auto found = std::to_integer<unsigned>(head[*standard.bad_byte]);
  const auto guess = champsim::guess_record_size(head);
  throw no_trace(*standard.bad_byte,
                 "not a trace of a known format: expected a flag byte of 0 or 1, found " +
                     std::to_string(found) +
                     (guess.sequential > 0.3
                          ? "; it seems to have records of " + std::to_string(guess.size) + " bytes"
                          : std::string()) +
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
