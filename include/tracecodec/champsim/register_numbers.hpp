// Register numbers of traces that differ from ChampSim's: the numbers of instruction pointer,
// stack pointer and flags, and a conversion of records to ChampSim's numbers.
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

// Numbers of the instruction pointer, the stack pointer and the flags in a trace.
struct register_numbers {
  std::uint8_t ip = instruction_pointer, sp = stack_pointer, flags = champsim::flags;

  // Returns the table from the trace's numbers to ChampSim's. Numbers are exchanged, so that no
  // two registers get the same number: with ip 35, 35 becomes 26 and 26 becomes 35. 0 marks an
  // unused slot and stays 0.
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

// Parses text such as "ip=35,sp=7,flags=34", with each name at most once and in any order. A
// register that is not named has ChampSim's number. Returns nullopt for anything else, for
// numbers outside 1 to 255, and if two registers would have the same number.
TRACECODEC_FUNC std::optional<register_numbers> parse_register_numbers(std::string_view text);

// Returns the records of `in` with `numbers` replaced by ChampSim's numbers. The records are
// CloudSuite's if `cloudsuite` is true, otherwise standard records. The result can be rewound
// if `in` can be; reading it throws the errors of `in`.
TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             bool cloudsuite);

// Returns true if the registers of records described by `t` can be renumbered: each must be one
// byte.
TRACECODEC_FUNC bool has_byte_registers(const file::record_table& t) noexcept;
// Renumbers the registers of a file with records described by `t`. Throws trace_error(refused)
// unless has_byte_registers(t).
TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             const file::record_table& t);

}  // namespace tracecodec::champsim

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::champsim::register_numbers> =
    true;

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/register_numbers.ipp"
#endif
