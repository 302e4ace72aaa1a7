// Keeps output back in a temporary file until it is finished, so that what was written first can be
// patched last even where the output itself goes to a pipe or through a compressor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "atomic_file.hpp"
#include "filesystem.hpp"
#include "os.hpp"
#include "sink.hpp"

namespace tracecodec::io {

// Memory: 64 KiB; the rest lies in the system's folder for temporary files, in a file without a
// name, or on Windows one that the system removes: nothing stays, even if the process is killed.
class spool final : public sink {
 public:
  // Throws trace_error(system) if no temporary file can be made.
  explicit spool(std::unique_ptr<sink> to) : to_(std::move(to)), writer_(open(), name) {}

  void write(std::span<const std::byte> bytes) override { writer_.write(bytes); }
  [[nodiscard]] bool patchable() const override { return true; }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    writer_.patch(offset, bytes);
  }

  // Copies everything to the output behind, and finishes that.
  void finish() override {
    const os::descriptor from = writer_.release();
    os::seek(from, 0, name);
    std::vector<std::byte> chunk(std::size_t{64} << 10);
    int error = 0;
    while (const std::size_t n = os::read_full(from, chunk, error))
      to_->write(std::span(chunk).first(n));
    if (error != 0) os::fail(name, error);
    to_->finish();
  }

 private:
  static constexpr const char* name = "a temporary file for the output";

  static os::descriptor open() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    return os::create_vanishing(error ? "." : name_of(folder), name);
  }

  std::unique_ptr<sink> to_;
  detail::file_writer writer_;
};

// `out` if it can be patched, else a spool before it.
inline std::unique_ptr<sink> patchable(std::unique_ptr<sink> out) {
  if (out->patchable()) return out;
  return std::make_unique<spool>(std::move(out));
}

}  // namespace tracecodec::io
