// Stores output in a temporary file until the output is finished. At the end, a writer can
// therefore patch the beginning of the output, even if the output goes to a pipe or through a
// compressor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../os/os.hpp"
#include "atomic_file.hpp"
#include "sink.hpp"

namespace tracecodec::io {

namespace detail {
class file_writer;
}  // namespace detail

// Sink that spools output to a temporary file, with a buffer of 64 KiB. The file is in the system's
// temporary folder. The file has no name, so nothing remains even if the process is killed. On
// Windows, the system removes the file.
class spool final : public sink {
 public:
  // Creates the temporary file. Throws trace_error(system) if the file cannot be created.
  explicit spool(std::unique_ptr<sink> to);

  inline void write(std::span<const std::byte> bytes) override;
  [[nodiscard]] bool patchable() const override { return true; }
  inline void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;

  // Copies everything to the underlying sink and finishes that sink.
  inline void finish() override;

  inline ~spool() override;

 private:
  std::unique_ptr<sink> to_;
  std::unique_ptr<detail::file_writer> writer_;
};

namespace detail {

inline constexpr const char* spool_name = "a temporary file for the output";

inline os::descriptor open_spool() {
  return os::create_vanishing(os::temporary_folder(), spool_name);
}

}  // namespace detail

inline spool::spool(std::unique_ptr<sink> to)
    : to_(std::move(to)),
      writer_(std::make_unique<detail::file_writer>(detail::open_spool(), detail::spool_name)) {}

inline spool::~spool() = default;

inline void spool::write(std::span<const std::byte> bytes) { writer_->write(bytes); }

inline void spool::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  writer_->patch(offset, bytes);
}

inline void spool::finish() {
  const os::descriptor from = writer_->release();
  os::seek(from, 0, detail::spool_name);
  std::vector<std::byte> chunk(std::size_t{64} << 10);
  int error = 0;
  while (const std::size_t n = os::read_full(from, chunk, error))
    to_->write(std::span(chunk).first(n));
  if (error != 0) os::fail(detail::spool_name, error);
  to_->finish();
}

// Returns `out` if it can be patched, and otherwise a spool that writes to `out`.
inline std::unique_ptr<sink> patchable(std::unique_ptr<sink> out) {
  if (out->patchable()) return out;
  return std::make_unique<spool>(std::move(out));
}

}  // namespace tracecodec::io
