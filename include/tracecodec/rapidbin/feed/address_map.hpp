// Where events happen and what they touch, as addresses: a choice of this library, since RapidBin
// has numbers only. With metadata they are those of the WebAssembly program.
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
  // Synthetic addresses.
  address_map() = default;
  // Those of the metadata; synthetic ones for what it does not have.
  explicit address_map(metadata names) : names_(std::move(names)) {}

  [[nodiscard]] const std::optional<metadata>& names() const noexcept { return names_; }

  // The address of the instruction at `location`: that of feed::synthetic_addresses::ip(). Without metadata
  // 4 MiB + 4 * location.
  [[nodiscard]] std::uint64_t ip(std::uint32_t location) const noexcept {
    if (names_)
      if (const code_location* l = names_->locations.find(location)) return ip(*l);
    return synthetic::code + synthetic::bytes_of_location * location;
  }
  [[nodiscard]] static constexpr std::uint64_t ip(const code_location& l) noexcept {
    return synthetic::ip(l.function, l.instruction);
  }

  // The first byte of a variable: without metadata 2^44 + 8 * variable.
  [[nodiscard]] std::uint64_t variable(std::uint64_t id) const noexcept {
    if (const memory_location* m = named(id)) return m->address;
    return synthetic::data + synthetic::bytes_of_variable * id;
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
    return synthetic::locks + synthetic::bytes_of_lock * id;
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
  using synthetic = feed::synthetic_addresses;
  static_assert(synthetic::largest_location == largest_location);
  static_assert(synthetic::largest_operand == largest_decor);

  // Where the operands of an operation begin, and how far they are apart.
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
