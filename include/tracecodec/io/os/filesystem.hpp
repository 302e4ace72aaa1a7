// Converts between paths of std::filesystem and the library's file names, which are UTF-8. On
// Windows, the constructor of std::filesystem::path would assume another encoding.
#pragma once
#include <filesystem>
#include <string>

#ifdef _WIN32
#include "os_windows.hpp"
#else
#include "os_posix.hpp"
#endif

namespace tracecodec::io {

inline std::filesystem::path path_of(const std::string& name) { return {os::native(name)}; }

inline std::string name_of(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/os.ipp"
#endif
