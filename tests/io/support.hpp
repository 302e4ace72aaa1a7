// Helpers of the io tests: bytes, sources that misbehave, sinks in memory, temporary folders.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracecodec/io/compression/codec.hpp"
#include "tracecodec/io/error.hpp"
#include "tracecodec/io/input/source.hpp"
#include "tracecodec/io/output/sink.hpp"

namespace tracecodec::io::test {

using bytes = std::vector<std::byte>;

inline bytes to_bytes(std::string_view text) {
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  return {p, p + text.size()};
}

inline bytes from_hex(std::string_view hex) {
  const auto nibble = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  bytes out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<std::byte>(nibble(hex[i]) << 4 | nibble(hex[i + 1])));
  }
  return out;
}

// Returns the output of `seq first last`.
inline bytes lines(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + '\n';
  return to_bytes(text);
}

// Returns records of 64 bytes with sequential addresses and much redundancy, as in a trace.
inline bytes sample(std::size_t size) {
  std::mt19937 random(42);
  bytes out(size);
  std::uint64_t ip = 0x400000;
  for (std::size_t at = 0; at + 64 <= size; at += 64) {
    ip = random() % 8 != 0 ? ip + 4 : 0x400000 + random() % 65536;
    for (unsigned i = 0; i < 8; ++i) out[at + i] = static_cast<std::byte>(ip >> (8 * i));
    for (unsigned i = 8; i < 14; ++i) out[at + i] = static_cast<std::byte>(random() % 40);
  }
  return out;
}

inline bytes operator+(bytes a, const bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline bool is_prefix(const bytes& part, const bytes& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// Source that owns its bytes, returns at most `chunk` bytes per read, and may fail at the end.
class test_source final : public source {
 public:
  explicit test_source(bytes data, std::size_t chunk = SIZE_MAX, bool fails = false)
      : data_(std::move(data)), chunk_(chunk), fails_(fails) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = std::min({out.size(), chunk_, data_.size() - at_});
    std::copy_n(data_.begin() + static_cast<std::ptrdiff_t>(at_), n, out.begin());
    at_ += n;
    if (n == 0 && fails_) throw trace_error(trace_errc::system, {.file = "disk"}, "I/O error");
    return n;
  }

 private:
  bytes data_;
  std::size_t chunk_;
  bool fails_;
  std::size_t at_ = 0;
};

// Sink that appends to a vector. The vector must outlive the sink.
class vector_sink final : public sink {
 public:
  explicit vector_sink(bytes& out, bool* finished = nullptr) : out_(out), finished_(finished) {}
  void write(std::span<const std::byte> in) override {
    out_.insert(out_.end(), in.begin(), in.end());
  }
  void finish() override {
    if (finished_ != nullptr) *finished_ = true;
  }

 private:
  bytes& out_;
  bool* finished_;
};

// Returns the code of the trace_error that f() throws.
template <class F> trace_errc code_of(F f) {
  try {
    f();
  } catch (const trace_error& e) {
    return e.code();
  }
  FAIL("no error");
  return {};
}

// Returns the what() of the trace_error that f() throws.
template <class F> std::string error_of(F f) {
  try {
    f();
  } catch (const trace_error& e) {
    return e.what();
  }
  return "no error";
}

// Returns the what() of the trace_error that f() throws. The error's code must be
// trace_errc::system.
template <class F> std::string system_error_of(F f) {
  return error_of([&f] {
    try {
      f();
    } catch (const trace_error& e) {
      CHECK(e.code() == trace_errc::system);
      throw;
    }
  });
}

struct drained {
  bytes data;
  std::optional<trace_error> error;
};

// Reads to the end or the first error, `chunk` bytes at a time. The source must then repeat
// the end or the error.
template <class Source> drained drain(Source& from, std::size_t chunk = 100'000) {
  drained result;
  bytes buffer(chunk);
  try {
    while (const std::size_t n = from.read(buffer)) {
      result.data.insert(result.data.end(), buffer.begin(),
                         buffer.begin() + static_cast<std::ptrdiff_t>(n));
    }
  } catch (const trace_error& e) {
    result.error = e;
  }
  return result;
}

// Folder that is removed with all its contents.
class temp_folder {
 public:
  temp_folder() {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() /
            ("tracecodec-test-" + std::to_string(::getpid()) + "-" + std::to_string(random()));
    std::filesystem::create_directory(path_);
  }
  temp_folder(const temp_folder&) = delete;
  temp_folder& operator=(const temp_folder&) = delete;
  ~temp_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string path(const std::string& leaf = "") const {
    return leaf.empty() ? path_.string() : (path_ / leaf).string();
  }
  // Returns the number of names in the folder.
  [[nodiscard]] auto count() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::string& path, const bytes& data) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
}

inline bytes read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return to_bytes(std::string(std::istreambuf_iterator<char>(in), {}));
}

// Returns the bytes of `all` from `from` on.
inline bytes tail(const bytes& all, std::uint64_t from) {
  const auto before = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(from, all.size()));
  return {all.begin() + before, all.end()};
}

// Returns true if this build reads `kind`.
constexpr bool built_in(codec kind) {
  bool has = kind == codec::none;
#ifdef TRACECODEC_WITH_XZ
  has = has || kind == codec::xz;
#endif
#ifdef TRACECODEC_WITH_GZIP
  has = has || kind == codec::gzip;
#endif
#ifdef TRACECODEC_WITH_BZIP2
  has = has || kind == codec::bzip2;
#endif
#ifdef TRACECODEC_WITH_ZSTD
  has = has || kind == codec::zstd;
#endif
#ifdef TRACECODEC_WITH_LZ4
  has = has || kind == codec::lz4;
#endif
#ifdef TRACECODEC_WITH_SNAPPY
  has = has || kind == codec::snappy;
#endif
#ifdef TRACECODEC_WITH_ZIP
  has = has || kind == codec::zip;
#endif
  return has;
}

}  // namespace tracecodec::io::test
