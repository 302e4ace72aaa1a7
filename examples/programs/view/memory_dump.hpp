// Prints memory as a dump with rows of 16 bytes. Unknown bytes are printed as ??.
#pragma once
#include <tracecodec/analysis/address_span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../common/json.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "parts.hpp"
#include "shown.hpp"

namespace view {

struct dumped_byte {
  std::uint8_t value = 0;
  bool known = false;
};

// Bytes of memory starting at `address`, with their values before a record.
struct memory_dump {
  std::uint64_t address = 0;
  std::vector<dumped_byte> bytes = {};
};

// Maximum size of a dump in bytes.
inline constexpr std::uint64_t largest_dump = std::uint64_t{1} << 20;

// Returns the size of a span from the command line. Throws usage_error if the size exceeds
// largest_dump.
inline std::size_t dump_size(const tracecodec::analysis::address_span& s) {
  if (s.last - s.first >= largest_dump)
    throw examples::usage_error("--memory: a dump has " + std::to_string(largest_dump) +
                                " bytes at most");
  return static_cast<std::size_t>(s.last - s.first + 1);
}

namespace detail {
inline void add_byte(std::string& s, dumped_byte b) {
  s += b.known ? "0123456789abcdef"[b.value >> 4U] : '?';
  s += b.known ? "0123456789abcdef"[b.value & 15U] : '?';
}
inline std::string digits_of(const memory_dump& d) {
  std::string s;
  for (const dumped_byte b : d.bytes) add_byte(s, b);
  return s;
}
// Adds rows such as "0x0000000000401000  48 8b ?? ...  |H.?.|". Each row except the first begins at
// a multiple of 16.
inline void add_rows(std::string& s, const memory_dump& d, std::size_t digits) {
  for (std::size_t at = 0; at < d.bytes.size();) {
    const std::uint64_t start = (d.address + at) & ~std::uint64_t{15};
    const auto before = static_cast<std::size_t>(d.address + at - start);
    const std::size_t n = std::min<std::size_t>(16 - before, d.bytes.size() - at);
    add_label(s, at == 0 ? "memory" : "");
    examples::add_hex(s, start, digits);
    s += ' ';
    std::string text(before, ' ');
    for (std::size_t i = 0; i < 16; ++i) {
      s += i == 8 ? "  " : " ";
      if (i < before || i >= before + n) {
        s += "  ";
        continue;
      }
      const dumped_byte b = d.bytes[at + i - before];
      add_byte(s, b);
      text += !b.known ? '?' : b.value >= 0x20 && b.value < 0x7F ? static_cast<char>(b.value) : '.';
    }
    (s += "  |") += text + "|\n";
    at += n;
  }
}
}  // namespace detail

// Adds a dump, either at the end of a compact row or as lines of the detailed view. In the detailed
// view, an address has at least `digits` digits.
inline void add_dump(std::string& s, const memory_dump& d, form f, std::size_t digits) {
  if (f == form::detail) return detail::add_rows(s, d, digits);
  s += " | M[";
  add_quoted(s, d.address);
  s += ": " + detail::digits_of(d) + ']';
}

// Adds a JSON object such as {"address":"0x401000","bytes":"488b????"}.
inline void add_dump(examples::json& j, const memory_dump& d) {
  j.object().key("address").hex(d.address).key("bytes").plain(detail::digits_of(d)).end_object();
}

}  // namespace view
