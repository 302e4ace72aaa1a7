#pragma once
#include "../bulk.hpp"

#include <algorithm>

#include "../../wire/columns/columns.hpp"

namespace tracecodec::rapidbin {

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

TRACECODEC_FUNC decoded decode(const event_array& events, const columns& out) noexcept {
  const std::size_t n = out.sign.empty() ? events.size() : std::min(events.size(), out.sign.size());
  const auto done = detail::id_columns::decode(events.subview(0, n), out.thread, out.operation,
                                               out.location, out.decor);
  if (!out.sign.empty()) detail::sign_column::decode(events.subview(0, done.records), out.sign);
  return {done.records, done.others};  // what is in no column is the sign
}

TRACECODEC_FUNC encoded encode(const const_columns& in, std::span<std::byte> out) noexcept {
  const wire::columns_encoded done =
      in.sign.empty()
          ? detail::id_columns::encode(in.thread, in.operation, in.location, in.decor, out)
          : detail::all_columns::encode(in.thread, in.operation, in.location, in.sign, in.decor,
                                        out);
  return {done.records, done.error, done.field};
}

}  // namespace tracecodec::rapidbin
