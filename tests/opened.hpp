// Opens bytes in memory in each of the ways that a file can be opened.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tracecodec/io/input/source.hpp"
#include "tracecodec/io/open.hpp"

namespace test {

namespace io = tracecodec::io;

// Byte source that can be read only once and has no size, like a pipe. (io::memory_source has
// a size and can be rewound.)
class pipe_source final : public io::source {
 public:
  explicit pipe_source(std::span<const std::byte> all) : all_(all) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = std::min(out.size(), all_.size());
    std::copy_n(all_.begin(), n, out.begin());
    all_ = all_.subspan(n);
    return n;
  }

 private:
  std::span<const std::byte> all_;
};

// Ways to open bytes: in memory, which counts as mapped; as a stream without a size that can be
// rewound, so the reader cannot find an index; and as a pipe.
enum class way : std::uint8_t { mapped, again, pipe };
inline constexpr std::array<way, 3> all_ways{way::mapped, way::again, way::pipe};
inline io::input opened(std::span<const std::byte> file, way how, const std::string& name = "t") {
  constexpr io::open_options plain{.compression = io::codec::none};
  if (how == way::mapped) return io::open_bytes(file, name, plain);
  if (how == way::pipe) return io::open_source(std::make_unique<pipe_source>(file), name, plain);
  return io::open_sources([file] { return std::make_unique<pipe_source>(file); }, name, plain);
}

}  // namespace test
