// Lines of Dinero's traditional input format, which is called "din": memory accesses of a program.
#pragma once
#include <cstdint>

#include "../feed/listed.hpp"
#include "../file/describe.hpp"
#include "../wire/items/number_text.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/constant.hpp"

namespace tracecodec::dinero {

// Labels of lines, which state their meaning. An escape has none, and a flush empties the cache.
inline constexpr std::uint8_t read = 0, write = 1, fetch = 2, escape = 3, flush = 4;

// Line such as "0 7ffe0010". Text after the address has no meaning.
struct line {
  std::uint8_t label;
  std::uint64_t first;
  wire::array_view<wire::character> more;

  [[nodiscard]] constexpr feed::listing listed() const noexcept {
    using feed::listing;
    if (label == fetch) return listing::instruction;
    return label == read ? listing::read : label == write ? listing::write : listing::other;
  }
  [[nodiscard]] constexpr std::uint64_t address() const noexcept { return first; }
  [[nodiscard]] constexpr std::uint32_t size() const noexcept { return 0; }
  // Returns true for an access that no list of small numbers contains. Used for recognition.
  [[nodiscard]] constexpr bool is_plausible() const noexcept {
    return label <= fetch && first >= 0x1000;
  }
};
using line_codec = wire::record<
    wire::in_struct_order<line,
                          wire::in_range<&line::label, read, flush,
                                         wire::number_text_of<std::uint8_t, wire::number_form{}>>,
                          wire::number_text<&line::first, wire::number_form{16, 1, 1}>,
                          wire::terminated<&line::more, '\n'>>>;

using trace_file =
    file::of<"Dinero trace",
             file::records<line_codec, file::each<"line">, file::lines<4, &line::is_plausible>>>;
using trace_feed = feed::listed_feed<trace_file>;

// Calls to(line) for the lines of an instruction. Accesses without an instruction have ip 0.
template <class Accesses, class Sink>
void write_instruction(std::uint64_t ip, const Accesses& all, Sink&& to) {
  if (ip != 0) to(line{fetch, ip, {}});
  for (const auto& a : all) to(line{a.write ? write : read, a.address, {}});
}

}  // namespace tracecodec::dinero
