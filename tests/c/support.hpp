// Shared code of the tests of tracecodec.h.
#pragma once
#include <tracecodec.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <tracecodec/umtracer/opens.hpp>
#include <tracecodec/x64dbg/opens.hpp>
#include <vector>

#include "files.hpp"

namespace test {

struct close_trace {
  void operator()(tracecodec_trace* t) const noexcept { tracecodec_close(t); }
};
using c_trace = std::unique_ptr<tracecodec_trace, close_trace>;

// Returns the trace, even if opening failed: tracecodec_last_error() reports the error.
inline c_trace open(const std::string& path, const tracecodec_options* options = nullptr) {
  tracecodec_trace* t = nullptr;
  tracecodec_open(path.c_str(), options, &t);
  return c_trace(t);
}
inline tracecodec_options options() {
  tracecodec_options o{};
  o.size = sizeof o;
  return o;
}
// Any number of records or rows.
inline constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
inline std::string_view view(const tracecodec_text& t) { return {t.bytes, t.size}; }
// Returns true if a structure is released, as Arrow defines it.
template <class Structure> bool released(const Structure& s) { return s.release == nullptr; }
inline constexpr std::uint64_t bit(int column) { return TRACECODEC_BIT(column); }

// Returns one trace of each format that this build reads.
inline std::vector<std::string> samples() {
  std::vector<std::string> all{data("rapidbin/r250.data"), data("rapidbin/r250.std")};
#if TRACECODEC_OPENS_UMTRACER
  all.push_back(data("umtracer/awkward64"));
#endif
#if defined(TRACECODEC_WITH_ZSTD)
  all.push_back(data("tracepack/champsim_fast.tracepack"));
  all.push_back(data("tracepack/properties.tracepack"));
#endif
#if defined(TRACECODEC_WITH_XZ)
  all.push_back(data("sed64.champsimtrace.xz"));
#if TRACECODEC_OPENS_X64DBG
  all.push_back(data("threads3_64.trace64.xz"));
#endif
#endif
  return all;
}

}  // namespace test
