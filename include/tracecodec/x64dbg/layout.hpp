// Layout of x64dbg trace files (.trace32, .trace64): the magic number "TRAC", a JSON header, and
// one block per instruction up to the end of the file. All numbers are little-endian, and there is
// no padding. A word has the size of a machine word of the traced program, 4 or 8 bytes.
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

// First bytes of a trace file.
struct prefix {
  std::array<char, 4> magic;
  // Size in bytes of the JSON text that follows, including NUL bytes after the JSON.
  std::uint32_t length;
};
using prefix_codec =
    wire::record<wire::in_struct_order<prefix, wire::constant<&prefix::magic, "TRAC">>>;
static_assert(wire::is_laid_out_as<prefix_codec, R"(
Offset  Size  Field
------  ----  ------
0       4     magic
4       4     length  of the JSON text in bytes, which follows; NUL bytes may end it
)">);

// Number of words in REGDUMP. All positions of register words are below this number. A block that
// stores all words is a snapshot.
template <target T> inline constexpr std::uint8_t register_words = T == target::x86 ? 216 : 172;

// Types of blocks. The types from 1 to 0x7F are invalid.
inline constexpr std::uint8_t instruction_type = 0;
inline constexpr std::uint8_t first_user_type = 0x80, last_user_type = 0xFF;

// Block of a trace. An instruction block stores the registers before the instruction. A user block
// belongs to a plug-in and may occur anywhere between other blocks.
template <target T> struct block {
  using word = wire::scalar<wire::word_t<T>, wire::order::little>;
  std::uint8_t type{};
  // Members of an instruction block:
  std::uint8_t registers{};    // number of register words in the block
  std::uint8_t accesses{};     // number of memory accesses in the block
  bool has_thread{};           // most significant bit of the fourth byte
  std::uint8_t reserved{};     // 3 bits, 0 in sound traces
  std::uint8_t opcode_size{};  // 4 bits
  // Thread id. If has_thread is false, the block does not store a thread id, because it belongs to
  // the thread of the previous block.
  std::uint32_t thread{};
  wire::array_view<wire::u8> opcode;
  // Positions of the register words. The first position is absolute. Each further position is the
  // number of words that were skipped after the previous register word.
  wire::array_view<wire::u8> positions;
  wire::array_view<word> values;
  wire::array_view<wire::u8> access_flags;  // bit 0 is set if memory was unchanged
  wire::array_view<word> addresses;
  wire::array_view<word> old_values;
  wire::array_view<word> new_values;  // one value for each access with a clear bit 0
  // Members of a user block:
  std::uint32_t size{};
  wire::array_view<wire::u8> data;

  // Returns the number of accesses that changed memory. access_flags must already be decoded. The
  // result is a byte, like `accesses`, so that the compiler can determine the maximum size of a
  // block.
  [[nodiscard]] TRACECODEC_INLINE constexpr std::uint8_t changed() const noexcept {
    std::size_t n = access_flags.size();
    if (n == 0) return 0;
    // The loop is not vectorised, because most instructions access at most one word.
    const std::size_t all = n;
    n -= access_flags[0] & 1U;
#ifdef __clang__
#pragma clang loop vectorize(disable) unroll(disable)
#endif
    for (std::size_t i = 1; i < all; ++i) n -= access_flags[i] & 1U;
    return static_cast<std::uint8_t>(n);
  }
  // Returns true if the block stores every register word. Readers can start at such a block.
  [[nodiscard]] constexpr bool snapshot() const noexcept { return registers == register_words<T>; }
};

// Codec of both kinds of blocks. `type` determines which members follow.
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

// Codec of instruction blocks, for callers that have already checked the type.
template <target T> using block_codec = wire::chosen<any_block_codec<T>, instruction_type>;
static_assert(wire::is_laid_out_as<block_codec<target::x64>, R"(
Offset  Size             Field
------  ---------------  ------------
0       1                type          0
1       1                registers     register words stored
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

// Returns true if `type` is the type of a user block.
constexpr bool is_user_type(std::uint8_t type) noexcept { return type >= first_user_type; }

// Maximum number of accesses that x64dbg records for one instruction. x64dbg drops any further
// accesses.
inline constexpr std::size_t largest_accesses = 32;
inline constexpr std::size_t largest_opcode = 15;

// Maximum size of an instruction block in bytes. The first 4 bytes end with the opcode size. The
// thread id takes 4 bytes, and the opcode 15 bytes. The largest block has 255 registers and 255
// accesses with changed values.
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
