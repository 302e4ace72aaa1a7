// Records whose instructions are counted: the library's fixed records, and two records that test
// the description language.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/drmemtrace/layout.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/wire.hpp>

namespace formats {

namespace wire = tracecodec::wire;
namespace champsim = tracecodec::champsim;

// ChampSim's record in big-endian byte order. Every field is byte-swapped, so no object has this
// layout.
using big_champsim = wire::record<champsim::instruction, wire::order::big>;
static_assert(big_champsim::size == 64 && !big_champsim::object_layout);

using rapidbin = tracecodec::rapidbin::event_codec;
struct drmemtrace : tracecodec::drmemtrace::codec<wire::target::x64> {
  using value_type = tracecodec::drmemtrace::entry<wire::target::x64>;
};

// x64dbg's block of one instruction: a header of counts, then arrays. The length of the last
// array depends on the data.
struct block {
  std::uint8_t type, registers, memories, flags;
  std::uint32_t thread;
  wire::array_view<wire::u8> opcode, register_index;
  wire::array_view<wire::u64le> register_value;
  wire::array_view<wire::u8> memory_flags;
  wire::array_view<wire::u64le> address, old_value, new_value;

  constexpr bool has_thread() const noexcept { return (flags & 0x80) != 0; }
  constexpr unsigned opcode_size() const noexcept { return flags & 0x0FU; }
  constexpr std::uint32_t changed() const noexcept {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < memory_flags.size(); ++i) n += (memory_flags[i] & 1) == 0;
    return n;
  }
};
using x64dbg = wire::record<
    wire::fields<wire::section<wire::field<&block::type>, wire::field<&block::registers>,
                               wire::field<&block::memories>, wire::field<&block::flags>>,
                 wire::section<wire::when<&block::has_thread, wire::field<&block::thread>>,
                               wire::counted<&block::opcode, &block::opcode_size>,
                               wire::counted<&block::register_index, &block::registers>,
                               wire::counted<&block::register_value, &block::registers>,
                               wire::counted<&block::memory_flags, &block::memories>,
                               wire::counted<&block::address, &block::memories>,
                               wire::counted<&block::old_value, &block::memories>>,
                 wire::section<wire::counted<&block::new_value, &block::changed>>>>;

}  // namespace formats
