// What somebody would write for one job with x64 traces, with the checks that the library makes:
// bounds, block type, opcode length, positions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace by_hand {

struct totals {
  std::uint64_t instructions = 0, snapshots = 0, ips = 0, threads = 0, addresses = 0;
  friend bool operator==(const totals&, const totals&) = default;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char* what, const std::byte* p) {
  std::fprintf(stderr, "%s at %p\n", what, static_cast<const void*>(p));
  std::exit(1);
}

// Calls f(block, parts) for each; `in` begins at the first block.
struct parts {
  unsigned registers, accesses;
  bool has_thread;
  std::uint32_t thread;
  const std::uint8_t* positions;
  const std::uint8_t* values;
  const std::uint8_t* addresses;
};
template <class F>
[[gnu::always_inline]] inline void each_block(std::span<const std::byte> in, F&& f) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(in.data());
  const std::uint8_t* const end = p + in.size();
  while (p != end) {
    const auto left = static_cast<std::size_t>(end - p);
    if (left < 4) [[unlikely]]
      fail("cut", in.data());
    if (p[0] != 0) [[unlikely]]
      fail("type", in.data());
    const unsigned r = p[1], m = p[2], flags = p[3], opcode = flags & 15;
    if (opcode == 0) [[unlikely]]
      fail("opcode", in.data());
    const bool has_thread = (flags & 0x80) != 0;
    const std::size_t fixed = 4 + (has_thread ? 4U : 0U) + opcode + r * 9 + m * 17;
    if (left < fixed) [[unlikely]]
      fail("cut", in.data());
    const std::uint8_t* q = p + 4;
    std::uint32_t thread = 0;
    if (has_thread) {
      std::memcpy(&thread, q, 4);
      q += 4;
    }
    q += opcode;
    const std::uint8_t* const access_flags = q + r * 9;
    std::size_t changed = 0;
    for (unsigned i = 0; i < m; ++i) changed += (access_flags[i] & 1) == 0;
    const std::size_t size = fixed + changed * 8;
    if (left < size) [[unlikely]]
      fail("cut", in.data());
    f(parts{r, m, has_thread, thread, q, q + r, access_flags + m});
    p += size;
  }
}

// Counts instructions and snapshots.
[[gnu::noinline]] inline totals index_pass(std::span<const std::byte> in) {
  std::uint64_t instructions = 0, snapshots = 0;
  each_block(in, [&](const parts& b) {
    ++instructions;
    snapshots += b.registers == 172;
  });
  return {instructions, snapshots};
}

// Keeps registers and thread; adds up each ip, thread and first address.
[[gnu::noinline]] inline totals decode_pass(std::span<const std::byte> in) {
  std::uint64_t instructions = 0, ips = 0, threads = 0, addresses = 0;
  std::uint64_t registers[172] = {};
  std::uint32_t thread = 0;
  each_block(in, [&](const parts& b) {
    if (b.has_thread) thread = b.thread;
    std::size_t at = static_cast<std::size_t>(-1);
    for (unsigned i = 0; i < b.registers; ++i) {
      at += 1U + b.positions[i];
      if (at >= 172) [[unlikely]]
        fail("position", in.data());
      std::memcpy(&registers[at], b.values + std::size_t{i} * 8, 8);
    }
    ++instructions;
    ips += registers[16];
    threads += thread;
    if (b.accesses != 0) {
      std::uint64_t address = 0;
      std::memcpy(&address, b.addresses, 8);
      addresses += address;
    }
  });
  return {instructions, 0, ips, threads, addresses};
}

}  // namespace by_hand
