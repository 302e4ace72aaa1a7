// Functions for paths as strings. On Windows, '\' also separates components, and ':' follows a
// drive letter.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::io {

#ifdef _WIN32
inline constexpr std::string_view path_separators = "/\\";
inline constexpr std::string_view before_names = "/\\:";
#else
inline constexpr std::string_view path_separators = "/";
inline constexpr std::string_view before_names = path_separators;
#endif
inline constexpr bool has_drives = before_names != path_separators;

constexpr bool ends_with_separator(std::string_view path) {
  return !path.empty() && path_separators.find(path.back()) != std::string_view::npos;
}

// Returns the index at which the file name begins in `path`. This index is after the last
// separator, or 0 if `path` has no separator.
constexpr std::size_t file_name_at(std::string_view path) {
  return path.find_last_of(before_names) + 1;  // npos + 1 is 0
}

// Returns the path of `file` in `folder`, which may end in a separator.
inline std::string joined(std::string_view folder, std::string_view file) {
  std::string path(folder);
  if (!ends_with_separator(folder)) path += '/';
  return path += file;
}

// Returns true if `text` ends in `end`, ignoring the case of the letters A to Z.
constexpr bool ends_in(std::string_view text, std::string_view end) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (text.size() < end.size()) return false;
  text.remove_prefix(text.size() - end.size());
  for (std::size_t i = 0; i < end.size(); ++i)
    if (lower(text[i]) != lower(end[i])) return false;
  return true;
}

}  // namespace tracecodec::io
