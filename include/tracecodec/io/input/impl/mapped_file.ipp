// This is the only file that includes Boost.Interprocess.
#pragma once
#include "../mapped_file.hpp"

#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

#include "../../error.hpp"
#include "../../os/os.hpp"
#include "mapped_places.hpp"

namespace tracecodec::io {

namespace detail {
[[noreturn, gnu::cold]] TRACECODEC_FUNC void refuse_to_map(const std::string& path,
                                                           const std::string& why) {
  throw trace_error(trace_errc::system, {.file = path}, why);
}
}  // namespace detail

struct mapped_file::mapping {
  mapping(boost::interprocess::mapped_region r, os::descriptor file, const std::string& name)
      : region(std::move(r)),
        place{.name = name,
              .file = std::move(file),
              .bytes = {static_cast<const std::byte*>(region.get_address()), region.get_size()}} {
    detail::add_place(place);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  [[gnu::cold]] ~mapping() { detail::remove_place(place); }

  boost::interprocess::mapped_region region;
  detail::mapped_place place;
};

TRACECODEC_FUNC mapped_file::mapped_file(mapped_file&& other) noexcept = default;
TRACECODEC_FUNC mapped_file& mapped_file::operator=(mapped_file&& other) noexcept = default;
TRACECODEC_FUNC mapped_file::~mapped_file() = default;

TRACECODEC_FUNC mapped_file::mapped_file(const std::string& path) {
  const os::facts there = os::facts_of(path);
  if (there.what == os::kind::missing) os::fail(path, ENOENT);
  if (there.what == os::kind::directory) os::fail(path, EISDIR);
  if (there.what == os::kind::other) detail::refuse_to_map(path, "is not a regular file");
  const std::uint64_t size = there.size;
  if (size == 0) return;  // mmap() refuses to map zero bytes
  if (size > std::numeric_limits<std::size_t>::max() / 2)
    detail::refuse_to_map(path, "too large to be mapped");
  namespace ipc = boost::interprocess;
  try {
    const ipc::file_mapping file(os::native(path).c_str(), ipc::read_only);
    mapping_ = std::unique_ptr<mapping>(
        new mapping(ipc::mapped_region(file, ipc::read_only, 0, static_cast<std::size_t>(size)),
                    os::duplicate(file.get_mapping_handle().handle, path), path));
  } catch (const ipc::interprocess_exception& e) {
    detail::refuse_to_map(path, std::generic_category().message(e.get_native_error()));
  }
}

TRACECODEC_FUNC std::span<const std::byte> mapped_file::bytes() const {
  return mapping_ ? mapping_->place.bytes : std::span<const std::byte>{};
}

TRACECODEC_FUNC void mapped_file::check() const {
  if (!mapping_) return;
  if (const auto e = mapping_->place.error()) throw *e;
}

}  // namespace tracecodec::io
