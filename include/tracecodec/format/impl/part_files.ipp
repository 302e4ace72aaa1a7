// Implementation of format/part_files.hpp, separate because it includes the operating system's
// headers.
#pragma once
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "../../io/compression/codec.hpp"
#include "../../io/error.hpp"
#include "../../io/os/filesystem.hpp"
#include "../../io/os/path.hpp"
#include "../part_files.hpp"

namespace tracecodec::format {

TRACECODEC_FUNC std::vector<std::string> part_files(const std::string& folder,
                                                    std::span<const std::string_view> suffixes) {
  namespace fs = std::filesystem;
  std::vector<std::string> all;
  std::error_code error;
  if (!fs::is_directory(io::path_of(folder), error)) return all;
  fs::directory_iterator file(io::path_of(folder), error);
  for (; !error && file != fs::directory_iterator(); file.increment(error)) {
    const std::string name = io::name_of(file->path().filename());
    std::string_view stem = name;
    stem.remove_suffix(io::codec_suffix_of(name).text.size());
    const bool is_part = std::any_of(suffixes.begin(), suffixes.end(), [stem](auto suffix) {
      return io::ends_in(stem, suffix) && stem.size() > suffix.size();
    });
    std::error_code ignored;
    if (is_part && name.front() != '.' && !file->is_directory(ignored))
      all.push_back(io::joined(folder, name));
  }
  if (error) throw trace_error(trace_errc::system, {.file = folder}, error.message());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tracecodec::format
