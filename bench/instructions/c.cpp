// Under callgrind, counts the instructions that libtracecodec needs for records, and those of a
// loop over the feed that creates the same records. Dumps counts like records.cpp.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <string>

#include <tracecodec/umtracer/opens.hpp>
#include <tracecodec/x64dbg/opens.hpp>
#include "../c/records.hpp"

namespace {

using bench::sum;

template <class F> sum measure(const std::string& name, std::size_t n, F&& f) {
  const std::string dump = name + "/" + std::to_string(n);
  CALLGRIND_ZERO_STATS;
  const sum s = f();
  CALLGRIND_DUMP_STATS_AT(dump.c_str());
  return s;
}

bool compare(const std::string& name, const std::string& path) {
  tracecodec_trace* opened = nullptr;
  std::uint64_t n = 0;
  bool same = tracecodec_open(path.c_str(), nullptr, &opened) == TRACECODEC_OK &&
              tracecodec_count(opened, &n) == TRACECODEC_OK;
  tracecodec::trace::visit(path, [&](auto from) {
    for (const std::size_t passes : {1U, 3U}) {
      const std::size_t all = passes * static_cast<std::size_t>(n);
      const sum hand =
          measure("make/" + name + "/by_hand", all, [&] { return bench::by_hand(from, passes); });
      const sum library = measure("make/" + name + "/library", all,
                                  [&] { return bench::by_library(opened, passes); });
      same = same && hand == library && hand.n == all;
    }
  });
  tracecodec_close(opened);
  if (!same) std::fprintf(stderr, "%s: the library and the loop differ\n", path.c_str());
  return same;
}

}  // namespace

int main() {
  const std::string data = TRACECODEC_TEST_DATA "/";
  const std::string champsim = bench::unpacked("sed64.champsimtrace.xz");
  bool same = compare("champsim", champsim);
  std::remove(champsim.c_str());
  same = compare("rapidbin", data + "rapidbin/r6000.data") && same;
#if TRACECODEC_OPENS_X64DBG
  const std::string x64dbg = bench::unpacked("threads3_64.trace64.xz");
  same = compare("x64dbg", x64dbg) && same;
  std::remove(x64dbg.c_str());
#endif
#if TRACECODEC_OPENS_UMTRACER
  same = compare("umtracer", data + "umtracer/plain64") && same;
#endif
  return same ? 0 : 1;
}
