// Where events happen and what they touch, as addresses: a choice of this library, since RapidBin
// has numbers only. With metadata they are those of the WebAssembly program.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "../layout.hpp"
#include "../metadata.hpp"

namespace tracecodec::rapidbin {

class address_map {
 public:
  // Synthetic addresses.
  address_map() = default;
  // Those of the metadata; synthetic ones for what it does not have.
  explicit address_map(metadata names) : names_(std::move(names)) {}

  [[nodiscard]] const std::optional<metadata>& names() const noexcept { return names_; }

  // The address of the instruction at `location`: function f, instruction i of it are at
  // (f + 1) * 2^32 + (64 * f + 4 * i) mod 2^32, so that functions lie apart without all falling on
  // the same lines of a cache. Without metadata 4 MiB + 4 * location.
  [[nodiscard]] std::uint64_t ip(std::uint32_t location) const noexcept {
    if (names_)
      if (const code_location* l = names_->locations.find(location)) return ip(*l);
    return synthetic_code + std::uint64_t{4} * location;
  }
  [[nodiscard]] static constexpr std::uint64_t ip(const code_location& l) noexcept {
    return (std::uint64_t{l.function} + 1) << 32 |
           ((std::uint64_t{64} * l.function + std::uint64_t{4} * l.instruction) & 0xFFFF'FFFF);
  }

  // True if `address` may be one that ip() returns, of a function with fewer than 2^24 instructions.
  [[nodiscard]] static constexpr bool may_be_ip(std::uint64_t address) noexcept {
    if (address % 4 != 0) return false;
    if (address >> 32 == 0)
      return address >= synthetic_code &&
             address - synthetic_code <= std::uint64_t{4} * largest_location;
    const std::uint64_t function = (address >> 32) - 1;
    return ((address - std::uint64_t{64} * function) & 0xFFFF'FFFF) < std::uint64_t{4} << 24;
  }

  // True if an event at `ip` may touch `operand`, 0 for none: a synthetic variable or lock, or an address of the
  // program. An operand that may be an ip of the same kind is rather the next word of a table.
  [[nodiscard]] static constexpr bool may_be_event(std::uint64_t ip,
                                                   std::uint64_t operand) noexcept {
    if (!may_be_ip(ip)) return false;
    if (operand >= synthetic_locks) return is_nth(operand - synthetic_locks, bytes_of_lock);
    if (operand >= synthetic_data) return is_nth(operand - synthetic_data, bytes_of_variable);
    const bool named_location = ip >> 32 != 0, of_32_bits = operand >> 32 == 0;
    return (named_location && of_32_bits) || !may_be_ip(operand);
  }

  // The first byte of a variable: without metadata 2^44 + 8 * variable.
  [[nodiscard]] std::uint64_t variable(std::uint64_t id) const noexcept {
    if (const memory_location* m = named(id)) return m->address;
    return synthetic_data + bytes_of_variable * id;
  }
  // Its bytes; 0 if unknown.
  [[nodiscard]] std::uint64_t width(std::uint64_t variable) const noexcept {
    const memory_location* m = named(variable);
    return m != nullptr ? m->access_width : 0;
  }

  // The address of a lock, which is its id in the WebAssembly program: without metadata
  // 2^45 + 64 * lock, each on a cache line of its own.
  [[nodiscard]] std::uint64_t lock(std::uint64_t id) const noexcept {
    if (names_)
      if (const std::uint64_t* address = names_->locks.find(id)) return *address;
    return synthetic_locks + bytes_of_lock * id;
  }

  // Of what an event is about, the address of the variable or the lock; 0 if it is neither.
  [[nodiscard]] TRACECODEC_INLINE std::uint64_t operand_of(operation o,
                                                           std::uint64_t decor) const noexcept {
    // Which operation is next is hard to foresee: without names there is no branch for it.
    if (!names_) [[likely]] {
      const synthetic_place p =
          defined(o) ? synthetic_places[static_cast<std::size_t>(o)] : synthetic_place{};
      return p.begin + p.bytes * decor;
    }
    switch (rapidbin::operand_of(o)) {
      case operand::variable:
        return variable(decor);
      case operand::lock:
        return lock(decor);
      default:
        return 0;
    }
  }

 private:
  static constexpr std::uint64_t synthetic_code = std::uint64_t{1} << 22;
  static constexpr std::uint64_t synthetic_data = std::uint64_t{1} << 44;
  static constexpr std::uint64_t synthetic_locks = std::uint64_t{1} << 45;
  static constexpr std::uint64_t bytes_of_variable = 8, bytes_of_lock = 64;

  // True if `offset` is that of a number that an event can have, of things of `bytes` each.
  [[nodiscard]] static constexpr bool is_nth(std::uint64_t offset, std::uint64_t bytes) noexcept {
    return offset % bytes == 0 && offset / bytes <= largest_decor;
  }

  // Where the operands of an operation begin, and how far they are apart.
  struct synthetic_place {
    std::uint64_t begin, bytes;
  };
  static constexpr std::array<synthetic_place, operation_count> synthetic_places = [] {
    std::array<synthetic_place, operation_count> all{};
    for (std::size_t n = 0; n != all.size(); ++n) {
      const operand what = rapidbin::operand_of(static_cast<operation>(n));
      if (what == operand::variable) all[n] = {synthetic_data, bytes_of_variable};
      if (what == operand::lock) all[n] = {synthetic_locks, bytes_of_lock};
    }
    return all;
  }();

  [[nodiscard]] const memory_location* named(std::uint64_t id) const noexcept {
    return names_ ? names_->memory.find(id) : nullptr;
  }

  std::optional<metadata> names_ = {};
};

}  // namespace tracecodec::rapidbin
