// A file mapped into memory, read-only. The one header that includes Boost.Interprocess.
#pragma once
#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "cut_files.hpp"
#include "error.hpp"
#include "filesystem.hpp"

namespace tracecodec::io {

// Movable; the bytes stay where they are. If another program shortens the file meanwhile, the bytes
// that are gone are zeros, or end the process: see survive_cut_files(). Stream files that are still
// being written. Holds a descriptor of the file, except on Windows: it tells what became of it.
class mapped_file {
 public:
  // Maps all of the regular file `path`. Throws trace_error(system): missing, no regular file, not
  // permitted, or too large for the address space of a 32-bit host.
  explicit mapped_file(const std::string& path) {
    const auto fail = [&path](const std::string& text) {
      throw trace_error(trace_errc::system, {.file = path}, text);
    };
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_of(path), error);
    if (error) fail(error.message());
    if (size == 0) return;  // mmap refuses to map nothing
    if (size > std::numeric_limits<std::size_t>::max() / 2) fail("too large to be mapped");
    namespace ipc = boost::interprocess;
    try {
      const ipc::file_mapping file(os::native(path).c_str(), ipc::read_only);
      mapping_ = std::make_unique<mapping>(
          ipc::mapped_region(file, ipc::read_only, 0, static_cast<std::size_t>(size)),
          os::duplicate(file.get_mapping_handle().handle, path), path);
    } catch (const ipc::interprocess_exception& e) {
      fail(std::generic_category().message(e.get_native_error()));
    }
  }

  // The file's content; empty for an empty file.
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return mapping_ ? mapping_->place.bytes : std::span<const std::byte>{};
  }

  // Throws trace_error(system) if the file has become shorter since it was mapped: some of what was
  // read may have been zeros.
  void check() const {
    if (!mapping_) return;
    if (const auto e = mapping_->place.error()) throw *e;
  }

 private:
  struct mapping {
    mapping(boost::interprocess::mapped_region r, os::descriptor file, const std::string& name)
        : region(std::move(r)),
          place{name,
                std::move(file),
                {static_cast<const std::byte*>(region.get_address()), region.get_size()}} {
      detail::add_place(place);
    }
    mapping(const mapping&) = delete;
    mapping& operator=(const mapping&) = delete;
    ~mapping() { detail::remove_place(place); }

    boost::interprocess::mapped_region region;
    detail::mapped_place place;
  };
  std::unique_ptr<mapping> mapping_ = {};  // null for an empty file
};

}  // namespace tracecodec::io
