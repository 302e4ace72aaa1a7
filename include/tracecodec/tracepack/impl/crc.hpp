#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../io/checksum.hpp"

namespace tracecodec::tracepack::detail {

inline std::uint32_t crc_of(std::span<const std::byte> bytes) {
  io::crc32c sum;
  sum.update(bytes);
  return sum.value();
}

// Multiplies two polynomials over GF(2), modulo the polynomial of CRC-32C. Bit 31 is the
// coefficient of x^0.
constexpr std::uint32_t crc_product(std::uint32_t a, std::uint32_t b) noexcept {
  std::uint32_t product = 0;
  for (std::uint32_t bit = std::uint32_t{1} << 31; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = b >> 1 ^ ((b & 1) != 0 ? 0x82F63B78 : 0);
  }
  return product;
}
// Powers of x. Element n is x^(8 * 2^n), the factor for appending 2^n bytes.
inline constexpr std::array<std::uint32_t, 32> crc_powers = [] {
  std::array<std::uint32_t, 32> powers{std::uint32_t{1} << 23};
  for (std::size_t n = 1; n != powers.size(); ++n)
    powers[n] = crc_product(powers[n - 1], powers[n - 1]);
  return powers;
}();

// Returns the CRC-32C of two consecutive pieces with the CRCs `first` and `other`. The second piece
// has `second_size` bytes. If `other` is instead the CRC of both pieces together, the result is the
// CRC of the second piece.
constexpr std::uint32_t joined_crc(std::uint32_t first, std::uint32_t other,
                                   std::uint32_t second_size) noexcept {
  for (std::size_t n = 0; second_size != 0; ++n, second_size >>= 1)
    if ((second_size & 1) != 0) first = crc_product(first, crc_powers[n]);
  return first ^ other;
}

// Calculator of the CRC-32C of payloads. The payloads of an intact file do not overlap, but the
// payloads of damaged frames may overlap. For example, a malicious file may contain a header every
// 48 bytes, and each header may declare a payload of 16 MiB.
//
// To limit the time, a checksum is stored for every `step` bytes. If a payload begins in bytes that
// were already summed, its checksum is computed from the stored checksums. Each byte is summed at
// most twice, except for two steps of each payload. Memory use is at most 1 MiB.
class payload_sums {
 public:
  static constexpr std::uint32_t step = 256;  // distance in bytes between stored checksums

  // Returns the CRC of a payload of up to most_payload bytes at `offset` in the file.
  std::uint32_t of(std::uint64_t offset, std::span<const std::byte> bytes) {
    const std::uint64_t end = offset + bytes.size();
    if (offset < reached_ && offset >= first_ && bytes.size() >= 2 * std::size_t{step})
      return composed(offset, bytes);
    if (offset >= reached_) {
      first_ = offset;
      reached_ = end;
      marks_.clear();
    }
    return summed_crc(bytes);
  }
  // Clears all stored checksums. Call this function before the file is read again.
  void forget() noexcept {
    first_ = reached_ = 0;
    marks_.clear();
  }
  // Returns the number of bytes that have been summed so far.
  [[nodiscard]] std::uint64_t summed() const noexcept { return summed_; }

 private:
  // Minimum number of obsolete elements of marks_ to remove at once.
  static constexpr std::size_t dropped_at_once = std::size_t{1} << 16;

  std::uint32_t summed_crc(std::span<const std::byte> bytes) {
    summed_ += bytes.size();
    return crc_of(bytes);
  }
  std::uint32_t composed(std::uint64_t offset, std::span<const std::byte> bytes) {
    const std::uint64_t end = offset + bytes.size();
    if (marks_.empty() || last_mark() < offset) {
      first_ = offset;
      marks_.assign(1, 0);
    }
    for (std::uint64_t at = last_mark(); at + step <= end; at += step)
      marks_.push_back(
          joined_crc(marks_.back(),
                     summed_crc(bytes.subspan(static_cast<std::size_t>(at - offset), step)), step));
    reached_ = std::max(reached_, end);

    const auto first = static_cast<std::size_t>((offset - first_ + step - 1) / step);
    const auto last = static_cast<std::size_t>((end - first_) / step);
    const auto between = static_cast<std::uint32_t>((last - first) * step);
    const auto front = static_cast<std::size_t>(first_ + first * step - offset);
    const auto rest = bytes.subspan(front + between);
    const std::uint32_t middle = joined_crc(marks_[first], marks_[last], between);
    const std::uint32_t crc =
        joined_crc(joined_crc(summed_crc(bytes.first(front)), middle, between), summed_crc(rest),
                   static_cast<std::uint32_t>(rest.size()));
    if (first > dropped_at_once) {
      marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(first));
      first_ += std::uint64_t{first} * step;
    }
    return crc;
  }
  [[nodiscard]] std::uint64_t last_mark() const noexcept {
    return first_ + std::uint64_t{marks_.size() - 1} * step;
  }

  // Stored checksums. Element n is the CRC of the n * step bytes that begin at offset first_. The
  // vector is empty until a payload overlaps an earlier payload.
  std::vector<std::uint32_t> marks_ = {};
  std::uint64_t first_ = 0, reached_ = 0;
  std::uint64_t summed_ = 0;
};

}  // namespace tracecodec::tracepack::detail
