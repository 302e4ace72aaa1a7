// Many events at once, as a structure of arrays and back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../config.hpp"
#include "../wire/result.hpp"
#include "layout.hpp"

namespace tracecodec::rapidbin {

// Where the members of events go, one element for each event. `sign`, 0 or 1, may be empty.
struct columns {
  std::span<std::uint16_t> thread;
  std::span<std::uint8_t> operation;
  std::span<std::uint64_t> decor;
  std::span<std::uint16_t> location;
  std::span<std::uint8_t> sign = {};
};

// Where they come from. An empty `sign` stands for zeros.
struct const_columns {
  std::span<const std::uint16_t> thread;
  std::span<const std::uint8_t> operation;
  std::span<const std::uint64_t> decor;
  std::span<const std::uint16_t> location;
  std::span<const std::uint8_t> sign = {};
};

struct decoded {
  std::size_t events = 0;
  bool signs = false;  // whether any sign bit was set: without a column for them they are lost
};

struct encoded {
  std::size_t events = 0;       // that were written
  wire::errc error = {};        // does_not_fit: of the event behind them
  std::string_view field = {};  // then the field's name; lives as long as the program
  constexpr explicit operator bool() const noexcept { return error == wire::errc::ok; }
};

// Decodes as many events as there are, or as the shortest column holds. The columns must not lie in
// each other, nor in the events' bytes.
TRACECODEC_FUNC decoded decode(const event_array& events, const columns& out) noexcept;

// Encodes as many events as the shortest column has, or as `out` has room for; nothing is masked:
// the first event with an id that does not fit its field ends it, with everything before it
// written and nothing behind. Any sign but 0 is set.
TRACECODEC_FUNC encoded encode(const const_columns& in, std::span<std::byte> out) noexcept;

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/bulk.ipp"
#endif
