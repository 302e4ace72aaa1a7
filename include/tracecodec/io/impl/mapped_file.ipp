#pragma once
#include "../mapped_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "../error.hpp"
#include "../os.hpp"
#include "mapped_places.hpp"

namespace tracecodec::io {

struct mapped_file::mapping {
  mapping(os::descriptor file, std::size_t size, const std::string& name)
      : place{.name = name, .file = std::move(file)} {
    place.bytes = {os::map(place.file, size, name), size};
    detail::add_place(place);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  ~mapping() {
    detail::remove_place(place);
    os::unmap(place.bytes);
  }

  detail::mapped_place place;
};

TRACECODEC_FUNC void mapped_file::unmap::operator()(mapping* m) const noexcept { delete m; }

TRACECODEC_FUNC mapped_file::mapped_file(const std::string& path) {
  const auto fail = [&path](const char* why) {
    throw trace_error(trace_errc::system, {.file = path}, why);
  };
  // Before it is opened: that could wait for the other end of a pipe.
  const os::kind what = os::facts_of(path).what;
  if (what == os::kind::missing) os::fail(path, ENOENT);
  if (what == os::kind::directory) os::fail(path, EISDIR);
  if (what == os::kind::other) fail("is no regular file");
  os::descriptor file = os::open(path, O_RDONLY);
  const std::uint64_t size = os::facts_of(file, path).size;
  if (size == 0) return;  // what is empty cannot be mapped
  if (size > std::numeric_limits<std::size_t>::max() / 2) fail("too large to be mapped");
  mapping_.reset(new mapping(std::move(file), static_cast<std::size_t>(size), path));
}

TRACECODEC_FUNC std::span<const std::byte> mapped_file::bytes() const {
  return mapping_ ? mapping_->place.bytes : std::span<const std::byte>{};
}

TRACECODEC_FUNC void mapped_file::check() const {
  if (!mapping_) return;
  if (const auto e = mapping_->place.error()) throw *e;
}

}  // namespace tracecodec::io
