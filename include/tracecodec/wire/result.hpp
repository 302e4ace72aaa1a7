// Result of decode and encode, in the style of std::from_chars: the number of bytes used, the error
// and the failing field.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::wire {

enum class errc : std::uint8_t {
  ok,
  truncated,       // decode: the input ends inside the field
  no_space,        // encode: the output ends inside the field
  does_not_fit,    // encode: the value needs more bits than the field has
  count_mismatch,  // encode: the array's length differs from the count that describes it
  out_of_bounds,   // the target of a file pointer is outside the pointer's region
  invalid_value,   // decode or encode: the description does not allow the value
  malformed,       // decode: the bytes are not a value of the field's kind
  wrong_size,      // decode: the items of a part do not fill the part exactly. The field is the
                   // item that extends past the end of the part, or the part's size if bytes remain
  not_as_computed  // decode: a count, size or checksum differs from the computed value
};

// Returns a short description of the error, for messages.
constexpr std::string_view message(errc e) noexcept {
  switch (e) {
    case errc::ok:
      return "no error";
    case errc::truncated:
      return "the input ends inside the field";
    case errc::no_space:
      return "the output ends inside the field";
    case errc::does_not_fit:
      return "the value does not fit the field";
    case errc::count_mismatch:
      return "the array's length differs from its count";
    case errc::out_of_bounds:
      return "the pointer points outside its bytes";
    case errc::invalid_value:
      return "invalid value for the field";
    case errc::malformed:
      return "invalid encoding for the field";
    case errc::wrong_size:
      return "the items do not end where the size of their part says";
    case errc::not_as_computed:
      return "the value differs from the computed one";
  }
  return "unknown error";
}

struct result {
  // Number of bytes read or written. After an error, offset of the failing field.
  std::size_t used = 0;
  errc error = errc::ok;
  // After an error, name of the failing field. The name has static storage.
  std::string_view field = {};

  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

}  // namespace tracecodec::wire
