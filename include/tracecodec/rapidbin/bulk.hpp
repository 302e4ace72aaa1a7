// Many events at once, as a structure of arrays and back.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../wire/columns/columns.hpp"
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

namespace detail {
inline constexpr auto thread_column = wire::as<&event::thread, std::uint16_t>;
inline constexpr auto operation_column = wire::as<&event::operation, std::uint8_t>;
inline constexpr auto location_column = wire::as<&event::location, std::uint16_t>;
inline constexpr auto sign_member = wire::as<&event::sign, std::uint8_t>;
// The widest last: clang's loop that encodes takes an eighth less time.
using id_columns =
    wire::columns<event_codec, thread_column, operation_column, location_column, &event::decor>;
using sign_column = wire::columns<event_codec, sign_member>;
using all_columns = wire::columns<event_codec, thread_column, operation_column, location_column,
                                  sign_member, &event::decor>;
}  // namespace detail

// Decodes as many events as there are, or as the shortest column holds. The columns must not lie in
// each other, nor in the events' bytes.
inline decoded decode(const event_array& events, const columns& out) noexcept {
  const std::size_t n = out.sign.empty() ? events.size() : std::min(events.size(), out.sign.size());
  const auto done = detail::id_columns::decode(events.subview(0, n), out.thread, out.operation,
                                               out.location, out.decor);
  if (!out.sign.empty()) detail::sign_column::decode(events.subview(0, done.records), out.sign);
  return {done.records, done.others};  // what is in no column is the sign
}

// Encodes as many events as the shortest column has, or as `out` has room for; nothing is masked:
// the first event with an id that does not fit its field ends it, with everything before it
// written and nothing behind. Any sign but 0 is set.
inline encoded encode(const const_columns& in, std::span<std::byte> out) noexcept {
  const wire::columns_encoded done =
      in.sign.empty()
          ? detail::id_columns::encode(in.thread, in.operation, in.location, in.decor, out)
          : detail::all_columns::encode(in.thread, in.operation, in.location, in.sign, in.decor,
                                        out);
  return {done.records, done.error, done.field};
}

}  // namespace tracecodec::rapidbin
