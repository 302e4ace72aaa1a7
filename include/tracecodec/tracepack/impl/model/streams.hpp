// Streams of a model frame. A stream contains bytes, bits, or numbers in unsigned LEB128.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../../../wire/types/scalar.hpp"

namespace tracecodec::tracepack::detail {

// Number of confidence classes. A predictor's confidence is from 0 to 63, and belongs to one of six
// classes. Each class has its own stream of hits and misses.
inline constexpr unsigned confidences = 6;
constexpr unsigned confidence_class(unsigned confidence) noexcept {
  return confidence > 15  ? 5
         : confidence > 7 ? 4
         : confidence > 3 ? 3
         : confidence > 1 ? 2
                          : confidence;
}
inline constexpr std::array<std::uint8_t, 64> confidence_classes = [] {
  std::array<std::uint8_t, 64> a{};
  for (unsigned i = 0; i != 64; ++i) a[i] = static_cast<std::uint8_t>(confidence_class(i));
  return a;
}();

// Functions that load and store 8 bytes in little-endian order.
inline std::uint64_t load_word(const std::byte* p) noexcept {
  return wire::scalar<std::uint64_t, wire::order::little>::load(p);
}
inline void store_word(std::uint64_t v, std::byte* p) noexcept {
  wire::scalar<std::uint64_t, wire::order::little>::store(v, p);
}

// Numbers of streams. A reader may ignore unknown streams with numbers of at least may_be_left_out.
namespace stream {
inline constexpr unsigned patterns = 0, pattern_numbers_low = 1, pattern_numbers_high = 2,
                          ip_steps = 3, ip_jumps = 4, unit_lengths = 5, unit_bodies = 6,
                          classes = 7, code_lengths = 8, code = 9;
inline constexpr unsigned unit_choices = 16, unit_numbers_low = 17, unit_numbers_middle = 18,
                          unit_numbers_high = 19;
inline constexpr unsigned address_choices = 20, address_marks = 21, address_bits = 22;
// Number of the first stream with runs of units. The streams are for repeated successors, for
// latest successors, and then six streams for each history.
inline constexpr unsigned unit_runs = 32;
// Number of the first stream with runs of addresses. The first six streams are for the first three
// lanes, and the next six streams are for the other lanes.
inline constexpr unsigned address_runs = 64;
inline constexpr unsigned may_be_left_out = 128;

// Returns true if `number` is the number of a known stream in frames with `histories` histories.
// Optional streams are not included.
constexpr bool known(unsigned number, std::size_t histories) noexcept {
  return number <= code || (number >= unit_choices && number <= address_bits) ||
         (number >= unit_runs && number < unit_runs + 2 + confidences * histories) ||
         (number >= address_runs && number < address_runs + 2 * confidences);
}
}  // namespace stream

// Stream that an encoder writes.
class stream_writer {
 public:
  void byte(unsigned value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void number(std::uint64_t value) {
    for (; value > 0x7f; value >>= 7) byte(static_cast<unsigned>(value & 0x7f) | 0x80);
    byte(static_cast<unsigned>(value));
  }
  // Appends the lowest `count` bits of `value`, starting with the lowest bit. `count` is at most
  // 64.
  void bits(std::uint64_t value, unsigned count) {
    for (; count != 0 && filled_ != 0; --count, value >>= 1) one_bit(value);
    for (; count >= 8; count -= 8, value >>= 8) byte(static_cast<unsigned>(value & 0xff));
    for (; count != 0; --count, value >>= 1) one_bit(value);
  }
  [[nodiscard]] std::span<const std::byte> all() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }

 private:
  void one_bit(std::uint64_t value) {
    if (filled_ == 0) byte(0);
    if ((value & 1) != 0) bytes_.back() |= std::byte{1} << filled_;
    filled_ = (filled_ + 1) % 8;
  }
  std::vector<std::byte> bytes_ = {};
  unsigned filled_ = 0;  // number of bits used in the last byte; 0 if all are used
};

// Stream that a decoder reads. After the end of the stream, all values are zeros, and failed()
// returns true.
class stream_reader {
 public:
  stream_reader() = default;
  explicit stream_reader(std::span<const std::byte> bytes) noexcept
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint8_t byte() noexcept {
    if (at_ == end_) [[unlikely]] {
      failed_ = true;
      return 0;
    }
    return std::to_integer<std::uint8_t>(*at_++);
  }
  // Reads a LEB128 number. The stream fails if the number has more than 64 bits.
  std::uint64_t number() noexcept {
    std::uint64_t value = byte();
    if (value < 0x80) return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
      const std::uint64_t b = byte();
      if (shift == 63 && b > 1) {
        failed_ = true;
        return 0;
      }
      value |= (b & 0x7f) << shift;
      if (b < 0x80) return value;
    }
  }
  std::uint64_t bits(unsigned count) noexcept {
    std::uint64_t value = 0;
    for (unsigned got = 0; got != count;) {
      if (left_ == 0) {
        held_ = byte();
        left_ = 8;
      }
      const unsigned n = count - got < left_ ? count - got : left_;
      value |= (std::uint64_t{held_} & ((1U << n) - 1)) << got;
      held_ = static_cast<std::uint8_t>(held_ >> n);
      left_ -= n;
      got += n;
    }
    return value;
  }
  [[nodiscard]] bool at_end() const noexcept { return at_ == end_; }
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] std::span<const std::byte> all() const noexcept { return {at_, end_}; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  bool failed_ = false;
  std::uint8_t held_ = 0;
  unsigned left_ = 0;  // number of bits left in held_
};

// Writer of the hits and misses of predictions. The writer stores the number of hits before each
// miss. A reader treats all predictions after the end of the stream as hits.
class run_writer {
 public:
  bool hit(bool right) {
    if (right) {
      ++length_;
    } else {
      to_.number(length_);
      length_ = 0;
    }
    return right;
  }
  [[nodiscard]] const stream_writer& stream() const& noexcept { return to_; }
  [[nodiscard]] stream_writer&& stream() && noexcept { return std::move(to_); }

 private:
  std::uint64_t length_ = 0;
  stream_writer to_ = {};
};
class run_reader {
 public:
  run_reader() = default;
  explicit run_reader(stream_reader from) noexcept : from_(from) { next(); }
  [[gnu::always_inline]] bool hit(bool /*unknown*/) noexcept {
    if (length_ != 0) [[likely]] {
      --length_;
      return true;
    }
    next();
    return false;
  }
  // Returns the number of remaining hits in the run. A caller that counts hits itself must update
  // this number with set_length().
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  void set_length(std::uint64_t n) noexcept { length_ = n; }
  [[nodiscard]] bool failed() const noexcept { return from_.failed(); }

 private:
  void next() noexcept {
    length_ = from_.at_end() ? std::numeric_limits<std::uint64_t>::max() : from_.number();
  }
  std::uint64_t length_ = std::numeric_limits<std::uint64_t>::max();
  stream_reader from_ = {};
};

}  // namespace tracecodec::tracepack::detail
