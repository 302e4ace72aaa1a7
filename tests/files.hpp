// Files for tests: a temporary folder, and the test data.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>

namespace test {

// Temporary folder, removed with its contents at the end of the object's lifetime.
class folder {
 public:
  folder() {
    std::random_device random;
    do {
      path_ = std::filesystem::temp_directory_path() / ("tracecodec." + std::to_string(random()));
    } while (!std::filesystem::create_directory(path_));
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file with these bytes and returns its path.
  std::string file(const std::string& name, std::span<const std::byte> bytes) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::filesystem::path path_;
};

inline std::string data(const std::string& name) {
  return std::string(TRACECODEC_TEST_DATA) + "/" + name;
}

// Returns the path of a trace that may not be part of the project, in the folder that the environment
// variable TRACECODEC_SAMPLES names. If there is no such trace, prints a note and returns an empty
// path.
inline std::string external_sample(const std::string& name) {
  const char* const folder = std::getenv("TRACECODEC_SAMPLES");
  const auto path = std::filesystem::path(folder != nullptr ? folder : "") / name;
  if (folder != nullptr && std::filesystem::exists(path)) return path.string();
  std::printf("skipped: TRACECODEC_SAMPLES names no folder with %s\n", name.c_str());
  return {};
}

// True if this build has the library. Otherwise test cases that need the library are skipped.
#if defined(TRACECODEC_WITH_XZ)
inline constexpr bool with_xz = true;
#else
inline constexpr bool with_xz = false;
#endif
#if defined(TRACECODEC_WITH_GZIP)
inline constexpr bool with_gzip = true;
#else
inline constexpr bool with_gzip = false;
#endif
#if defined(TRACECODEC_WITH_ZSTD)
inline constexpr bool with_zstd = true;
#else
inline constexpr bool with_zstd = false;
#endif

}  // namespace test
