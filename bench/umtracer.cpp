// Decoding execution records with operand values over mapped UMTracer traces, against a hand-written
// loop; and, without one, a record by its number, opening a trace, and the feed. ratios.py compares
// the benchmarks NAME/library... with NAME/by_hand.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <tracecodec/umtracer/operands.hpp>
#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/umtracer/feed.hpp>
#endif

#include "umtracer/by_hand.hpp"

namespace {

namespace umtracer = tracecodec::umtracer;
namespace fs = std::filesystem;

// The instruction records of a sample, over and over, in a temporary folder that is removed in the
// end. Every record is of its own thread's past and future only inside its repetition.
class temporary_trace {
 public:
  static constexpr std::uint64_t times = 1000;

  temporary_trace()
      : folder_(fs::temp_directory_path() / ("tracecodec_" + std::to_string(::getpid()))) {
    const std::string sample = std::string(TRACECODEC_TEST_DATA) + "/umtracer/plain64";
    fs::create_directory(folder_);
    for (const auto name : umtracer::file_names)
      fs::copy_file(sample + "/" + std::string(name), folder_ / name);
    const umtracer::reader from(sample);
    std::vector<std::byte> records;
    std::vector<std::uint64_t> offsets, ids(from.size(), none);
    std::vector<std::int64_t> neighbours;
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < from.size(); ++i)
      if (from[i].type() == umtracer::exec_type::instruction) ids[i] = n++;
    const auto id_of = [&](std::int64_t i, std::uint64_t base) {
      return i < 0 || ids[static_cast<std::size_t>(i)] == none
                 ? -1
                 : static_cast<std::int64_t>(ids[static_cast<std::size_t>(i)] + base);
    };
    const auto all = from.files()[umtracer::file::exec_records];
    records.assign(all.begin(), all.begin() + 16);
    for (std::uint64_t t = 0; t < times; ++t)
      for (std::uint64_t i = 0; i < from.size(); ++i) {
        if (ids[i] == none) continue;
        const umtracer::record_view r = from[i];
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(r.offset());
        offsets.push_back(records.size());
        records.insert(records.end(), at, at + 6 + static_cast<std::ptrdiff_t>(r.data().size()));
        neighbours.push_back(id_of(from.neighbours_of(i).previous, t * n));
        neighbours.push_back(id_of(from.neighbours_of(i).next, t * n));
      }
    const std::uint64_t count = offsets.size();
    std::memcpy(records.data() + 8, &count, 8);
    offsets.push_back(records.size());
    write("exec.vtable", records);
    write("exec.offsets", offsets);
    write("exec.prev_next.column", neighbours);
  }
  temporary_trace(const temporary_trace&) = delete;
  temporary_trace& operator=(const temporary_trace&) = delete;
  ~temporary_trace() { fs::remove_all(folder_); }
  [[nodiscard]] std::string path() const { return folder_.string(); }

 private:
  static constexpr std::uint64_t none = static_cast<std::uint64_t>(-1);
  template <class T> void write(const char* name, const std::vector<T>& all) const {
    std::ofstream out(folder_ / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(all.data()),
              static_cast<std::streamsize>(all.size() * sizeof(T)));
    if (!out.flush()) std::abort();
  }
  fs::path folder_;
};

const std::string& folder() {
  static const temporary_trace trace;
  static const std::string path = trace.path();
  return path;
}

void count(benchmark::State& state, std::uint64_t records) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}

bench::digest decode(const umtracer::reader& trace) {
  bench::digest d;
  for (std::uint64_t i = 0, n = trace.size(); i < n; ++i) {
    const umtracer::record_view r = trace[i];
    ++d.records;
    d.sum += r.thread() + r.flags();
    if (r.type() != umtracer::exec_type::instruction) continue;
    const umtracer::operand_values all = operands_of(trace, r);
    for (std::size_t s = 0; s < all.size(); ++s) {
      const umtracer::slot slot = all.slot(s);
      const umtracer::slot_value v = all.value(slot);
      d.operand(slot.name, s >= all.first_after(), v.address, v.bytes.data(),
                v.bytes.size());
    }
  }
  return d;
}

void decode_by_hand(benchmark::State& state) {
  const umtracer::trace_files files(folder());
  const bench::umtracer_by_hand from{files[umtracer::file::exec_records],
                                     files[umtracer::file::exec_offsets],
                                     files[umtracer::file::instructions]};
  bench::digest d;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(d = *from.decode());
  count(state, d.records);
}
void decode_with_library(benchmark::State& state) {
  const umtracer::reader trace(folder());
  const umtracer::trace_files& files = trace.files();
  const bench::umtracer_by_hand by_hand{files[umtracer::file::exec_records],
                                        files[umtracer::file::exec_offsets],
                                        files[umtracer::file::instructions]};
  bench::digest d;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(d = decode(trace));
  if (d != by_hand.decode()) state.SkipWithError("what was found is not the same");
  count(state, d.records);
}

// Records from all over a trace whose pages are in memory.
void by_number(benchmark::State& state) {
  const umtracer::reader trace(folder());
  decode(trace);
  std::uint64_t at = 1, sum = 0;
  for ([[maybe_unused]] auto _ : state) {
    at = at * 6364136223846793005 + 1442695040888963407;
    const umtracer::record_view r = trace[(at >> 33) % trace.size()];
    const umtracer::operand_values all = operands_of(trace, r);
    if (all.size() != 0) sum += all.value(0).bytes.size();
    benchmark::DoNotOptimize(sum);
  }
  count(state, 1);
}

void open(benchmark::State& state) {
  const std::string path = folder();
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(umtracer::reader(path).size());
  count(state, 1);
}

#if defined(TRACECODEC_WITH_ZYDIS)
void feed(benchmark::State& state) {
  umtracer::trace_feed trace(folder());
  std::uint64_t n = 0, sum = 0;
  for ([[maybe_unused]] auto _ : state) {
    trace.rewind();
    n = 0;
    for (auto b = trace.next(); b.size() != 0; b = trace.next())
      for (std::size_t i = 0; i < b.size(); ++i, ++n) {
        const auto instruction = b[i];
        sum += instruction.ip() + instruction.target();
        for (const std::uint64_t a : instruction.source_memory()) sum ^= a;
      }
    benchmark::DoNotOptimize(sum);
  }
  count(state, n);
}
#endif

void add(const char* name, void (*f)(benchmark::State&), benchmark::TimeUnit unit) {
  benchmark::RegisterBenchmark(name, f)->Unit(unit);
}

}  // namespace

int main(int argc, char** argv) {
  add("exec/by_hand", decode_by_hand, benchmark::kMillisecond);
  add("exec/library", decode_with_library, benchmark::kMillisecond);
  add("by_number", by_number, benchmark::kNanosecond);
  add("open", open, benchmark::kMicrosecond);
#if defined(TRACECODEC_WITH_ZYDIS)
  add("feed", feed, benchmark::kMillisecond);
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
