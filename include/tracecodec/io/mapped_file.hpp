// A file mapped into memory, read-only. The one header that includes Boost.Interprocess.
#pragma once
#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <system_error>

#include "error.hpp"

namespace tracecodec::io {

// Movable; the bytes stay where they are. If another program shortens the file meanwhile, access to
// the bytes that are gone ends the process (SIGBUS): stream files that are still being written.
class mapped_file {
 public:
  // Maps all of the regular file `path`. Throws trace_error(system): missing, no regular file, not
  // permitted, or too large for the address space of a 32-bit host.
  explicit mapped_file(const std::string& path) {
    const auto fail = [&path](const std::string& text) {
      throw trace_error(trace_errc::system, {.file = path}, text);
    };
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) fail(error.message());
    if (size == 0) return;  // mmap refuses to map nothing
    if (size > std::numeric_limits<std::size_t>::max() / 2) fail("too large to be mapped");
    namespace ipc = boost::interprocess;
    try {
      const ipc::file_mapping file(path.c_str(), ipc::read_only);
      region_ = ipc::mapped_region(file, ipc::read_only, 0, static_cast<std::size_t>(size));
    } catch (const ipc::interprocess_exception& e) {
      fail(std::generic_category().message(e.get_native_error()));
    }
  }

  // The file's content; empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(region_.get_address()), region_.get_size()};
  }

 private:
  boost::interprocess::mapped_region region_;
};

}  // namespace tracecodec::io
