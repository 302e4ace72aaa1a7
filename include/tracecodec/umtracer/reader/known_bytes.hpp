// Bytes of registers or memory at a given moment. Bytes that the trace does not determine are
// unknown.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../config.hpp"

namespace tracecodec::umtracer {

// Byte of a register or of memory. If `known` is false, the other members have no meaning.
struct known_byte {
  std::uint64_t record = 0;  // id of the record that contains the value
  std::byte value = {};
  bool known = false;
  friend constexpr bool operator==(const known_byte&, const known_byte&) = default;
};

// Moment to which a query refers: just before or just after a record. Input values of a record are
// valid before the record. Result values are valid after the record.
enum class moment : std::uint8_t { before, after };

namespace detail {
// Bytes that are settled one by one. A byte is settled by the latest record that either contains
// the byte or makes it unknown. Earlier records do not change a settled byte. Visit the records
// from the last to the first.
class settled_bytes {
 public:
  explicit settled_bytes(std::size_t n) : bytes_(n), settled_(n), open_(n) {}

  // Settles the bytes starting at `at` with `values`, which come from `record`. Bytes that are already
  // settled do not change. All bytes must exist.
  void set(std::size_t at, std::span<const std::byte> values, std::uint64_t record) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (settle(at + i)) bytes_[at + i] = {record, values[i], true};
  }
  // Marks the `n` bytes starting at `at` as settled and unknown. Bytes that are already settled do
  // not change. All bytes must exist.
  void hide(std::size_t at, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) settle(at + i);
  }
  void hide_all() { hide(0, bytes_.size()); }

  // Returns the number of bytes that are not settled.
  [[nodiscard]] std::size_t open() const noexcept { return open_; }
  [[nodiscard]] bool settled(std::size_t at, std::size_t n) const {
    return std::all_of(settled_.begin() + static_cast<std::ptrdiff_t>(at),
                       settled_.begin() + static_cast<std::ptrdiff_t>(at + n),
                       [](std::uint8_t s) { return s != 0; });
  }
  [[nodiscard]] const std::vector<known_byte>& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::vector<known_byte>& bytes() noexcept { return bytes_; }

 private:
  bool settle(std::size_t i) {
    if (settled_[i] != 0) return false;
    settled_[i] = 1;
    --open_;
    return true;
  }
  std::vector<known_byte> bytes_;
  std::vector<std::uint8_t> settled_;
  std::size_t open_;
};
}  // namespace detail

}  // namespace tracecodec::umtracer
