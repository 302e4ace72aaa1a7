#pragma once
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "../../io/checksum.hpp"
#include "../../io/error.hpp"
#include "../../io/hash.hpp"
#include "../../io/os/filesystem.hpp"
#include "../../io/os/os.hpp"
#include "../../io/os/path.hpp"
#include "../trace_identity.hpp"

namespace tracecodec::query {

namespace detail {

class identity_hash {
 public:
  void add(std::uint64_t v) noexcept { hash_ = io::mixed(hash_ ^ v) + 1; }
  void add(std::span<const std::byte> bytes) noexcept {
    io::crc32c sum;
    sum.update(bytes);
    add(std::uint64_t{sum.value()} << 32 | bytes.size());
  }
  // Adds parts of the content of a file.
  void add_file(const std::string& path, std::uint64_t size) {
    constexpr std::uint64_t parts = 256, part = 4096;
    const io::os::descriptor file = io::os::open(path, O_RDONLY);
    std::array<std::byte, part> buffer{};
    for (std::uint64_t i = 0, end = 0; i != parts && end != size; ++i) {
      // The parts of a small file follow each other.
      const std::uint64_t spread = size <= part ? 0 : (size - part) / (parts - 1) * i;
      const std::uint64_t at = i + 1 == parts && size > part ? size - part : std::max(end, spread);
      const auto n = static_cast<std::size_t>(std::min(part, size - at));
      io::os::seek(file, at, path);
      int error = 0;
      const std::size_t got = io::os::read_full(file, std::span(buffer).first(n), error);
      if (error != 0) io::os::fail(path, error);
      add(std::span<const std::byte>(buffer).first(got));
      end = at + n;
    }
    add(size);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

}  // namespace detail

TRACECODEC_FUNC trace_identity identity_of(const std::string& path) {
  namespace fs = std::filesystem;
  trace_identity found;
  detail::identity_hash hash;
  const auto add = [&](const std::string& file) {
    const io::os::facts facts = io::os::facts_of(file);
    found.time = std::max(found.time, facts.modified);
    found.size += facts.size;
    hash.add_file(file, facts.size);
  };
  try {
    const io::os::kind what = io::os::facts_of(path).what;
    if (what == io::os::kind::directory) {
      const fs::path folder = io::path_of(path);
      std::vector<std::string> files;  // paths within the folder, the same on all systems
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) {
          const std::u8string within = entry.path().lexically_relative(folder).generic_u8string();
          files.emplace_back(within.begin(), within.end());
        }
      std::sort(files.begin(), files.end());
      for (const std::string& file : files) {
        hash.add(std::as_bytes(std::span(file)));
        add(io::joined(path, file));
      }
    } else if (what == io::os::kind::regular) {
      add(path);
    } else {
      throw trace_error(trace_errc::refused, {.file = path},
                        "only a file or a folder can have an index");
    }
  } catch (const fs::filesystem_error& e) {
    throw trace_error(trace_errc::system, {.file = path}, e.code().message());
  }
  found.parts = hash.value();
  return found;
}

TRACECODEC_FUNC std::optional<trace_identity> identity_of_beginning(const std::string& path,
                                                                    std::uint64_t size) {
  const io::os::facts facts = io::os::facts_of(path);
  if (facts.what != io::os::kind::regular || facts.size < size) return std::nullopt;
  detail::identity_hash hash;
  hash.add_file(path, size);
  return trace_identity{.size = size, .time = facts.modified, .parts = hash.value()};
}

}  // namespace tracecodec::query
