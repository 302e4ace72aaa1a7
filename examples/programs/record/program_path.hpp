// Searches PATH for the file of a program.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace record {

// Returns the file of a program. Searches for the program like execvp(). If `name` contains a
// slash, returns `name` itself. Returns an empty string if no folder in PATH contains the program.
inline std::string in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* const path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  for (;;) {
    const std::size_t end = rest.find(':');
    std::string file(rest.substr(0, end));
    file += (file.empty() ? "./" : "/") + name;
    std::error_code ignored;
    if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, ignored))
      return file;
    if (end == rest.npos) return {};
    rest.remove_prefix(end + 1);
  }
}

}  // namespace record
