// What os.hpp has on POSIX systems alone. For os.hpp, which includes the rest.
#pragma once
#include <fcntl.h>

#include <cstddef>
#include <span>
#include <string>

#include "os_file.hpp"

namespace tracecodec::io::os {

// The name as the system takes it.
inline const std::string& native(const std::string& name) noexcept { return name; }

// Another descriptor of the file that is open as `fd`.
TRACECODEC_FUNC descriptor duplicate(int fd, const std::string& name);

// The mapped bytes that hold an address, or none.
using find_mapped = std::span<const std::byte> (*)(const std::byte*) noexcept;

namespace detail {
inline constinit find_mapped mapped_at = nullptr;  // set once, before the handler is there
}  // namespace detail

}  // namespace tracecodec::io::os
