// Helpers for tests of traces: bytes from files and from hexadecimal text, the error that a
// function throws, and a sink in memory.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files.hpp"
#include "tracecodec/io/open.hpp"

namespace test {

namespace io = tracecodec::io;
using tracecodec::trace_errc;
using tracecodec::trace_error;
using bytes = std::vector<std::byte>;

// Returns the decompressed content of a file.
inline bytes content(const std::string& path) {
  auto in = io::open_input(path);
  bytes all(std::size_t{1} << 23);
  std::size_t n = 0;
  while (const std::size_t got = in.read(std::span(all).subspan(n))) n += got;
  all.resize(n);
  return all;
}

// Returns the decompressed content of a file as text.
inline std::string text_in(const std::string& path) {
  const bytes all = content(path);
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

inline bytes from_hex(std::string_view hex) {
  const auto nibble = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  bytes out;
  for (std::size_t i = 0; i + 1 < hex.size();) {
    if (hex[i] == ' ') {
      ++i;
      continue;
    }
    out.push_back(static_cast<std::byte>(nibble(hex[i]) << 4 | nibble(hex[i + 1])));
    i += 2;
  }
  return out;
}
inline bytes& operator+=(bytes& a, const bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline bytes operator+(bytes a, const bytes& b) { return a += b; }

template <class F> std::optional<trace_error> error_of(F&& f) {
  try {
    f();
  } catch (const trace_error& e) {
    return e;
  }
  return std::nullopt;
}

// Sink that appends to `out`. `out` must outlive the sink.
class vector_sink final : public io::sink {
 public:
  explicit vector_sink(bytes& out) : out_(out) {}
  void write(std::span<const std::byte> in) override {
    out_.insert(out_.end(), in.begin(), in.end());
  }
  void finish() override {}

 private:
  bytes& out_;
};

}  // namespace test
