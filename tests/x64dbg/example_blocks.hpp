// Example blocks from the format's description. They do not use the reader, which needs simdjson.
#pragma once
#include <cstdint>
#include <string_view>

#include "../bytes.hpp"
#include "tracecodec/x64dbg/layout.hpp"
#include "tracecodec/x64dbg/layout/registers.hpp"
#include "tracecodec/x64dbg/reader/state.hpp"

namespace test {

namespace io = tracecodec::io;
namespace x64dbg = tracecodec::x64dbg;
using tracecodec::wire::target;
inline constexpr target x86 = target::x86;
inline constexpr target x64 = target::x64;

inline bytes with_prefix(std::string_view json) {
  const auto n = static_cast<std::uint32_t>(json.size());
  bytes out = from_hex("54524143");
  for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(n >> 8 * i));
  const auto* p = reinterpret_cast<const std::byte*>(json.data());
  out.insert(out.end(), p, p + json.size());
  return out;
}
inline bytes header(target t) {
  return with_prefix(t == x86 ? R"({"ver":1,"arch":"x86","compression":""})"
                              : R"({"ver":1,"arch":"x64","compression":""})");
}

// Returns a block with every register word: word i is `first` + i. The opcode is
// 90, the thread 0x1234.
template <target T> bytes snapshot(std::uint64_t first = 0x1000) {
  constexpr std::size_t word = sizeof(tracecodec::wire::word_t<T>);
  constexpr std::size_t n = x64dbg::register_words<T>;
  bytes out = from_hex("00");
  out.push_back(static_cast<std::byte>(n));
  out += from_hex("00 81 34120000 90");
  out.resize(out.size() + n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < word; ++b)
      out.push_back(static_cast<std::byte>((first + i) >> 8 * b));
  return out;
}

// Arguments for a writer: a state in which all registers are 0, and an instruction that does
// nothing.
inline x64dbg::register_state<x64> zeros() {
  x64dbg::register_state<x64> s;
  s.fill_unknown(0);
  return s;
}
inline const bytes nop = from_hex("90");

// Returns a small x64 trace of handwritten bytes: a snapshot, then blocks of every kind. The
// order follows the format's description: type R M flags, [thread], opcode, positions, values,
// flags, addresses, old, new.
inline bytes small_trace() {
  bytes t = header(x64) + snapshot<x64>();
  // mov eax, [..]: word 0 = 0x55, word 16 (cip) = 0x401000; reads 7 from 0x2000.
  t += from_hex(
      "00 02 01 02 8b00 000f 5500000000000000 0010400000000000 01 0020000000000000"
      "0700000000000000");
  // Thread 0x5678; a write that changes 0x2000 from 7 to 9, and a read of 0x3000.
  t += from_hex(
      "00 01 02 83 78560000 480301 10 0210400000000000 0001"
      "0020000000000000 0030000000000000 0700000000000000 0100000000000000"
      "0900000000000000");
  t += from_hex("80 03000000 aabbcc");  // a user block
  t += from_hex("00 01 00 01 c3 10 0510400000000000");
  return t;
}

}  // namespace test
