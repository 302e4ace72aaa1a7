// Recognition of files that match a description.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../wire/result.hpp"
#include "begins_like.hpp"
#include "describe.hpp"
#include "match.hpp"

namespace tracecodec::file {

template <class D> struct recogniser {
  // Maximum number of records to examine.
  static constexpr std::size_t judged_records = 32;
  // Number of constant bytes that are assumed not to match by chance.
  static constexpr std::size_t certain_bytes = 4;

  // Returns how well the beginning of a file's content matches the description. `size` is the size
  // of the content in bytes, if known.
  static match probe(std::span<const std::byte> front, std::optional<std::uint64_t> size) {
    typename D::header_type h{};
    std::size_t used = 0;
    if constexpr (D::has_header) {
      const auto r = D::header_codec::decode(front, h);
      if (!r) return begins_certainly(front) ? match::certain : match::none;
      bool sound = true;
      const auto unsound = [&sound](const auto&...) { sound = false; };
      D::for_each_negative(h, unsound);
      if (!sound) return match::none;
      used = r.used;
      if (D::header_codec::constant_bytes >= certain_bytes) return match::certain;
    }
    const auto records = records_among(front.subspan(used), used, size);
    if constexpr (D::path::there) return match_of_path(records, size && *size == front.size(), h);
    if constexpr (D::lines::there) return match_of_lines(records, h);
    if (!decodes(records, front, h)) return match::none;
    return size && count_fits(h, used, *size) ? match::certain : match::possible;
  }

  // Returns true if content of `size` bytes has the number of complete records that its header
  // states. `used` is the size of the header. The check ignores bytes after the last record, which
  // the reader reports.
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
  // Returns true if `front` begins with the constants of a header of varying size. The reader then
  // reports why the header is invalid.
  static bool begins_certainly(std::span<const std::byte> front) {
    using codec = typename D::header_codec;
    if constexpr (!codec::fixed && codec::constant_bytes >= certain_bytes)
      return front.size() >= certain_bytes && begins_like<codec>(front);
    else
      return false;
  }
  // Returns the bytes of `rest` that cannot belong to a trailer. `rest` follows a header of `used`
  // bytes. If the size is unknown, `rest` is assumed to extend to the end of the file.
  static std::span<const std::byte> records_among(std::span<const std::byte> rest, std::size_t used,
                                                  std::optional<std::uint64_t> size) {
    constexpr std::size_t trailer_size = D::trailer_codec::size;
    const std::uint64_t all = size ? *size - std::min<std::uint64_t>(*size, used) : rest.size();
    const std::uint64_t records = all - std::min<std::uint64_t>(all, trailer_size);
    return rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(rest.size(), records)));
  }

  // Returns the match of records that have a leads_to<> clause. The match is certain if there are at
  // least two records, and three quarters of them lead to the next one. A single record matches only
  // if it is the whole content, as `whole` says. The last record may be truncated.
  static match match_of_path(std::span<const std::byte> front, bool whole,
                             const typename D::header_type& h) {
    constexpr std::size_t judged = 256;
    std::size_t at = 0, n = 0, leads = 0;
    const typename D::record first = D::first_record(h);
    for (typename D::record last{}; n < judged && at != front.size(); ++n) {
      typename D::record one = n == 0 ? first : D::record_after(last, first);
      const auto r = D::codec::decode(front.subspan(at), one);
      if (r.error == wire::errc::truncated) break;
      if (!r || r.used == 0 || !D::path::is_plausible(one)) return match::none;
      leads += n != 0 && D::path::next(last) == D::path::here(one);
      last = one;
      at += r.used;
    }
    if (n < 2) return n == 1 && whole && at == front.size() ? match::possible : match::none;
    return 4 * leads >= 3 * (n - 1) ? match::certain : match::none;
  }
  // Returns the match of records that have a lines<> clause. The last line may be truncated.
  static match match_of_lines(std::span<const std::byte> front, const typename D::header_type& h) {
    constexpr std::size_t judged = 256;
    std::size_t at = 0, n = 0, counted = 0;
    const typename D::record first = D::first_record(h);
    for (typename D::record one = first; n < judged && at != front.size(); ++n) {
      if (n != 0) one = D::record_after(one, first);
      const auto r = D::codec::decode(front.subspan(at), one);
      if (r.error == wire::errc::truncated) break;
      if (!r || r.used == 0) return match::none;
      counted += D::lines::counts(one);
      at += r.used;
    }
    return counted >= D::lines::least && 2 * counted >= n ? match::certain : match::none;
  }
  // Returns true if `front` consists of records. The last record may be truncated. `whole` contains
  // all available bytes of the content.
  static bool decodes(std::span<const std::byte> front, std::span<const std::byte> whole,
                      const typename D::header_type& h) {
    if (front.empty()) return D::has_header || is_trailer(whole);
    const typename D::record first = D::first_record(h);
    typename D::record one = first;
    std::size_t at = 0;
    for (std::size_t n = 0; n < judged_records && at != front.size(); ++n) {
      if (n != 0) one = D::record_after(one, first);
      const auto r = D::codec::decode(front.subspan(at), one);
      if (r.error == wire::errc::truncated) break;
      if (!r || r.used == 0) return false;
      at += r.used;
      if (D::mark::ends(one)) break;
    }
    return true;
  }
  // Returns true if `whole`, the content of a file without records, is a trailer or the beginning
  // of one.
  static bool is_trailer(std::span<const std::byte> whole) {
    if constexpr (D::has_trailer) {
      typename D::trailer_type t{};
      const auto r = D::trailer_codec::decode(whole, t);
      return r || (r.error == wire::errc::truncated && !whole.empty());
    } else {
      return false;
    }
  }
};

}  // namespace tracecodec::file
