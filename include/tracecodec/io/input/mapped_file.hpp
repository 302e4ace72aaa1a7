// A file mapped into memory, read-only.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "cut_files.hpp"

namespace tracecodec::io {

// Movable; the bytes stay where they are. If another program shortens the file meanwhile, the bytes
// that are gone are zeros, or end the process: see survive_cut_files(). Stream files that are still
// being written. Holds a descriptor of the file, except on Windows: it tells what became of it.
class mapped_file {
 public:
  // Maps all of the regular file `path`. Throws trace_error(system): missing, no regular file, not
  // permitted, or too large for the address space of a 32-bit host.
  explicit mapped_file(const std::string& path);
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  // The file's content; empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  // Throws trace_error(system) if the file has become shorter since it was mapped: some of what was
  // read may have been zeros.
  void check() const;

 private:
  struct mapping;
  std::unique_ptr<mapping> mapping_;  // null for an empty file
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/mapped_file.ipp"
#endif
