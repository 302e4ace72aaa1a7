// Names of registers and their parts, with the place of each in REGDUMP.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../../wire/text.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Register, or part of one: `size` bytes at byte `offset` of REGDUMP, little-endian.
struct register_name {
  wire::text name = {};
  std::uint16_t offset = 0;
  std::uint16_t size = 0;
  // Returns the index of the first REGDUMP word that holds the register.
  template <target T> [[nodiscard]] constexpr std::size_t word() const noexcept {
    return offset / sizeof(wire::word_t<T>);
  }
  // Returns the offset of the register's first byte in the REGDUMP word `word<T>()`.
  template <target T> [[nodiscard]] constexpr std::size_t byte() const noexcept {
    return offset % sizeof(wire::word_t<T>);
  }
};

// Returns all names. Registers come before their parts.
template <target T> std::span<const register_name> register_names() noexcept;

// Returns the register called `name` (in lower case), or nullopt if the target has none.
template <target T> std::optional<register_name> find_register(std::string_view name) noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/registers.ipp"
#endif
