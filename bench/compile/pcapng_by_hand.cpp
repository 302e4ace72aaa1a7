// The blocks of a pcapng file with their options, read by hand.
#include "pcapng.hpp"

#include <cstring>

namespace {

using bytes = std::span<const std::byte>;

template <class T> T get(const std::byte* p) noexcept {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

enum class kind : std::uint32_t { interface = 1, packet = 6, section = 0x0A0D0D0A };
struct block {
  kind type;
  std::uint32_t size, magic;
  std::uint16_t major, minor, link, reserved;
  std::int64_t section_size;
  std::uint32_t longest, interface, time_high, time_low, captured, original;
  bytes data, options;
  std::size_t option_count;
  std::uint32_t size_again;
};

// Returns the number of options from `p` to `end`, or -1 if they are invalid.
std::ptrdiff_t count_options(const std::byte* p, const std::byte* end) noexcept {
  std::ptrdiff_t n = 0;
  while (p != end) {
    const auto left = static_cast<std::size_t>(end - p);
    if (left < 4) return -1;
    const std::size_t size = (get<std::uint16_t>(p + 2) + 4U + 3U) & ~3U;
    if (left < size) return -1;
    p += size;
    ++n;
  }
  return n;
}
std::size_t decode(bytes in, block& b) noexcept {
  if (in.size() < 12) return 0;
  const std::byte* p = in.data();
  b.type = get<kind>(p);
  b.size = get<std::uint32_t>(p + 4);
  if (b.size < 12 || in.size() < b.size) return 0;
  const std::byte* const end = p + b.size - 4;
  p += 8;
  const auto body = static_cast<std::size_t>(end - p);
  switch (b.type) {
    case kind::section:
      if (body < 16 || get<std::uint32_t>(p) != 0x1A2B3C4D) return 0;
      b.magic = 0x1A2B3C4D;
      b.major = get<std::uint16_t>(p + 4);
      b.minor = get<std::uint16_t>(p + 6);
      b.section_size = get<std::int64_t>(p + 8);
      p += 16;
      break;
    case kind::interface:
      if (body < 8) return 0;
      b.link = get<std::uint16_t>(p);
      b.reserved = get<std::uint16_t>(p + 2);
      b.longest = get<std::uint32_t>(p + 4);
      p += 8;
      break;
    case kind::packet: {
      if (body < 20) return 0;
      b.interface = get<std::uint32_t>(p);
      b.time_high = get<std::uint32_t>(p + 4);
      b.time_low = get<std::uint32_t>(p + 8);
      b.captured = get<std::uint32_t>(p + 12);
      b.original = get<std::uint32_t>(p + 16);
      const std::uint64_t padded = (std::uint64_t{b.captured} + 3) & ~std::uint64_t{3};
      if (body - 20 < padded) return 0;
      b.data = {p + 20, b.captured};
      p += 20 + padded;
      break;
    }
    default:
      b.data = {p, body};
      b.size_again = get<std::uint32_t>(end);
      return b.size_again == b.size ? b.size : 0;
  }
  const std::ptrdiff_t n = count_options(p, end);
  if (n < 0) return 0;
  b.options = {p, end};
  b.option_count = static_cast<std::size_t>(n);
  b.size_again = get<std::uint32_t>(end);
  return b.size_again == b.size ? b.size : 0;
}

}  // namespace

bool pcapng::sum_up(std::span<const std::byte> file, summary& s) {
  block b{};
  while (!file.empty()) {
    const std::size_t used = decode(file, b);
    if (used == 0) return false;
    file = file.subspan(used);
    s.options += b.option_count;
    if (b.type != kind::packet) continue;
    ++s.packets;
    s.bytes += b.data.size();
  }
  return true;
}
