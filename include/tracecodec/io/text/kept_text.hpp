// Texts and bytes that outlive the lines from which they come.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../../config.hpp"

namespace tracecodec::io {

// Place of a text in a kept_text.
struct kept_piece {
  std::uint64_t at = 0;
  std::uint32_t size = 0;
};

// List of texts. Pieces remain valid when texts at the front are removed.
class kept_text {
 public:
  // Adds a text, which must not be in the list.
  kept_piece add(std::string_view text) {
    const kept_piece p{end(), static_cast<std::uint32_t>(text.size())};
    all_.insert(all_.end(), text.begin(), text.end());
    return p;
  }
  [[nodiscard]] std::string_view text(const kept_piece& p) const noexcept {
    if (p.size == 0) return {};
    return {all_.data() + static_cast<std::size_t>(p.at - dropped_), p.size};
  }
  [[nodiscard]] std::span<const std::byte> bytes(const kept_piece& p) const noexcept {
    return std::as_bytes(std::span<const char>(text(p)));
  }
  // Returns the characters of a piece for changes.
  [[nodiscard]] std::span<char> at(const kept_piece& p) noexcept {
    return {all_.data() + static_cast<std::size_t>(p.at - dropped_), p.size};
  }
  // Returns the place of the next text.
  [[nodiscard]] std::uint64_t end() const noexcept { return dropped_ + all_.size(); }
  // Removes the texts before `at`.
  void drop(std::uint64_t at) {
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(at - dropped_));
    dropped_ = at;
  }

 private:
  std::vector<char> all_ = {};
  std::uint64_t dropped_ = 0;
};

}  // namespace tracecodec::io
