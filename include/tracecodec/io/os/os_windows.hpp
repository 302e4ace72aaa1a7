// What os.hpp has on Windows alone. Names are UTF-8 everywhere in the library; native() makes of them
// what the functions of Windows take. For os.hpp, which includes the rest.
#pragma once
#include <fcntl.h>

#include <cstddef>
#include <span>
#include <string>

#include "os_file.hpp"

namespace tracecodec::io::os {

// The name in UTF-16. What is no UTF-8 becomes U+FFFD.
TRACECODEC_FUNC std::wstring native(const std::string& name);

// None: what is open stays as it is while it is mapped.
inline descriptor duplicate(void* /*handle*/, const std::string& /*name*/) { return {}; }

// The mapped bytes that hold an address, or none.
using find_mapped = std::span<const std::byte> (*)(const std::byte*) noexcept;

}  // namespace tracecodec::io::os
