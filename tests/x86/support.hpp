// Shared code of the x86 tests: instructions from hex digits, and a machine state.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "tracecodec/x86/accesses.hpp"
#include "tracecodec/x86/branch.hpp"
#include "tracecodec/x86/zydis.hpp"

namespace tracecodec::x86 {
inline std::ostream& operator<<(std::ostream& o, reg r) { return o << name(r).view(); }
inline std::ostream& operator<<(std::ostream& o, kind k) { return o << static_cast<int>(k); }
inline std::ostream& operator<<(std::ostream& o, const memory_access& a) {
  return o << (a.write ? "write " : "read ") << std::hex << a.address << std::dec << ":" << a.size;
}
template <class T> std::ostream& operator<<(std::ostream& o, const std::vector<T>& v) {
  for (const T& e : v) o << e << ' ';
  return o;
}
}  // namespace tracecodec::x86

namespace test {

using tracecodec::wire::target;
using tracecodec::x86::instruction;
using tracecodec::x86::kind;
using tracecodec::x86::memory_access;
using tracecodec::x86::memory_kind;
using tracecodec::x86::reg;

// Returns the bytes of hex digits such as "48 89 c8".
inline std::vector<std::byte> code(std::string_view hex) {
  std::vector<std::byte> bytes;
  int half = -1;
  for (const char c : hex) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (half >= 0) bytes.push_back(static_cast<std::byte>(half * 16 + digit));
    half = half >= 0 ? -1 : digit;
  }
  return bytes;
}

inline instruction decode(target t, std::string_view hex) {
  return tracecodec::x86::zydis_disassembler(t).decode(code(hex));
}
inline instruction decode64(std::string_view hex) { return decode(target::x64, hex); }
inline instruction decode32(std::string_view hex) { return decode(target::x86, hex); }

// Models machine_state: registers by name. Registers that are not set are 0.
struct state {
  struct setting {
    reg which;
    std::uint64_t value;
  };
  std::array<std::uint64_t, 256> values = {};
  std::uint64_t fs_base = 0, gs_base = 0;

  state(std::initializer_list<setting> all = {}) {
    for (const setting& s : all) values[number(s.which)] = s.value;
  }
  [[nodiscard]] std::uint64_t value(reg r) const { return values[number(r)]; }
  [[nodiscard]] std::uint64_t segment_base(reg r) const { return r == reg::fs ? fs_base : gs_base; }
};

inline std::vector<memory_access> accesses(const instruction& i, const state& s) {
  std::vector<memory_access> all;
  tracecodec::x86::accesses(i, s, [&](const memory_access& a) { all.push_back(a); });
  return all;
}
inline memory_access load(std::uint64_t address, std::uint16_t size) {
  return {address, size, false};
}
inline memory_access store(std::uint64_t address, std::uint16_t size) {
  return {address, size, true};
}

using list = std::vector<memory_access>;
using registers = std::vector<reg>;
inline registers reads(const instruction& i) {
  return {i.registers_read().begin(), i.registers_read().end()};
}
inline registers writes(const instruction& i) {
  return {i.registers_written().begin(), i.registers_written().end()};
}

}  // namespace test
