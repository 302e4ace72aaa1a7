// A set of 64-bit numbers that only grows: distinct addresses are counted.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace examples {

class number_set {
 public:
  number_set();
  number_set(number_set&&) noexcept;
  number_set& operator=(number_set&&) noexcept;
  ~number_set();

  void insert(std::uint64_t v) {
    if (v != last_ || v == 0) add(v);  // neighbours in a trace often touch the same line
  }
  void insert(std::span<const std::uint64_t> all);
  [[nodiscard]] std::uint64_t size() const;

 private:
  struct numbers;
  void add(std::uint64_t v);

  std::unique_ptr<numbers> numbers_;
  std::uint64_t last_ = 0;  // an element, if it is not 0
};

}  // namespace examples
