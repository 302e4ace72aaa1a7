// Traces whose registers have other numbers than ChampSim's: which ones are the instruction pointer, the stack
// pointer and the flags, and their records with ChampSim's numbers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../config.hpp"
#include "../file/record_table.hpp"
#include "../format/own_option.hpp"
#include "../io/open.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// The numbers that a trace has for the registers with a meaning.
struct register_numbers {
  std::uint8_t ip = instruction_pointer, sp = stack_pointer, flags = champsim::flags;

  // ChampSim's number for each of the trace's. No two registers become one: what had the number of a register
  // with a meaning gets the number which that one had. With ip 35, 35 becomes 26 and 26 becomes 35. 0 marks an unused
  // slot and stays.
  [[nodiscard]] constexpr std::array<std::uint8_t, 256> table() const noexcept {
    std::array<std::uint8_t, 256> to{};
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::uint8_t>(i);
    const auto exchange = [&to](std::uint8_t from, std::uint8_t wanted) {
      for (std::uint8_t& other : to)
        if (other == wanted) other = to[from];
      to[from] = wanted;
    };
    exchange(ip, instruction_pointer);
    exchange(sp, stack_pointer);
    exchange(flags, champsim::flags);
    return to;
  }
  friend constexpr bool operator==(const register_numbers&, const register_numbers&) = default;
};

// Parses "ip=35,sp=7,flags=34": each name at most once, in any order; a register that is not named has ChampSim's
// number. Returns nullopt for anything else, for numbers that are not from 1 to 255, and if two registers would have
// one number.
TRACECODEC_FUNC std::optional<register_numbers> parse_register_numbers(std::string_view text);

// Returns the records of `in`, CloudSuite's or the standard ones, with ChampSim's numbers in place of `numbers`. It
// can be rewound if `in` can. Errors are those of `in`.
TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             bool cloudsuite);

// True if registers of the records that `t` describes can be renumbered: each is a byte.
TRACECODEC_FUNC bool has_byte_registers(const file::record_table& t) noexcept;
// The same of a file with records that `t` describes. Throws trace_error(refused) unless has_byte_registers(t).
TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             const file::record_table& t);

}  // namespace tracecodec::champsim

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::champsim::register_numbers> =
    true;

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/register_numbers.ipp"
#endif
