// x64dbg trace files (.trace32, .trace64): "TRAC", a JSON header, then one block an instruction to
// the end of the file. Little-endian, packed. The word is the traced program's: 4 or 8 bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "../wire/layout/laid_out_as.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/chosen.hpp"
#include "../wire/rules/constant.hpp"
#include "../wire/types/view.hpp"

namespace tracecodec::x64dbg {

using wire::target;

// The file's first bytes.
struct prefix {
  std::array<char, 4> magic;
  std::uint32_t length;  // of the JSON text in bytes, which follows; NUL bytes may end it
};
using prefix_codec = wire::record<
    wire::fields<wire::constant<&prefix::magic, "TRAC">, wire::field<&prefix::length>>>;
static_assert(wire::is_laid_out_as<prefix_codec, R"(
Offset  Size  Field
------  ----  ------
0       4     magic
4       4     length  of the JSON text in bytes, which follows; NUL bytes may end it
)">);

// How many words REGDUMP has: positions are below it, and a block that gives as many is a snapshot.
template <target T> inline constexpr std::uint8_t register_words = T == target::x86 ? 216 : 172;

// What a block is, by its type. No block has one from 1 up to 0x7F.
inline constexpr std::uint8_t instruction_type = 0;
inline constexpr std::uint8_t first_user_type = 0x80, last_user_type = 0xFF;

// A block: an instruction, whose register values are the state before it; or a plug-in's own, which
// may stand anywhere.
template <target T> struct block {
  using word = wire::scalar<wire::word_t<T>, wire::order::little>;
  std::uint8_t type{};
  // Of an instruction:
  std::uint8_t registers{};    // register words given
  std::uint8_t accesses{};     // memory words accessed
  bool has_thread{};           // the most significant bit of the fourth byte
  std::uint8_t reserved{};     // 3 bits, 0
  std::uint8_t opcode_size{};  // 4 bits
  std::uint32_t thread{};      // if has_thread; else as the block before
  wire::array_view<wire::u8> opcode;
  // Relative: the first absolute, each further one from the one before, + 1.
  wire::array_view<wire::u8> positions;
  wire::array_view<word> values;
  wire::array_view<wire::u8> access_flags;  // bit 0: the memory was not changed
  wire::array_view<word> addresses;
  wire::array_view<word> old_values;
  wire::array_view<word> new_values;  // one for each access whose bit 0 is clear
  // Of a user block:
  std::uint32_t size{};
  wire::array_view<wire::u8> data;

  // How many accesses changed memory. The flags must have been read. (A byte, as `accesses` is, so
  // that the compiler knows how long a block can be.)
  [[nodiscard]] TRACECODEC_INLINE constexpr std::uint8_t changed() const noexcept {
    std::size_t n = access_flags.size();
    if (n == 0) return 0;
    // Most instructions access nothing or one word: what prepares a loop costs more than it gains.
    const std::size_t all = n;
    n -= access_flags[0] & 1U;
#ifdef __clang__
#pragma clang loop vectorize(disable) unroll(disable)
#endif
    for (std::size_t i = 1; i < all; ++i) n -= access_flags[i] & 1U;
    return static_cast<std::uint8_t>(n);
  }
  // Whether every register is given, so that reading can begin here.
  [[nodiscard]] constexpr bool snapshot() const noexcept { return registers == register_words<T>; }
};

// It is described once, as it follows from its type.
template <target T, class B = block<T>> using any_block_codec = wire::record<
    wire::fields<
        wire::field<&B::type>,
        wire::choice<
            &B::type,
            wire::on<instruction_type, wire::field<&B::registers>, wire::field<&B::accesses>,
                     wire::bit_slices<std::uint8_t, wire::bits<&B::has_thread, 1>,
                                      wire::bits<&B::reserved, 3>, wire::bits<&B::opcode_size, 4>>,
                     wire::when<&B::has_thread, wire::field<&B::thread>>,
                     wire::counted<&B::opcode, &B::opcode_size>,
                     wire::counted<&B::positions, &B::registers>,
                     wire::counted<&B::values, &B::registers>,
                     wire::counted<&B::access_flags, &B::accesses>,
                     wire::counted<&B::addresses, &B::accesses>,
                     wire::counted<&B::old_values, &B::accesses>,
                     wire::counted<&B::new_values, &B::changed>>,
            wire::on_range<first_user_type, last_user_type, wire::field<&B::size>,
                           wire::counted<&B::data, &B::size>>>>,
    wire::order::little, wire::placement::packed, T>;

// The same for who knows which of the two it is.
template <target T> using block_codec = wire::chosen<any_block_codec<T>, instruction_type>;
static_assert(wire::is_laid_out_as<block_codec<target::x64>, R"(
Offset  Size             Field
------  ---------------  ------------
0       1                type          0
1       1                registers     register words given
2       1                accesses      memory words accessed
3       1 bit            has_thread    the most significant
3       3 bits           reserved      0
3       4 bits           opcode_size
4       0 or 4           thread        if has_thread; else as the block before
varies  1 x opcode_size  opcode
varies  1 x registers    positions     relative: the first absolute, each further one from the one
                                       before, + 1
varies  8 x registers    values
varies  1 x accesses     access_flags  bit 0: the memory was not changed
varies  8 x accesses     addresses
varies  8 x accesses     old_values
varies  8 x computed     new_values    one for each access whose bit 0 is clear
)">);
template <target T> using user_block_codec = wire::chosen<any_block_codec<T>, first_user_type>;
static_assert(wire::is_laid_out_as<user_block_codec<target::x64>, R"(
Offset  Size      Field
------  --------  -----
0       1         type  0x80 to 0xFF
1       4         size
5       1 x size  data
)">);

// Whether a block of that type is a user block.
constexpr bool is_user_type(std::uint8_t type) noexcept { return type >= first_user_type; }

// x64dbg records no more of one instruction; the rest is dropped.
inline constexpr std::size_t largest_accesses = 32;
inline constexpr std::size_t largest_opcode = 15;

// No instruction block has more bytes: 4 up to the opcode's size, 4 of a thread id, 15 of opcode, 255
// register words, 255 changed accesses.
template <target T>
inline constexpr std::size_t largest_block = 4 + sizeof block<T>{}.thread + largest_opcode +
                                             255 * (2 + 4 * sizeof(wire::word_t<T>));

static_assert([] {
  for (unsigned type = 0; type <= 0xFF; ++type)
    if (wire::tag_has<any_block_codec<target::x64>, &block<target::x64>::size>(
            static_cast<std::uint8_t>(type)) != is_user_type(static_cast<std::uint8_t>(type)))
      return false;
  return true;
}());
static_assert(block_codec<target::x64>::front_size == 4 &&
              block_codec<target::x86>::front_size == 4);
static_assert(largest_block<target::x64> == 8693);

}  // namespace tracecodec::x64dbg
