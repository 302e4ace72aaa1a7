// Bulk conversion between RapidBin events and a structure of arrays.
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

// Output columns of decode(), with one element per event. If `sign` is empty, decode() skips the
// sign bits. If not, decode() stores 0 or 1 in `sign` for each event.
struct columns {
  std::span<std::uint16_t> thread;
  std::span<std::uint8_t> operation;
  std::span<std::uint64_t> decor;
  std::span<std::uint16_t> location;
  std::span<std::uint8_t> sign = {};
};

// Input columns of encode(). If `sign` is empty, encode() writes 0 for every sign bit.
struct const_columns {
  std::span<const std::uint16_t> thread;
  std::span<const std::uint8_t> operation;
  std::span<const std::uint64_t> decor;
  std::span<const std::uint16_t> location;
  std::span<const std::uint8_t> sign = {};
};

struct decoded {
  std::size_t events = 0;
  // True if the sign bit of any decoded event is set. If the `sign` column is empty, true means
  // that sign bits were lost.
  bool signs = false;
};

struct encoded {
  std::size_t events = 0;  // number of events written
  // Reason why encoding stopped: does_not_fit if a value of the next event is too large for its
  // field, and ok otherwise.
  wire::errc error = {};
  // Name of the field with the value that does not fit. The string has static lifetime.
  std::string_view field = {};
  constexpr explicit operator bool() const noexcept { return error == wire::errc::ok; }
};

namespace detail {
inline constexpr auto thread_column = wire::as<&event::thread, std::uint16_t>;
inline constexpr auto operation_column = wire::as<&event::operation, std::uint8_t>;
inline constexpr auto location_column = wire::as<&event::location, std::uint16_t>;
inline constexpr auto sign_member = wire::as<&event::sign, std::uint8_t>;
// The widest column, `decor`, is last, because this order makes the encoding loop an eighth faster
// with clang.
using id_columns =
    wire::columns<event_codec, thread_column, operation_column, location_column, &event::decor>;
using sign_column = wire::columns<event_codec, sign_member>;
using all_columns = wire::columns<event_codec, thread_column, operation_column, location_column,
                                  sign_member, &event::decor>;
}  // namespace detail

// Decodes events until the input ends or the shortest column is full. An empty `sign` column is
// ignored. The columns must not overlap each other or the encoded events.
inline decoded decode(const event_array& events, const columns& out) noexcept {
  const std::size_t n = out.sign.empty() ? events.size() : std::min(events.size(), out.sign.size());
  const auto done = detail::id_columns::decode(events.subview(0, n), out.thread, out.operation,
                                               out.location, out.decor);
  if (!out.sign.empty()) detail::sign_column::decode(events.subview(0, done.records), out.sign);
  // `others` is true if a field without a column is not 0. id_columns lacks only `sign`, so
  // `others` reports the sign bits.
  return {done.records, done.others};
}

// Encodes events until the shortest column ends or `out` is full. Values are never truncated.
// Instead, encoding stops before the first event with a value that does not fit its field. Any
// nonzero `sign` sets the sign bit.
inline encoded encode(const const_columns& in, std::span<std::byte> out) noexcept {
  const wire::columns_encoded done =
      in.sign.empty()
          ? detail::id_columns::encode(in.thread, in.operation, in.location, in.decor, out)
          : detail::all_columns::encode(in.thread, in.operation, in.location, in.sign, in.decor,
                                        out);
  return {done.records, done.error, done.field};
}

}  // namespace tracecodec::rapidbin
