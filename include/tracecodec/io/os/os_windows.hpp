// Part of os.hpp that is specific to Windows. Include os.hpp instead. File names are UTF-8
// everywhere in the library, and native() converts a name for Windows functions.
#pragma once
#include <fcntl.h>

#include <cstddef>
#include <span>
#include <string>

#include "os_file.hpp"

namespace tracecodec::io::os {

// Returns the name in UTF-16. Bytes that are not UTF-8 become U+FFFD.
TRACECODEC_FUNC std::wstring native(const std::string& name);

// Returns an empty descriptor. A duplicate is not needed, because a mapped file cannot become
// shorter on Windows.
inline descriptor duplicate(void* /*handle*/, const std::string& /*name*/) { return {}; }

// Function that returns the mapped bytes that contain an address, or an empty span.
using find_mapped = std::span<const std::byte> (*)(const std::byte*) noexcept;

}  // namespace tracecodec::io::os
