// Maps files into memory.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "truncation.hpp"

namespace tracecodec::io {

// Read-only mapping of a file. A move does not change the address of the bytes. If another
// program truncates the mapped file, accesses to the missing bytes read zeros or end the
// process: see install_sigbus_handler(). Files that are still being written should be streamed
// instead. Except on Windows, the mapping keeps a descriptor of the file to detect truncation.
class mapped_file {
 public:
  // Maps the whole regular file `path`. Throws trace_error(system) if the file is missing, not
  // regular, not permitted, or too large for the address space of a 32-bit host.
  explicit mapped_file(const std::string& path);
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  // Returns the file's content, or an empty span for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  // Throws trace_error(system) if the file has become shorter since it was mapped, because some
  // of the bytes that were read may then have been zeros.
  void check() const;

 private:
  struct mapping;
  std::unique_ptr<mapping> mapping_;  // null for an empty file
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/mapped_file.ipp"
#endif
