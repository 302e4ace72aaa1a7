// Read-only mapping of a file into memory.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "truncation.hpp"

namespace tracecodec::io {

// Read-only mapping of a file. Movable; the address of the bytes does not change. If another
// program truncates the file meanwhile, accesses to the missing bytes read zeros or end the
// process: see install_sigbus_handler(). Files that are still being written should be streamed
// instead. Except on Windows, it keeps a descriptor of the file, to detect truncation.
class mapped_file {
 public:
  // Maps all of the regular file `path`. Throws trace_error(system): missing, not a regular
  // file, not permitted, or too large for the address space of a 32-bit host.
  explicit mapped_file(const std::string& path);
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  // Returns the file's content; empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  // Throws trace_error(system) if the file has become shorter since it was mapped: some of the
  // bytes that were read may have been zeros.
  void check() const;

 private:
  struct mapping;
  std::unique_ptr<mapping> mapping_;  // null for an empty file
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/mapped_file.ipp"
#endif
