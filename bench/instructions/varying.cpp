// Decodes and encodes records of varying size with the library and with hand-written code.
#include "compare.hpp"
#include "varying_by_hand.hpp"

namespace {

template <class T> void put(std::vector<std::byte>& to, T value) {
  const auto* const p = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), p, p + sizeof value);
}
void fill(std::vector<std::byte>& to, std::size_t n) { to.insert(to.end(), n, std::byte{'x'}); }
// Adds `n` bytes, and zeros up to a multiple of 4.
void fill_padded(std::vector<std::byte>& to, std::size_t n) {
  fill(to, n);
  to.resize(to.size() + (4 - n % 4) % 4);
}

// Returns packets with 0, 1 or 2 options.
std::vector<std::byte> packets(std::size_t n) {
  const auto padded = [](std::uint32_t size) { return (size + 3) & ~3U; };
  std::vector<std::byte> all;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t captured = 40 + i * 7 % 61, options = i % 3;
    std::uint32_t size = 12 + 20 + padded(captured);
    for (std::uint32_t k = 0; k < options; ++k) size += 4 + padded(4 + 5 * k);
    for (const std::uint32_t v : {6U, size, 0U, i, 2 * i, captured, captured}) put(all, v);
    fill_padded(all, captured);
    for (std::uint32_t k = 0; k < options; ++k) {
      put(all, static_cast<std::uint16_t>(k + 1));
      put(all, static_cast<std::uint16_t>(4 + 5 * k));
      fill_padded(all, 4 + 5 * k);
    }
    put(all, size);
  }
  return all;
}

// Returns instructions of all kinds, with up to three inputs and up to two outputs.
std::vector<std::byte> instructions(std::size_t n) {
  std::vector<std::byte> all;
  std::uint64_t random = 88172645463325252U;
  for (std::uint64_t i = 0; i < n; ++i) {
    random ^= random << 13U;
    random ^= random >> 7U;
    random ^= random << 17U;
    const auto bits = [random](unsigned from, unsigned count) {
      return static_cast<std::uint8_t>(random >> from & ((1U << count) - 1));
    };
    const auto what = static_cast<std::uint8_t>(bits(8, 1) != 0 ? 0 : bits(9, 3));
    put(all, 0x400000 + 4 * i);
    put(all, what);
    if (what == 1 || what == 2) put(all, random), put(all, std::uint8_t{8});
    if (what >= 3 && what <= 5) {
      const std::uint8_t taken = what != 3 || bits(20, 1) != 0 ? 1 : 0;
      put(all, taken);
      if (taken != 0) put(all, random);
    }
    const std::uint8_t inputs = bits(24, 2);
    put(all, inputs);
    fill(all, inputs);
    const auto outputs =
        static_cast<std::uint8_t>(what >= 2 && what <= 5 ? 0 : bits(28, 1) + (what == 1 ? 1 : 0));
    put(all, outputs);
    // Registers from 32 on are vector registers and have two words.
    for (unsigned k = 0; k < outputs; ++k) put(all, bits(30 + 7 * k, 6));
    for (unsigned k = 0; k < outputs; ++k)
      for (int words = bits(30 + 7 * k, 6) >= 32 ? 2 : 1; words != 0; --words) put(all, random);
  }
  return all;
}

}  // namespace

int main() {
  for (const std::size_t n : {1000U, 3000U}) {
    const std::vector<std::byte> blocks = packets(n), executed = instructions(n);
    using varying::block_by_hand, varying::block_codec;
    using varying::instruction_by_hand, varying::instruction_codec;
    compare<block_codec, block_by_hand>("pcapng", blocks, n);
    compare_parts<block_codec, block_by_hand, &varying::block::data>("pcapng", blocks, n);
    compare<instruction_codec, instruction_by_hand>("cvp1", executed, n);
    compare_parts<instruction_codec, instruction_by_hand, &varying::instruction::address>(
        "cvp1", executed, n);
  }
  return failed ? 1 : 0;
}
