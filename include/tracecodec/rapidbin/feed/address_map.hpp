// Maps locations, variables and locks to addresses. RapidBin stores only numbers, so this library
// chooses the addresses. With metadata, variables and locks have the addresses that they had in the
// WebAssembly program.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "../../feed/synthetic_addresses.hpp"
#include "../layout.hpp"
#include "../metadata.hpp"

namespace tracecodec::rapidbin {

class address_map {
 public:
  // Creates a map without metadata. All addresses are synthetic.
  address_map() = default;
  // Creates a map that uses the addresses in the metadata `names`. Ids that `names` lacks have
  // synthetic addresses.
  explicit address_map(metadata names) : names_(std::move(names)) {}

  [[nodiscard]] const std::optional<metadata>& trace_metadata() const noexcept { return names_; }

  // Returns the address of the instruction at `location`. If the metadata contains the location,
  // the address is feed::synthetic_addresses::ip() of the location's function and instruction.
  // Otherwise, the address is 4 MiB + 4 * location.
  [[nodiscard]] std::uint64_t ip(std::uint32_t location) const noexcept {
    if (names_)
      if (const code_location* l = names_->locations.find(location)) return ip(*l);
    return synthetic::code + synthetic::bytes_of_location * location;
  }
  [[nodiscard]] static constexpr std::uint64_t ip(const code_location& l) noexcept {
    return synthetic::ip(l.function, l.instruction);
  }

  // Returns the address of variable `id` from the metadata. If the metadata lacks the variable,
  // returns 2^44 + 8 * id.
  [[nodiscard]] std::uint64_t variable(std::uint64_t id) const noexcept {
    if (const memory_location* m = named(id)) return m->address;
    return synthetic::data + synthetic::bytes_of_variable * id;
  }
  // Returns the size of a variable in bytes, or 0 if the size is unknown.
  [[nodiscard]] std::uint64_t width(std::uint64_t variable) const noexcept {
    const memory_location* m = named(variable);
    return m != nullptr ? m->access_width : 0;
  }

  // Returns the address of lock `id`. For a lock in the metadata, the address is the lock's id in
  // the WebAssembly program. For any other lock, the address is 2^45 + 64 * id, so each of these
  // locks has its own cache line.
  [[nodiscard]] std::uint64_t lock(std::uint64_t id) const noexcept {
    if (names_)
      if (const std::uint64_t* address = names_->locks.find(id)) return *address;
    return synthetic::locks + synthetic::bytes_of_lock * id;
  }

  // Returns the address of the variable or lock that `decor` identifies for the operation `o`.
  // Returns 0 if the operand of `o` is neither a variable nor a lock.
  [[nodiscard]] TRACECODEC_INLINE std::uint64_t operand_of(operation o,
                                                           std::uint64_t decor) const noexcept {
    // Without metadata, use a table instead of branches, because processors rarely predict the next
    // operation correctly.
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
  using synthetic = feed::synthetic_addresses;
  static_assert(synthetic::largest_location == largest_location);
  static_assert(synthetic::largest_operand == largest_decor);

  // Addresses of an operation's operands: the address of operand 0, and the distance in bytes
  // between consecutive operands.
  struct synthetic_place {
    std::uint64_t begin, bytes;
  };
  static constexpr std::array<synthetic_place, operation_count> synthetic_places = [] {
    std::array<synthetic_place, operation_count> all{};
    for (std::size_t n = 0; n != all.size(); ++n) {
      const operand what = rapidbin::operand_of(static_cast<operation>(n));
      if (what == operand::variable) all[n] = {synthetic::data, synthetic::bytes_of_variable};
      if (what == operand::lock) all[n] = {synthetic::locks, synthetic::bytes_of_lock};
    }
    return all;
  }();

  [[nodiscard]] const memory_location* named(std::uint64_t id) const noexcept {
    return names_ ? names_->memory.find(id) : nullptr;
  }

  std::optional<metadata> names_ = {};
};

}  // namespace tracecodec::rapidbin
