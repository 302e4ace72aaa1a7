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

// Output columns of decode(), with one element per event. decode() stores 0 or 1 in `sign`, which
// may be empty.
struct columns {
  std::span<std::uint16_t> thread;
  std::span<std::uint8_t> operation;
  std::span<std::uint64_t> decor;
  std::span<std::uint16_t> location;
  std::span<std::uint8_t> sign = {};
};

// Input columns of encode(). An empty `sign` stands for zeros.
struct const_columns {
  std::span<const std::uint16_t> thread;
  std::span<const std::uint8_t> operation;
  std::span<const std::uint64_t> decor;
  std::span<const std::uint16_t> location;
  std::span<const std::uint8_t> sign = {};
};

struct decoded {
  std::size_t events = 0;
  // True if any sign bit was set. If the column `sign` is empty, the sign bits are lost.
  bool signs = false;
};

struct encoded {
  std::size_t events = 0;  // number of events written
  // Reason why encoding stopped. does_not_fit if a value of the next event is too large for its
  // field, otherwise ok.
  wire::errc error = {};
  // Name of the field that does not fit. Its characters have static lifetime.
  std::string_view field = {};
  constexpr explicit operator bool() const noexcept { return error == wire::errc::ok; }
};

namespace detail {
inline constexpr auto thread_column = wire::as<&event::thread, std::uint16_t>;
inline constexpr auto operation_column = wire::as<&event::operation, std::uint8_t>;
inline constexpr auto location_column = wire::as<&event::location, std::uint16_t>;
inline constexpr auto sign_member = wire::as<&event::sign, std::uint8_t>;
// `decor`, the widest column, is last, because the encoding loop that clang generates then takes
// an eighth less time.
using id_columns =
    wire::columns<event_codec, thread_column, operation_column, location_column, &event::decor>;
using sign_column = wire::columns<event_codec, sign_member>;
using all_columns = wire::columns<event_codec, thread_column, operation_column, location_column,
                                  sign_member, &event::decor>;
}  // namespace detail

// Decodes all events, or as many as fit in the shortest column. The columns must not overlap each
// other or the bytes of the events.
inline decoded decode(const event_array& events, const columns& out) noexcept {
  const std::size_t n = out.sign.empty() ? events.size() : std::min(events.size(), out.sign.size());
  const auto done = detail::id_columns::decode(events.subview(0, n), out.thread, out.operation,
                                               out.location, out.decor);
  if (!out.sign.empty()) detail::sign_column::decode(events.subview(0, done.records), out.sign);
  return {done.records, done.others};  // `sign` is the only field that id_columns lacks
}

// Encodes as many events as the shortest column contains, or as fit in `out`. Values are not
// masked. Encoding stops before the first event with a value that does not fit its field. Any
// `sign` other than 0 sets the sign bit.
inline encoded encode(const const_columns& in, std::span<std::byte> out) noexcept {
  const wire::columns_encoded done =
      in.sign.empty()
          ? detail::id_columns::encode(in.thread, in.operation, in.location, in.decor, out)
          : detail::all_columns::encode(in.thread, in.operation, in.location, in.sign, in.decor,
                                        out);
  return {done.records, done.error, done.field};
}

}  // namespace tracecodec::rapidbin
