// Keeps output back in a temporary file until it is finished, so that what was written first can be
// patched last even where the output itself goes to a pipe or through a compressor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "../../config.hpp"
#include "sink.hpp"

namespace tracecodec::io {

namespace detail {
class file_writer;
}  // namespace detail

// Memory: 64 KiB; the rest lies in the system's folder for temporary files, in a file without a
// name, or on Windows one that the system removes: nothing stays, even if the process is killed.
class spool final : public sink {
 public:
  // Throws trace_error(system) if no temporary file can be made.
  explicit spool(std::unique_ptr<sink> to);

  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  [[nodiscard]] bool patchable() const override { return true; }
  TRACECODEC_FUNC void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;

  // Copies everything to the output behind, and finishes that.
  TRACECODEC_FUNC void finish() override;

  TRACECODEC_FUNC ~spool() override;

 private:
  std::unique_ptr<sink> to_;
  std::unique_ptr<detail::file_writer> writer_;
};

// `out` if it can be patched, else a spool before it.
TRACECODEC_FUNC std::unique_ptr<sink> patchable(std::unique_ptr<sink> out);

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/spool.ipp"
#endif
