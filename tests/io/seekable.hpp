// Sources with and without seeking, and the results of skipping in them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "support.hpp"
#include "tracecodec/io/compression/codecs.hpp"
#include "tracecodec/io/input/lookahead.hpp"

namespace tracecodec::io::test {

// Returns bytes that do not compress.
inline bytes noise(std::size_t n) {
  std::mt19937 random(7);
  bytes out(n);
  for (std::byte& b : out) b = static_cast<std::byte>(random());
  return out;
}

struct counts {
  std::uint64_t bytes = 0, seeks = 0;
};

// Seekable source of bytes in memory that counts the bytes read.
class counted_source final : public source {
 public:
  counted_source(std::span<const std::byte> all, counts& into) : from_(all), into_(into) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = from_.read(out);
    into_.bytes += n;
    return n;
  }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return from_.seekable(); }
  void seek(std::uint64_t offset) override {
    from_.seek(offset);
    ++into_.seeks;
  }

 private:
  memory_source from_;
  counts& into_;
};

// Source of bytes in memory that claims to have `claimed` bytes. Its seeks fail after `seeks`
// calls.
class refusing_source final : public source {
 public:
  refusing_source(std::span<const std::byte> all, std::size_t seeks, std::uint64_t claimed)
      : from_(all), seeks_(seeks), claimed_(claimed) {}
  refusing_source(std::span<const std::byte> all, std::size_t seeks)
      : refusing_source(all, seeks, all.size()) {}
  std::size_t read(std::span<std::byte> out) override { return from_.read(out); }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return claimed_; }
  void seek(std::uint64_t offset) override {
    if (seeks_-- == 0) throw trace_error(trace_errc::system, {.file = "disk"}, "I/O error");
    from_.seek(offset);
  }

 private:
  memory_source from_;
  std::size_t seeks_;
  std::uint64_t claimed_;
};

struct way {
  std::size_t read = 0;    // bytes to read first
  std::uint64_t skip = 0;  // bytes to skip next
  bool seeks = true;       // false: a pipe
};
struct skip_result {
  std::uint64_t moved = 0;
  drained rest = {};
};

inline skip_result skipped(codec kind, const bytes& file, const way& how,
                           const xz_options& xz = {.threads = 1}) {
  std::unique_ptr<source> packed;
  if (how.seeks)
    packed = std::make_unique<memory_source>(file);
  else
    packed = std::make_unique<test_source>(file);
  lookahead_source from(decompress(kind, std::move(packed), "f", xz));
  bytes first(how.read);
  if (how.read != 0) REQUIRE(from.read(first) == how.read);
  skip_result result;
  result.moved = from.skip(how.skip);
  result.rest = drain(from);
  return result;
}

}  // namespace tracecodec::io::test
