// Provides a target's input as an io::input: a stream, or bytes in memory that count as a
// mapped file, so that the sanitizer detects reads past their end. Also provides a sink in
// memory.
#pragma once
#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include "target.hpp"
#include "tracecodec/io/open.hpp"

namespace fuzz {

namespace io = tracecodec::io;

// The input is not decompressed, because other targets test decompression.
inline io::input stream_of(view in) {
  return io::open_bytes(in, "fuzz", {.compression = io::codec::none, .map = false});
}
inline io::input in_memory(view in) {
  return io::open_bytes(in, "fuzz", {.compression = io::codec::none});
}
inline io::input input_of(view in, bool map) { return map ? in_memory(in) : stream_of(in); }

// Temporary folder of this process, removed at its end.
class scratch_folder {
 public:
  scratch_folder() {
    std::random_device random;
    const std::string name = "tracecodec-fuzz-" + std::to_string(random());
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directory(path_);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};
inline const scratch_folder& scratch() {
  static const scratch_folder folder;
  return folder;
}

// Writes a file with this content.
inline void write_file(const std::string& path, view content) {
  std::FILE* const f = std::fopen(path.c_str(), "wb");
  require(f != nullptr, "the temporary file can be written");
  std::setvbuf(f, nullptr, _IONBF, 0);
  if (!content.empty()) std::fwrite(content.data(), 1, content.size(), f);
  std::fclose(f);
}

// Returns an input that reads the bytes from a file, as a stream that can be rewound. Only one such
// input can exist at a time, because the next call overwrites the file.
inline io::input file_of(view in) {
  static const std::string path = scratch() / "input";
  write_file(path, in);
  return io::open_input(path, {.compression = io::codec::none, .map = false});
}

// Sink that appends to `out`. `out` must outlive the sink.
class memory_sink final : public io::sink {
 public:
  explicit memory_sink(bytes& out) : out_(out) {}
  void write(std::span<const std::byte> in) override {
    out_.insert(out_.end(), in.begin(), in.end());
  }
  [[nodiscard]] bool patchable() const override { return true; }
  void patch(std::uint64_t offset, std::span<const std::byte> in) override {
    std::copy(in.begin(), in.end(), out_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  void finish() override {}

 private:
  bytes& out_;
};
inline std::unique_ptr<io::sink> sink_to(bytes& out) { return std::make_unique<memory_sink>(out); }

}  // namespace fuzz
