// Converts traces that have other numbers than ChampSim for the instruction pointer, the stack
// pointer and the flags. The result has ChampSim's register numbers.
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

  // Returns the table that maps the trace's numbers to ChampSim's numbers. The table exchanges
  // numbers, so that no two registers have the same number. For example, if the ip is 35, the table
  // maps 35 to 26 and 26 to 35. 0 marks an unused slot and remains 0.
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

// Parses a string such as "ip=35,sp=7,flags=34". Each name may occur at most once, and the order is
// arbitrary. A register that is not specified has ChampSim's number. Returns nullopt for any other
// string, for numbers outside 1 to 255, and if two registers would have the same number.
TRACECODEC_FUNC std::optional<register_numbers> parse_register_numbers(std::string_view text);

// Returns the records of `in` with `numbers` replaced by ChampSim's numbers. `cloudsuite` is true
// for CloudSuite's records, and false for standard records. The result can be rewound if `in` can
// be rewound. Reading the result throws the errors of `in`.
TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             bool cloudsuite);

// Returns true if the registers of records with the table `t` can be renumbered. Each register must
// be stored in one byte.
TRACECODEC_FUNC bool has_byte_registers(const file::record_table& t) noexcept;
// Renumbers the registers of a file of records with the table `t`. Throws trace_error(refused)
// unless has_byte_registers(t) is true.
TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             const file::record_table& t);

}  // namespace tracecodec::champsim

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::champsim::register_numbers> =
    true;

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/register_numbers.ipp"
#endif
