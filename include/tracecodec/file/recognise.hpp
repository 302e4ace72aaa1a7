// Whether bytes look like a file of a description.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../wire/result.hpp"
#include "describe.hpp"

namespace tracecodec::file {

enum class likeness : std::uint8_t {
  none,
  possible,  // all that is described makes sense, but the size is another, or unknown
  certain    // and the number of records is that of the size, or constants say what it is
};

template <class D> struct recogniser {
  // How many records decide, where they can be told from other bytes.
  static constexpr std::size_t judged_records = 32;
  // Constants of so many bytes are no chance.
  static constexpr std::size_t certain_bytes = 4;

  // Judges the front of a content of `size` bytes, if that is known.
  static likeness judge(std::span<const std::byte> front, std::optional<std::uint64_t> size) {
    typename D::header_type h{};
    std::size_t used = 0;
    if constexpr (D::has_header) {
      const auto r = D::header_codec::decode(front, h);
      if (!r) return likeness::none;
      bool sound = true;
      const auto unsound = [&sound](const auto&...) { sound = false; };
      D::for_each_negative(h, unsound);
      if (!sound) return likeness::none;
      used = r.used;
      if (D::header_codec::constant_bytes >= certain_bytes) return likeness::certain;
    }
    if (!decodes(front.subspan(used))) return likeness::none;
    return size && count_fits(h, used, *size) ? likeness::certain : likeness::possible;
  }

  // Whether a content of `size` bytes has as many records as its header, of `used` bytes, says;
  // bytes behind the last of them are for the reader to judge.
  static bool count_fits(const typename D::header_type& h, std::size_t used, std::uint64_t size) {
    if constexpr (D::counted_in_header && D::codec::fixed) {
      const std::uint64_t other = used + D::trailer_codec::size;
      const auto n = static_cast<std::uint64_t>(h.*D::counter::member);
      return size >= other && (size - other) / D::codec::size == n;
    } else {
      return false;
    }
  }

 private:
  // Whether there is a record, or the end of one that is cut, and no other bytes.
  static bool decodes(std::span<const std::byte> front) {
    if (front.empty()) return D::has_header;
    typename D::record one{};
    std::size_t at = 0;
    for (std::size_t n = 0; n < judged_records && at != front.size(); ++n) {
      const auto r = D::codec::decode(front.subspan(at), one);
      if (r.error == wire::errc::truncated) break;
      if (!r || r.used == 0) return false;
      at += r.used;
    }
    return true;
  }
};

}  // namespace tracecodec::file
