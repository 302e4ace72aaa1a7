// x64dbg instruction block, described for the tests from the table in docs. It is the most complex
// record of all formats.
#pragma once
#include <tracecodec/wire/record.hpp>

namespace wire_test {

namespace wire = tracecodec::wire;

template <wire::target T> struct block {
  using word = wire::scalar<wire::word_t<T>, wire::order::little>;
  std::uint8_t type{};
  std::uint8_t registers{};
  std::uint8_t accesses{};
  bool has_thread{};
  std::uint8_t reserved{};
  std::uint8_t opcode_length{};
  std::uint32_t thread{};
  wire::array_view<wire::u8> opcode{};
  wire::array_view<wire::u8> positions{};
  wire::array_view<word> values{};
  wire::array_view<wire::u8> flags{};
  wire::array_view<word> addresses{};
  wire::array_view<word> old_values{};
  wire::array_view<word> new_values{};

  // Returns the number of new values: one for each access whose bit 0 is clear.
  constexpr std::size_t changed() const {
    std::size_t n = 0;
    for (const std::uint8_t f : flags) n += (f & 1U) == 0;
    return n;
  }
};

template <wire::target T, class B = block<T>> using block_codec = wire::record<
    wire::fields<
        wire::section<
            wire::field<&B::type>, wire::field<&B::registers>, wire::field<&B::accesses>,
            wire::bit_slices<std::uint8_t, wire::bits<&B::has_thread, 1>,
                             wire::bits<&B::reserved, 3>, wire::bits<&B::opcode_length, 4>>>,
        wire::section<
            wire::when<&B::has_thread, wire::field<&B::thread>>,
            wire::counted<&B::opcode, &B::opcode_length>,
            wire::counted<&B::positions, &B::registers>, wire::counted<&B::values, &B::registers>,
            wire::counted<&B::flags, &B::accesses>, wire::counted<&B::addresses, &B::accesses>,
            wire::counted<&B::old_values, &B::accesses>>,
        wire::section<wire::counted<&B::new_values, &B::changed>>>,
    wire::order::little, wire::placement::packed, T>;

}  // namespace wire_test
