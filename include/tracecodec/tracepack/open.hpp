// Opens the content of a tracepack file as an input, so that any reader of unpacked records can
// read packed records.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "reader.hpp"

namespace tracecodec::tracepack {

// Returns an input with the decompressed records of `packed`, starting with the first record. The
// input can be rewound if the file can be rewound. Reading throws the errors of `reader`. If `lost`
// is set, `lost` is called for each damaged frame, and the records of the frame are left out.
// skip() and content_size() then read the whole file, because the index also counts lost records.
// If all frames were left out, reading throws trace_error(corrupt).
inline io::input open_content(reader packed,
                              const std::function<void(const lost_records&)>& lost = {});

namespace detail {
class content final : public io::source {
 public:
  content(reader from, bool lenient)
      : from_(std::move(from)), lenient_(lenient), begin_(from_.position()) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = from_.read(out);
    any_ |= n != 0;
    // All frames so far were damaged, because the position has moved without any data.
    if (n == 0 && lenient_ && !any_ && !out.empty() && from_.position() != begin_)
      throw trace_error(trace_errc::corrupt, {.file = from_.name()},
                        "none of its frames can be read");
    return n;
  }
  // Skips records by means of the index. In lenient mode, returns 0, so that the caller reads the
  // records instead, because the index also counts lost records.
  std::uint64_t skip(std::uint64_t n) override { return lenient_ ? 0 : from_.skip(n); }
  std::uint64_t entry_before(std::uint64_t offset) override {
    return lenient_ ? 0 : from_.entry_before(offset);
  }
  [[nodiscard]] std::optional<double> progress() const override { return from_.progress(); }

 private:
  reader from_;
  bool lenient_;
  std::uint64_t begin_;
  bool any_ = false;  // true once any data has been read
};
}  // namespace detail

inline io::input open_content(reader packed, const std::function<void(const lost_records&)>& lost) {
  const io::open_options decoded{.compression = io::codec::none};
  const bool again = packed.from().rewindable() && !packed.from().in_memory();
  const std::string name = packed.name();
  const io::open_options how = packed.from().options();
  const unsigned threads = packed.threads();
  std::unique_ptr<io::source> first(
      new detail::content(std::move(packed), static_cast<bool>(lost)));
  if (!again) return io::open_source(std::move(first), name, decoded);
  return io::open_sources(
      [first = std::move(first), name, how, lost,
       threads]() mutable -> std::unique_ptr<io::source> {
        if (first != nullptr) return std::move(first);
        return std::unique_ptr<io::source>(new detail::content(
            reader(io::open_input(name, how), {.lost = lost, .threads = threads}),
            static_cast<bool>(lost)));
      },
      name, decoded);
}

}  // namespace tracecodec::tracepack
