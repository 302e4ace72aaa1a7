// What the other forms of a layout table need of its rows: types taken apart, numbers as text.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "../layout_row.hpp"

namespace tracecodec::wire::detail {

// "u64[2]": two unsigned integers of 8 bytes. What is no number, a record or padding, is bytes.
struct row_type {
  char kind = 'u';  // u, i, f
  std::size_t size = 1;
  std::size_t count = 1;
  bool array = false;
  bool bytes = false;
};

constexpr row_type type_of(const layout_row& r) noexcept {
  const std::string_view s = r.type.view();
  std::size_t bits = 0, i = 1;
  for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i)
    bits = 10 * bits + static_cast<std::size_t>(s[i] - '0');
  if (bits == 0 || (s[0] != 'u' && s[0] != 'i' && s[0] != 'f')) return {'u', 1, r.size, true, true};
  const std::size_t size = bits / 8;
  if (i < s.size() && s[i] == '[') return {s[0], size, r.size / size, true, false};
  return {s[0], size, 1, false, false};
}

constexpr bool is_padding(const layout_row& r) noexcept {
  const std::string_view s = r.name.view();
  return s.size() >= padding_name.size() &&
         s.substr(s.size() - padding_name.size()) == padding_name;
}
// Whether the row has neither a place nor a size of its own.
constexpr bool varies(const layout_row& r) noexcept {
  return r.floats || r.counted || r.conditional;
}
// Whether a word of bit slices begins with row `i`: the one before ends at bit 0.
constexpr bool begins_word(std::span<const layout_row> rows, std::size_t i) noexcept {
  return rows[i].slice && (i == 0 || !rows[i - 1].slice || rows[i - 1].low_bit == 0);
}
constexpr bool is_unused(const layout_row& r) noexcept {
  return r.slice && r.name.view() == "unused";
}

// A number in decimal or hexadecimal digits.
template <class Out> constexpr void put(Out& out, std::size_t number) {
  text t;
  t += number;
  out(t.view());
}
template <class Out> constexpr void put_mask(Out& out, unsigned width) {
  out(std::string_view("0x"));
  if (width % 4 != 0) out(std::string_view("0137").substr(width % 4, 1));
  for (unsigned i = 0; i < width / 4; ++i) out(std::string_view("f"));
}
// A name as languages take one: with _ for the dots of nested records.
template <class Out> constexpr void put_name(Out& out, std::string_view name, bool lower = false) {
  for (const char c : name) {
    const char d = c == '.' ? '_' : lower && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    out(std::string_view(&d, 1));
  }
}
// "bits_0": the words of slices, and what else has no name, are counted.
template <class Out>
constexpr void put_numbered(Out& out, std::string_view what, std::size_t number) {
  out(what);
  put(out, number);
}
// "sign 63, location 62-48": what a word holds.
template <class Out>
constexpr void put_slices(Out& out, std::span<const layout_row> rows, std::size_t first) {
  for (std::size_t i = first; i < rows.size() && (i == first || !begins_word(rows, i)); ++i) {
    if (!rows[i].slice) break;
    if (i != first) out(std::string_view(", "));
    put_name(out, rows[i].name.view());
    out(std::string_view(" "));
    put(out, rows[i].high_bit);
    if (rows[i].high_bit == rows[i].low_bit) continue;
    out(std::string_view("-"));
    put(out, rows[i].low_bit);
  }
}

}  // namespace tracecodec::wire::detail
