// What reader/state.hpp knows of REGDUMP, from its description.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "../../../wire/record.hpp"
#include "../../layout/regdump.hpp"
#include "../state.hpp"

namespace tracecodec::x64dbg {

namespace detail {
template <target T> inline constexpr auto meaningful_words = [] {
  using word = wire::word_t<T>;
  std::array<word, register_words<T>> mask{};
  for (word& m : mask) m = static_cast<word>(-1);
  const auto clear = [&mask](std::size_t offset, std::size_t size) {
    for (std::size_t b = offset; b < offset + size; ++b)
      mask[b / sizeof(word)] &= ~(word{0xFF} << 8 * (b % sizeof(word)));
  };
  const auto padding = [](std::string_view name) {
    return name.size() >= wire::padding_name.size() &&
           name.substr(name.size() - wire::padding_name.size()) == wire::padding_name;
  };
  for (const wire::layout_row& row : wire::layout_table<regdump_codec<T>>)
    if (padding(row.name.view())) clear(row.offset, row.size);
  // The layout table does not look into an array of records.
  constexpr std::size_t x87 = regdump_codec<T>::template offset_of<&regdump<T>::x87_registers>;
  for (std::size_t i = 0; i < 8; ++i) clear(x87 + 20 * i + 10, 2);
  return mask;
}();
}  // namespace detail

template <target T> std::span<const wire::word_t<T>, register_words<T>> meaningful_bits() noexcept {
  return detail::meaningful_words<T>;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::span<const wire::word_t<target::x86>, register_words<target::x86>>
meaningful_bits<target::x86>() noexcept;
template std::span<const wire::word_t<target::x64>, register_words<target::x64>>
meaningful_bits<target::x64>() noexcept;
#endif

}  // namespace tracecodec::x64dbg
