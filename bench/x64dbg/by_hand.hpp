// Reads x64dbg blocks from a mapped file without the library, hand-written for speed: pointer,
// count and thread are local variables. While a block of the largest size would fit in the rest of
// the file, fields are not compared with the file's end. The functions perform the library's
// checks.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace by_hand {

enum class problem : std::uint8_t { none, truncated, type, no_opcode, position, no_snapshot };

// Position and reason of the end of a pass over the blocks.
struct ending {
  problem why = problem::none;
  std::uint64_t offset = 0;
  std::uint64_t instruction = 0;
  friend bool operator==(const ending&, const ending&) = default;
};

struct snapshot {
  std::uint64_t offset = 0;
  std::uint64_t instruction = 0;
  std::optional<std::uint32_t> thread = {};
};

template <class V> V load(const std::byte* p) noexcept {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Passes over blocks. `Word` is the word of the traced program: std::uint32_t or
// std::uint64_t.
template <class Word> struct x64dbg {
  static constexpr std::size_t word = sizeof(Word);
  static constexpr std::size_t registers = word == 4 ? 216 : 172;
  static constexpr std::size_t largest_block = 8 + 15 + 255 * (2 + 4 * word);

  // Returns the problem of the block at `p`, comparing it with the file's end field by field.
  [[gnu::cold, gnu::noinline]] static problem check(const std::byte* p, const std::byte* end) {
    const auto left = static_cast<std::size_t>(end - p);
    const auto type = load<std::uint8_t>(p);
    if (type >= 0x80) {
      if (left < 5 || left - 5 < load<std::uint32_t>(p + 1)) return problem::truncated;
      return problem::none;
    }
    if (type != 0) return problem::type;
    if (left < 4) return problem::truncated;
    const std::size_t regs = load<std::uint8_t>(p + 1), mems = load<std::uint8_t>(p + 2);
    const auto flags = load<std::uint8_t>(p + 3);
    const std::size_t size =
        4 + (flags & 0x80 ? 4U : 0U) + (flags & 0xFU) + (1 + word) * regs + (1 + 2 * word) * mems;
    if (left < size) return problem::truncated;
    const std::byte* const access_flags = p + size - (1 + 2 * word) * mems;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < mems; ++i)
      changed += (load<std::uint8_t>(access_flags + i) & 1) == 0;
    return left - size < word * changed ? problem::truncated : problem::none;
  }

  // Returns the end of the range in which a block of the largest size still fits in the file.
  static const std::byte* plain_end(const std::byte* p, const std::byte* end) {
    return static_cast<std::size_t>(end - p) < largest_block ? p : end - largest_block + 1;
  }

  // Returns the first block that is not a user block, or that is not complete.
  static const std::byte* skip_user_blocks(const std::byte* p, const std::byte* end) {
    while (p != end && load<std::uint8_t>(p) >= 0x80 && check(p, end) == problem::none)
      p += 5 + std::size_t{load<std::uint32_t>(p + 1)};
    return p;
  }

  // Collects snapshots, at most one in `spacing` bytes.
  [[gnu::noinline]] static ending index(std::span<const std::byte> file, std::size_t first,
                                        std::uint64_t spacing, std::vector<snapshot>& snapshots) {
    const std::byte* const begin = file.data();
    const std::byte* const end = begin + file.size();
    const std::byte* p = begin + first;
    const std::byte* const plain = plain_end(p, end);
    std::uint64_t n = 0;
    std::optional<std::uint32_t> thread;
    const auto stop = [&](problem why) {
      return ending{why, static_cast<std::uint64_t>(p - begin), n};
    };
    for (;;) {
      if (p >= plain) [[unlikely]] {
        if (p == end) return stop(problem::none);
        if (const problem why = check(p, end); why != problem::none) return stop(why);
      }
      const auto head = load<std::uint32_t>(p);
      const std::size_t regs = head >> 8 & 0xFF, mems = head >> 16 & 0xFF, code = head >> 24 & 0xF;
      const std::byte* q = p + 4;
      if ((head & 0x800000FF) != 0) [[unlikely]] {  // a thread id, or not an instruction
        const std::size_t type = head & 0xFF;
        if (type != 0) {
          if (type < 0x80) return stop(problem::type);
          const std::size_t size = load<std::uint32_t>(p + 1);
          if (static_cast<std::size_t>(end - p) - 5 < size) return stop(problem::truncated);
          p += 5 + size;
          continue;
        }
        thread = load<std::uint32_t>(q);
        q += 4;
      }
      if (code == 0) [[unlikely]]
        return stop(problem::no_opcode);
      if (regs == registers) [[unlikely]] {
        const auto at = static_cast<std::uint64_t>(p - begin);
        if (snapshots.empty() || at - snapshots.back().offset >= spacing)
          snapshots.push_back({at, n, thread});
      }
      const std::byte* const access_flags = q + code + (1 + word) * regs;
      std::size_t changed = 0;
      for (std::size_t i = 0; i < mems; ++i)
        changed += (load<std::uint8_t>(access_flags + i) & 1) == 0;
      p = access_flags + (1 + 2 * word) * mems + word * changed;
      ++n;
    }
  }

  // Keeps the register state and passes each instruction to the consumer: begin(ip, opcode,
  // thread), then access(address, old value, new value) for each memory word.
  template <class Consumer> [[gnu::noinline]] static ending decode(std::span<const std::byte> file,
                                                                   std::size_t first,
                                                                   Consumer& out) {
    Consumer consumer = out;
    constexpr std::size_t cip = word == 4 ? 8 : 16;
    std::array<Word, registers> state{};
    const std::byte* const begin = file.data();
    const std::byte* const end = begin + file.size();
    const std::byte* p = begin + first;
    const std::byte* const plain = plain_end(p, end);
    std::uint64_t n = 0;
    std::optional<std::uint32_t> thread;
    const auto stop = [&](problem why) {
      out = consumer;
      return ending{why, static_cast<std::uint64_t>(p - begin), n};
    };
    // A trace that begins with a snapshot has known values for all registers.
    p = skip_user_blocks(p, end);
    if (p != end && check(p, end) == problem::none && load<std::uint8_t>(p) == 0 &&
        load<std::uint8_t>(p + 1) != registers)
      return stop(problem::no_snapshot);
    for (;;) {
      if (p >= plain) [[unlikely]] {
        if (p == end) return stop(problem::none);
        if (const problem why = check(p, end); why != problem::none) return stop(why);
      }
      const auto head = load<std::uint32_t>(p);
      const std::size_t regs = head >> 8 & 0xFF, mems = head >> 16 & 0xFF, code = head >> 24 & 0xF;
      const std::byte* q = p + 4;
      if ((head & 0x800000FF) != 0) [[unlikely]] {  // a thread id, or not an instruction
        const std::size_t type = head & 0xFF;
        if (type != 0) {
          if (type < 0x80) return stop(problem::type);
          const std::size_t size = load<std::uint32_t>(p + 1);
          if (static_cast<std::size_t>(end - p) - 5 < size) return stop(problem::truncated);
          p += 5 + size;
          continue;
        }
        thread = load<std::uint32_t>(q);
        q += 4;
      }
      if (code == 0) [[unlikely]]
        return stop(problem::no_opcode);
      const std::byte* const positions = q + code;
      const std::byte* const values = positions + regs;
      std::size_t w = static_cast<std::size_t>(-1);
      for (std::size_t i = 0; i < regs; ++i) {
        w += 1 + std::size_t{load<std::uint8_t>(positions + i)};
        if (w >= registers) [[unlikely]]
          return stop(problem::position);
        state[w] = load<Word>(values + word * i);
      }
      consumer.begin(state[cip], {q, code}, thread);
      const std::byte* const access_flags = values + word * regs;
      const std::byte* const addresses = access_flags + mems;
      const std::byte* const old_values = addresses + word * mems;
      const std::byte* new_value = old_values + word * mems;
      for (std::size_t i = 0; i < mems; ++i) {
        const auto address = load<Word>(addresses + word * i);
        const auto old_value = load<Word>(old_values + word * i);
        if ((load<std::uint8_t>(access_flags + i) & 1) != 0) {
          consumer.access(address, old_value, std::nullopt);
        } else {
          consumer.access(address, old_value, load<Word>(new_value));
          new_value += word;
        }
      }
      p = new_value;
      ++n;
    }
  }
};

}  // namespace by_hand
