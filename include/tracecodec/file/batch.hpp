// Consecutive records of a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../wire/view.hpp"

namespace tracecodec::file {

// Records of fixed size are an array_view: they lie in the mapped file or the reader's buffer, and are
// decoded on access. Those of varying size are a span, decoded; their views point there. Valid until
// the reader is asked for more.
template <class Records> struct batch {
  using value_type = typename Records::value_type;
  Records records = {};
  std::uint64_t first = 0;  // index in the file of the first one
  bool last = true;         // whether no whole one follows

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records.size(); }
  [[nodiscard]] constexpr decltype(auto) operator[](std::size_t i) const noexcept {
    return records[i];
  }
  [[nodiscard]] constexpr auto begin() const noexcept { return records.begin(); }
  [[nodiscard]] constexpr auto end() const noexcept { return records.end(); }
  // The record behind the last one, unless that is `last`: it is at hand, too.
  [[nodiscard]] constexpr value_type following() const noexcept {
    if constexpr (requires { records.bytes(); })
      return Records(records.bytes().data(), size() + 1)[size()];
    else
      return records.data()[size()];
  }
  // Records [from, from + n), which must exist.
  [[nodiscard]] constexpr batch part(std::size_t from, std::size_t n) const noexcept {
    return {part_of(records, from, n), first + from, last && from + n == size()};
  }

 private:
  template <class W>
  static constexpr auto part_of(const wire::array_view<W>& all, std::size_t from, std::size_t n) {
    return all.subview(from, n);
  }
  template <class R>
  static constexpr auto part_of(std::span<const R> all, std::size_t from, std::size_t n) {
    return all.subspan(from, n);
  }
};

}  // namespace tracecodec::file
