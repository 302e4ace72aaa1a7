// Insert-only set of 64-bit numbers, used to count distinct addresses.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace examples {

class number_set {
  struct ignored {
    void operator()(std::uint64_t /*v*/) const {}
  };

 public:
  number_set();
  number_set(number_set&&) noexcept;
  number_set& operator=(number_set&&) noexcept;
  ~number_set();

  void insert(std::uint64_t v) { insert(std::span(&v, 1)); }
  // Inserts the numbers in `all`, each shifted right by `shift`. Calls is_new(v) for each shifted
  // number `v` that the set did not contain.
  template <class IsNew = ignored>
  void insert(std::span<const std::uint64_t> all, unsigned shift = 0, IsNew is_new = {}) {
    for (const std::uint64_t one : all) {
      const std::uint64_t v = one >> shift;
      std::uint64_t& recent =
          recent_[static_cast<std::size_t>(v * 0x9E3779B97F4A7C15 >> (64 - recent_bits))];
      if (recent == v && v != 0) continue;
      recent = v;
      if (add(v)) is_new(v);
    }
  }
  [[nodiscard]] std::uint64_t size() const;

 private:
  struct numbers;
  // Inserts `v`. Returns true if the set did not contain `v`.
  bool add(std::uint64_t v);

  std::unique_ptr<numbers> numbers_;
  // Cache of recently inserted numbers, indexed by hash. Traces often revisit recent addresses, and
  // a cache hit avoids a lookup in the whole set.
  static constexpr unsigned recent_bits = 10;
  std::array<std::uint64_t, std::size_t{1} << recent_bits> recent_ = {};
};

}  // namespace examples
