// Lines of Valgrind's tool Lackey with --trace-mem=yes: instructions, each followed by its memory
// accesses.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "../feed/listed.hpp"
#include "../file/describe.hpp"
#include "../wire/items/number_text.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/constant.hpp"
#include "../wire/rules/when.hpp"

namespace tracecodec::lackey {

// Line such as "I  04001000,3", " L 1ffeffe8,8", " S 1ffeffe8,8" or " M 0421c7f0,4". Lines of Valgrind
// itself begin with "==" or "--".
struct line {
  std::array<char, 2> kind;
  std::uint64_t first;  // address of the first byte
  std::uint32_t bytes;
  wire::array_view<wire::character> note;  // text of a line of Valgrind

  [[nodiscard]] constexpr bool is_listed() const noexcept {
    return listed() != feed::listing::other;
  }
  [[nodiscard]] constexpr bool is_note() const noexcept { return !is_listed(); }
  [[nodiscard]] constexpr feed::listing listed() const noexcept {
    using enum feed::listing;
    if (kind[0] == 'I') return instruction;
    if (kind[0] != ' ') return other;
    return kind[1] == 'L' ? read : kind[1] == 'S' ? write : modify;
  }
  [[nodiscard]] constexpr std::uint64_t address() const noexcept { return first; }
  [[nodiscard]] constexpr std::uint32_t size() const noexcept { return bytes; }
};
using line_codec = wire::record<wire::in_struct_order<
    line, wire::one_of<&line::kind, "I ", " L", " S", " M", "==", "--">,
    wire::when<&line::is_listed, wire::number_text<&line::first, wire::number_form{16, 8, 1}>,
               wire::literal<",">, wire::number_text<&line::bytes>, wire::literal<"\n">>,
    wire::when<&line::is_note, wire::terminated<&line::note, '\n'>>>>;

using trace_file =
    file::of<"Lackey trace",
             file::records<line_codec, file::each<"line">, file::lines<4, &line::is_listed>>>;
using trace_feed = feed::listed_feed<trace_file>;

// Calls write(line) for the lines of an instruction. A read and a write of the same bytes become one
// modification. Unknown lengths and sizes become 1. Accesses without an instruction have ip 0.
template <class Accesses, class Write>
void write_instruction(std::uint64_t ip, std::uint32_t length, const Accesses& all, Write&& write) {
  const auto one = [](std::uint32_t n) { return n != 0 ? n : 1; };
  if (ip != 0) write(line{{'I', ' '}, ip, one(length), {}});
  // Bit n stands for access number n: a read that a write follows, and that write.
  std::uint64_t modified = 0, left_out = 0;
  const auto bit = [](std::size_t n) { return std::uint64_t{1} << n; };
  for (std::size_t n = 0; n != all.size() && n != 64; ++n)
    for (std::size_t i = n; all[n].write && i-- != 0;)
      if (!all[i].write && all[i].address == all[n].address && all[i].size == all[n].size &&
          (modified & bit(i)) == 0) {
        modified |= bit(i);
        left_out |= bit(n);
        break;
      }
  for (std::size_t n = 0; n != all.size(); ++n) {
    const auto is_in = [&](std::uint64_t set) { return n < 64 && (set & bit(n)) != 0; };
    const char kind = is_in(modified) ? 'M' : all[n].write ? 'S' : 'L';
    if (!is_in(left_out)) write(line{{' ', kind}, all[n].address, one(all[n].size), {}});
  }
}

}  // namespace tracecodec::lackey
