// Output buffer in front of a sink. It checks its capacity once per value, not once per character.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "../wire/types/bytes.hpp"

namespace tracecodec::rows {

// Buffer of characters. It grows only for a row that is longer than all previous rows, so most rows
// need no allocation.
class buffer {
 public:
  buffer() = default;
  // Moves the content out of `other`, which is then empty and can be used again.
  buffer(buffer&& other) noexcept
      : all_(std::exchange(other.all_, nullptr)),
        at_(std::exchange(other.at_, nullptr)),
        end_(std::exchange(other.end_, nullptr)) {}
  buffer& operator=(buffer&& other) noexcept {
    buffer taken(std::move(other));
    std::swap(all_, taken.all_);
    std::swap(at_, taken.at_);
    std::swap(end_, taken.end_);
    return *this;
  }
  ~buffer() { delete[] all_; }

  // Returns space for at least `n` characters. After writing, call used() with the end of the
  // written characters.
  TRACECODEC_INLINE char* extend(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
      grow(n);
    return at_;
  }
  TRACECODEC_INLINE void used(char* end) noexcept { at_ = end; }

  TRACECODEC_INLINE buffer& operator+=(char c) {
    *extend(1) = c;
    ++at_;
    return *this;
  }
  TRACECODEC_INLINE buffer& operator+=(std::string_view s) {
    if (s.empty()) return *this;
    std::memcpy(extend(s.size()), s.data(), s.size());
    at_ += s.size();
    return *this;
  }

  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - all_); }
  [[nodiscard]] std::string_view text() const noexcept { return {all_, size()}; }
  // Returns character `i`, which must be below size().
  [[nodiscard]] char& operator[](std::size_t i) noexcept { return all_[i]; }
  // Keeps only the first `n` characters. `n` must not exceed size().
  void truncate(std::size_t n) noexcept { at_ = all_ + n; }

 private:
  [[gnu::cold, gnu::noinline]] void grow(std::size_t n) {
    const std::size_t used = size(), capacity = static_cast<std::size_t>(end_ - all_);
    const std::size_t wanted = std::max({2 * capacity, used + n, std::size_t{128} << 10});
    char* const larger = new char[wanted];
    if (used != 0) std::memcpy(larger, all_, used);
    delete[] all_;
    all_ = larger;
    at_ = all_ + used;
    end_ = all_ + wanted;
  }

  char* all_ = nullptr;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace tracecodec::rows
