// Names of Arm registers in each instruction set, and the parts of registers that they stand for.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "../config.hpp"
#include "../feed/recorded_state.hpp"
#include "registers.hpp"

namespace tracecodec::arm {

enum class instruction_set : std::uint8_t { a32, t32, a64 };

// Returns the register called `name` in code of `set`, ignoring case, as a part of the registers of
// registers.hpp: w0 and r0 are parts of x0, and d0 is a part of v0. In 32-bit code, d0 and d1 are the
// parts of q0. Banked registers such as r13_svc, SP_EL3 and LR_SVC are the registers without a suffix.
// Returns nullopt for system registers and other names. Registers z0 to z31 have 16 bytes here.
TRACECODEC_FUNC std::optional<feed::register_part> find_part(std::string_view name,
                                                             instruction_set set) noexcept;
// Returns the register or part in A64 code.
inline std::optional<feed::register_part> find_part_64(std::string_view name) noexcept {
  return find_part(name, instruction_set::a64);
}
// Returns the index of the whole register called `name` in A64 code, such as x0 or v31, or nullopt.
TRACECODEC_FUNC std::optional<std::uint8_t> find_register(std::string_view name) noexcept;

// Registers of registers.hpp as words: x0 to x30, sp, the flags, and both halves of v0 to v31.
inline constexpr std::size_t word_count = 31 + 2 + 2 * 32;
TRACECODEC_FUNC const feed::register_set& registers() noexcept;

}  // namespace tracecodec::arm

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/parts.ipp"
#endif
