// The same records as a user of Boost.Endian would lay them over the bytes.
#pragma once
#include <boost/endian/arithmetic.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../instructions/formats.hpp"

namespace overlays {

namespace endian = boost::endian;
using bytes_in = std::span<const std::byte>;

// The overlay's bytes as an object: a copy, which costs nothing once it is optimized, instead of a
// cast that the language does not define.
template <class Overlay> Overlay over(bytes_in in) noexcept {
  Overlay o;
  std::memcpy(&o, in.data(), sizeof o);
  return o;
}

template <class Word> struct champsim_overlay {
  Word ip;
  std::uint8_t is_branch, branch_taken, destination_registers[2], source_registers[4];
  Word destination_memory[2], source_memory[4];
};

template <class Word> struct champsim_of {
  using value_type = formats::champsim::instruction;
  using overlay = champsim_overlay<Word>;
  static_assert(sizeof(overlay) == 64);
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < sizeof(overlay)) [[unlikely]]
      return 0;
    const auto o = over<overlay>(in);
    s.ip = o.ip;
    s.is_branch = o.is_branch;
    s.branch_taken = o.branch_taken;
    for (std::size_t i = 0; i < 2; ++i) s.destination_registers[i] = o.destination_registers[i];
    for (std::size_t i = 0; i < 4; ++i) s.source_registers[i] = o.source_registers[i];
    for (std::size_t i = 0; i < 2; ++i) s.destination_memory[i] = o.destination_memory[i];
    for (std::size_t i = 0; i < 4; ++i) s.source_memory[i] = o.source_memory[i];
    return sizeof o;
  }
};
using champsim = champsim_of<endian::little_uint64_t>;
using big_champsim = champsim_of<endian::big_uint64_t>;

// It has no bit slices: the word is the overlay's, the shifts are the user's.
struct rapidbin {
  using value_type = tracecodec::rapidbin::event;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 8) [[unlikely]]
      return 0;
    const std::uint64_t v = over<endian::big_uint64_t>(in);
    s.sign = v >> 63 != 0;
    s.location = static_cast<std::uint16_t>(v >> 48 & 0x7FFF);
    s.decor = v >> 14 & 0x3'FFFF'FFFF;
    s.operation = static_cast<tracecodec::rapidbin::operation>(v >> 10 & 0xF);
    s.thread = static_cast<std::uint16_t>(v & 0x3FF);
    return 8;
  }
};

}  // namespace overlays
