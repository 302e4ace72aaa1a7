// Counts the instructions of the index pass, and of decoding with register state, against
// hand-written loops over the same mapped trace, under callgrind. Dumps counts like
// records.cpp. Keeps the trace in the current folder while it runs.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <string>

#include "../x64dbg/work.hpp"

namespace {

using bench::target;

template <class F> auto measure(const std::string& name, std::size_t n, F&& f) {
  const std::string dump = name + "/" + std::to_string(n);
  CALLGRIND_ZERO_STATS;
  const auto result = f();
  CALLGRIND_DUMP_STATS_AT(dump.c_str());
  return result;
}

template <target T> bool compare(const std::string& name, const std::string& sample,
                                 std::size_t blocks, std::size_t times) {
  const std::string path = "blocks." + name;
  bench::write_blocks<T>(path, sample, times);
  const std::size_t n = blocks * times;
  const bench::trace<T> from(path);
  bench::x64dbg::block_reader<T> raw(tracecodec::io::open_input(path));
  bench::x64dbg::reader<T> reader(tracecodec::io::open_input(path));
  std::remove(path.c_str());
  const auto index =
      measure("index/" + name + "/by_hand", n, [&] { return bench::index_by_hand<T>(from); });
  const auto decoded =
      measure("decode/" + name + "/by_hand", n, [&] { return bench::decode_by_hand<T>(from); });
  return index == measure("index/" + name + "/library", n,
                          [&] { return bench::index_with_library<T>(raw); }) &&
         decoded == measure("decode/" + name + "/library", n,
                            [&] { return bench::decode_with_library<T>(reader); }) &&
         index.instructions == n && decoded.instructions == n;
}

}  // namespace

int main() {
  for (const std::size_t times : {1U, 3U})
    if (!compare<target::x64>("x64", "threads3_64.trace64.xz", 30000, times) ||
        !compare<target::x86>("x86", "work32.trace32.xz", 50000, times)) {
      std::fprintf(stderr, "the library and the hand-written loop differ\n");
      return 1;
    }
}
