// Limits the size of an output, because a few bytes of an input can expand to more data than a disk
// can store.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../error.hpp"
#include "sink.hpp"

namespace tracecodec::io {

inline constexpr std::uint64_t no_size_limit = ~std::uint64_t{0};

// Budget of bytes for an output, or for all files of a folder.
class size_limit {
 public:
  explicit size_limit(std::uint64_t most = no_size_limit) noexcept : most_(most), left_(most) {}

  // Counts `n` bytes before they are written. Throws trace_error(refused) if the total exceeds the
  // limit.
  void take(std::size_t n, const std::string& name) {
    if (n > left_)
      throw trace_error(trace_errc::refused, {.file = name},
                        "would exceed its limit of " + std::to_string(most_) + " bytes");
    left_ -= n;
  }

 private:
  std::uint64_t most_, left_;
};

// Sink that passes bytes on to another sink, up to a limit.
class bounded_sink final : public sink {
 public:
  bounded_sink(std::unique_ptr<sink> to, std::string name, std::uint64_t most)
      : to_(std::move(to)), name_(std::move(name)), limit_(most) {}
  void write(std::span<const std::byte> bytes) override {
    limit_.take(bytes.size(), name_);
    to_->write(bytes);
  }
  [[nodiscard]] bool patchable() const override { return to_->patchable(); }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    to_->patch(offset, bytes);
  }
  void finish() override { to_->finish(); }

 private:
  std::unique_ptr<sink> to_;
  std::string name_;
  size_limit limit_;
};

// Returns a sink that refuses to write more than `most` bytes to `to`, or `to` itself for
// no_size_limit. `name` appears in error messages.
inline std::unique_ptr<sink> bounded(std::unique_ptr<sink> to, const std::string& name,
                                     std::uint64_t most) {
  if (most == no_size_limit) return to;
  return std::unique_ptr<sink>(new bounded_sink(std::move(to), name, most));
}

}  // namespace tracecodec::io
