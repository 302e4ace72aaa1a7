// Decodes the same records with Boost.Endian types laid over the bytes.
#pragma once
#include <boost/endian/arithmetic.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tracecodec/umtracer/layout/instruction.hpp>

#include "../instructions/formats.hpp"

namespace overlays {

namespace endian = boost::endian;
using bytes_in = std::span<const std::byte>;

// Returns the bytes as an overlay object. The optimised copy costs nothing, and avoids a cast with
// undefined behaviour.
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
struct cloudsuite_overlay {
  using Word = endian::little_uint64_t;
  Word ip;
  std::uint8_t is_branch, branch_taken, destination_registers[4], source_registers[4], unused[6];
  Word destination_memory[4], source_memory[4];
  std::uint8_t asid[2], unused_too[6];
};

template <class Record, class Overlay> struct champsim_of {
  using value_type = Record;
  static_assert(sizeof(Overlay) == tracecodec::champsim::codec_of<Record>::size);
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < sizeof(Overlay)) [[unlikely]]
      return 0;
    const auto o = over<Overlay>(in);
    s.ip = o.ip;
    s.is_branch = o.is_branch;
    s.branch_taken = o.branch_taken;
    const auto each = [](const auto& from, auto& to) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
    };
    each(o.destination_registers, s.destination_registers);
    each(o.source_registers, s.source_registers);
    each(o.destination_memory, s.destination_memory);
    each(o.source_memory, s.source_memory);
    if constexpr (requires { o.asid; }) each(o.asid, s.asid);
    return sizeof o;
  }
};
using champsim =
    champsim_of<formats::champsim::instruction, champsim_overlay<endian::little_uint64_t>>;
using big_champsim =
    champsim_of<formats::champsim::instruction, champsim_overlay<endian::big_uint64_t>>;
using cloudsuite = champsim_of<formats::champsim::cloudsuite_instruction, cloudsuite_overlay>;

struct slot {
  using value_type = tracecodec::umtracer::slot;
  struct overlay {
    endian::little_uint16_t name, common_name, value_size, offset;
    std::uint8_t address_width, unused[3];
  };
  static_assert(sizeof(overlay) == tracecodec::umtracer::slot_codec::size);
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < sizeof(overlay)) [[unlikely]]
      return 0;
    const auto o = over<overlay>(in);
    s = {o.name, o.common_name, o.value_size, o.offset, o.address_width};
    return sizeof o;
  }
};

// Boost.Endian has no bit slices, so the overlay is the word, and the user writes the shifts.
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
