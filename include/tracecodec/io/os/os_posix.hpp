// Part of os.hpp that is specific to POSIX systems. Include os.hpp instead.
#pragma once
#include <fcntl.h>

#include <cstddef>
#include <span>
#include <string>

#include "os_file.hpp"

namespace tracecodec::io::os {

// Returns the name unchanged, because POSIX systems accept any bytes as a name.
inline const std::string& native(const std::string& name) noexcept { return name; }

// Returns another descriptor for the file that is open as `fd`.
TRACECODEC_FUNC descriptor duplicate(int fd, const std::string& name);

// Function that returns the mapped bytes that contain an address, or an empty span.
using find_mapped = std::span<const std::byte> (*)(const std::byte*) noexcept;

namespace detail {
inline constinit find_mapped mapped_at = nullptr;  // set once, before the handler is installed
}  // namespace detail

}  // namespace tracecodec::io::os
