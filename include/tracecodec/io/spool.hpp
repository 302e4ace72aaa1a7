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
#include "os.hpp"
#include "sink.hpp"

namespace tracecodec::io {

// Memory: 64 KiB; the rest lies in the system's folder for temporary files.
class spool final : public sink {
 public:
  // Throws trace_error(system) if no temporary file can be made.
  explicit spool(std::unique_ptr<sink> to) : to_(std::move(to)), writer_(open(), path_) {}
  ~spool() override {
    writer_.abandon();
    os::remove(path_);
  }

  void write(std::span<const std::byte> bytes) override { writer_.write(bytes); }
  [[nodiscard]] bool patchable() const override { return true; }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    writer_.patch(offset, bytes);
  }

  // Copies everything to the output behind, and finishes that.
  void finish() override {
    writer_.close(false);
    const os::descriptor from = os::open(path_, O_RDONLY);
    os::remove(path_);  // where an open file can be: nothing stays if the process is ended now
    std::vector<std::byte> chunk(std::size_t{64} << 10);
    int error = 0;
    while (const std::size_t n = os::read_full(from, chunk, error))
      to_->write(std::span(chunk).first(n));
    if (error != 0) os::fail(path_, error);
    to_->finish();
  }

 private:
  os::descriptor open() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    const os::facts for_the_user_alone{.what = os::kind::regular, .permissions = 0600};
    return os::create_temporary(error ? "." : folder.string(), for_the_user_alone, path_,
                                "a temporary file for the output");
  }

  std::unique_ptr<sink> to_;
  std::string path_ = {};  // before writer_, whose initialiser sets it
  detail::file_writer writer_;
};

// `out` if it can be patched, else a spool before it.
inline std::unique_ptr<sink> patchable(std::unique_ptr<sink> out) {
  if (out->patchable()) return out;
  return std::make_unique<spool>(std::move(out));
}

}  // namespace tracecodec::io
