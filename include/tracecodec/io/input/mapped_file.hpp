// Maps files into memory.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "truncation.hpp"

namespace tracecodec::io {

// Read-only mapping of a file. A move does not change the address of the bytes. If another program
// truncates the mapped file, accesses to the missing bytes return zeros or end the process (see
// install_sigbus_handler()). Therefore, read a file that is still being written as a stream. Except
// on Windows, the mapping keeps a descriptor of the file to detect truncation.
class mapped_file {
 public:
  // Maps the whole regular file `path`. Throws trace_error(system) if the file is missing, is not
  // regular, cannot be accessed, or is too large for a 32-bit address space.
  explicit mapped_file(const std::string& path);
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  // Returns the file's content, or an empty span for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  // Throws trace_error(system) if the file has become shorter since it was mapped. Some bytes may
  // then have been read as zeros.
  void check() const;

 private:
  struct mapping;
  std::unique_ptr<mapping> mapping_;  // null for an empty file
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/mapped_file.ipp"
#endif
