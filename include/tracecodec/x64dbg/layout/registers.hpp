// Names of registers and of their parts, with the positions in REGDUMP.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../../wire/text.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Register, or part of a register. It occupies `size` bytes from byte `offset` of REGDUMP, in
// little-endian order.
struct register_name {
  wire::text name = {};
  std::uint16_t offset = 0;
  std::uint16_t size = 0;
  // Returns the index of the first REGDUMP word that contains bytes of the register.
  template <target T> [[nodiscard]] constexpr std::size_t word() const noexcept {
    return offset / sizeof(wire::word_t<T>);
  }
  // Returns the register's byte offset within the REGDUMP word `word<T>()`.
  template <target T> [[nodiscard]] constexpr std::size_t byte() const noexcept {
    return offset % sizeof(wire::word_t<T>);
  }
};

// Returns all names. Each register precedes its parts.
template <target T> std::span<const register_name> register_names() noexcept;

// Returns the register called `name`. The name must be in lower case. Returns nullopt if the target
// does not have such a register.
template <target T> std::optional<register_name> find_register(std::string_view name) noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/registers.ipp"
#endif
