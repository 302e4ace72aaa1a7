// Packs the eleven files of a UMTracer trace into one input. Each file consists of its size (4
// bytes, little-endian) and its bytes. The size 0xFFFFFFFF means a missing file, and 0xFFFFFFFE the
// file of the tiny trace. After the files, 4 bytes select what is done with the trace.
#pragma once
#include <algorithm>
#include <array>

#include "target.hpp"
#include "umtracer/tiny_trace.hpp"

namespace fuzz {

namespace umtracer = tracecodec::umtracer;
inline constexpr std::uint32_t missing_file = 0xFFFFFFFF, tiny_file = 0xFFFFFFFE;

struct container {
  struct one {
    std::uint32_t kind = missing_file;  // size of the file, or one of the two constants above
    bytes content = {};
  };
  std::array<one, umtracer::file_count> files = {};
  std::uint32_t choice = 0;

  one& operator[](umtracer::file f) { return files[static_cast<std::size_t>(f)]; }
};

inline test::tiny_trace& tiny_trace() {
  static test::tiny_trace t;
  return t;
}

// Unpacks any bytes. A truncated file becomes shorter, and an absent file is missing.
inline container unpack(view in) {
  container all;
  for (auto& f : all.files) {
    if (in.size() < 4) break;
    f.kind = tracecodec::wire::u32le::load(in.data());
    in = in.subspan(4);
    if (f.kind == missing_file || f.kind == tiny_file) continue;
    const auto part = in.first(std::min<std::size_t>(f.kind, in.size()));
    f.content.assign(part.begin(), part.end());
    in = in.subspan(part.size());
  }
  if (in.size() >= 4) all.choice = tracecodec::wire::u32le::load(in.data());
  return all;
}
inline bytes pack(const container& all) {
  bytes out;
  const auto put = [&out](std::size_t n) {
    out.resize(out.size() + 4);
    tracecodec::wire::u32le::store(static_cast<std::uint32_t>(n), &out[out.size() - 4]);
  };
  for (const auto& f : all.files) {
    const bool stored = f.kind != missing_file && f.kind != tiny_file;
    put(stored ? f.content.size() : f.kind);
    if (stored) out.insert(out.end(), f.content.begin(), f.content.end());
  }
  put(all.choice);
  return out;
}

// Returns views into `all`. Its files have no spare bytes at their end.
inline umtracer::trace_files files_of(const container& all) {
  umtracer::trace_files::contents views{};
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto& f = all.files[i];
    if (f.kind == tiny_file)
      views[i] = tiny_trace()[static_cast<umtracer::file>(i)];
    else if (f.kind != missing_file)
      views[i] = f.content;
  }
  return {views, "fuzz"};
}

}  // namespace fuzz
