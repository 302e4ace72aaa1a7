// Counts the instructions to decode execution records with operand values, against a
// hand-written loop over the same mapped trace, under callgrind. Also counts the accessors of
// each type, without a reference. Dumps counts like records.cpp.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <string>

#include "../umtracer/by_hand.hpp"
#include "../umtracer/decode.hpp"
#include "../umtracer/trace.hpp"

namespace {

namespace umtracer = tracecodec::umtracer;

template <class F> auto measure(const std::string& name, std::size_t n, F&& f) {
  const std::string dump = name + "/" + std::to_string(n);
  CALLGRIND_ZERO_STATS;
  const auto result = f();
  CALLGRIND_DUMP_STATS_AT(dump.c_str());
  return result;
}

bool compare(std::uint64_t times) {
  const bench::umtracer_trace made(times);
  const umtracer::reader trace(made.path());
  const umtracer::trace_files& files = trace.files();
  const bench::umtracer_by_hand from{files[umtracer::file::exec_records],
                                     files[umtracer::file::exec_offsets],
                                     files[umtracer::file::instructions]};
  const auto n = static_cast<std::size_t>(trace.size());
  const auto by_hand = measure("exec/umtracer/by_hand", n, [&] { return from.decode(); });
  const auto library =
      measure("exec/umtracer/library", n, [&] { return bench::decode_umtracer(trace); });
  return by_hand == library;
}

// Reads the records of a sample. One record in seventeen is not an instruction.
void look_into(std::size_t times) {
  const umtracer::reader trace(std::string(TRACECODEC_TEST_DATA) + "/umtracer/plain64");
  const std::size_t n = times * static_cast<std::size_t>(trace.size());
  measure("types/umtracer/library", n, [&] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < times; ++i) sum += bench::look_into_umtracer(trace);
    return sum;
  });
}

}  // namespace

int main() {
  for (const std::uint64_t times : {1U, 3U}) {
    look_into(static_cast<std::size_t>(times));
    if (!compare(times)) {
      std::fprintf(stderr, "the library and the hand-written loop differ\n");
      return 1;
    }
  }
}
