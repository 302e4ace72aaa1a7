// Compares tracepack with xz. The arguments are a folder for files, then traces. compare/packed.py
// runs the program. Benchmarks are named TRACE/WAY. They measure decoding to records, the feed with
// classes and targets, and encoding. Times are processor time, or elapsed time for ways that use
// threads.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/tracepack/feed.hpp>
#include <tracecodec/tracepack/writer.hpp>
#include <vector>

namespace {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
namespace tracepack = tracecodec::tracepack;

constexpr std::size_t record_size = champsim::instruction_codec::size;

class no_sink final : public io::sink {
 public:
  void write(std::span<const std::byte> /*bytes*/) override {}
  void finish() override {}
};

// Files and size of one trace.
struct trace {
  std::string name, raw, xz, fast, high;
  std::uint64_t records = 0;
};

void pack(const std::string& raw, std::unique_ptr<io::sink> out, tracepack::level level,
          unsigned threads) {
  const io::input in = io::open_input(raw);
  tracepack::pack_options o;
  o.level = level;
  o.threads = threads;
  tracepack::writer to(std::move(out), o);
  to.write(in.bytes());
  to.finish();
}
void compress(const std::string& raw, std::unique_ptr<io::sink> out) {
  const io::input in = io::open_input(raw);
  const auto to = io::compress(io::codec::xz, std::move(out), raw,
                               {.level = 6, .threads = 1, .block_size = in.bytes().size()});
  to->write(in.bytes());
  to->finish();
}

trace prepare(const std::string& path, const std::string& folder) {
  trace t;
  t.name = std::filesystem::path(path).filename().string();
  const std::string base = folder + "/" + t.name;
  t.raw = base + ".raw";
  t.xz = base + ".xz";
  t.fast = base + ".tpack";
  t.high = base + ".high.tpack";
  std::vector<std::byte> piece(std::size_t{1} << 20);
  io::input in = io::open_input(path);
  const auto raw = io::open_output(t.raw);
  while (const std::size_t n = in.read(piece)) raw->write(std::span(piece).first(n));
  raw->finish();
  t.records = std::filesystem::file_size(t.raw) / record_size;
  compress(t.raw, io::open_output(t.xz));
  pack(t.raw, io::open_output(t.fast), tracepack::level::fast, 1);
  pack(t.raw, io::open_output(t.high), tracepack::level::high, 1);
  const auto size = [](const std::string& file) { return std::filesystem::file_size(file); };
  std::fprintf(
      stderr, "sizes %s %llu %llu %llu %llu\n", t.name.c_str(),
      static_cast<unsigned long long>(t.records), static_cast<unsigned long long>(size(t.xz)),
      static_cast<unsigned long long>(size(t.fast)), static_cast<unsigned long long>(size(t.high)));
  return t;
}

// Reads 16 KiB at a time, the size of the library's batches, which fits in the nearest cache.
std::uint64_t read_all(const std::string& file) {
  static std::vector<std::byte> piece(256 * record_size);
  io::input in = io::open_input(file, {.xz = {.threads = 1}});
  std::uint64_t sum = 0;
  while (const std::size_t n = in.read(piece)) sum += std::to_integer<unsigned>(piece[n - 1]) + n;
  return sum;
}
std::uint64_t unpack_all(const std::string& file, unsigned threads = 1) {
  tracepack::reader in(io::open_input(file), {.threads = threads});
  std::uint64_t sum = 0;
  for (auto b = in.next(); !b.bytes.empty(); b = in.next())
    sum += std::to_integer<unsigned>(b.bytes.back()) + b.bytes.size();
  return sum;
}
template <class Feed> std::uint64_t feed_all(const std::string& file) {
  Feed feed(io::open_input(file));
  std::uint64_t sum = 0;
  for (auto b = feed.next(); b.size() != 0; b = feed.next())
    for (std::size_t i = 0; i != b.size(); ++i) {
      const auto v = b[i];
      sum += v.target() + static_cast<std::uint64_t>(v.branch()) + (v.taken() ? 1U : 0U);
    }
  return sum;
}

void add(const trace& t, const char* way, const std::function<void()>& run, bool by_clock = false,
         bool once = false) {
  auto* const b = benchmark::RegisterBenchmark(
      (t.name + "/" + way).c_str(), [run, n = t.records](benchmark::State& s) {
        for (auto _ : s) run();
        s.SetItemsProcessed(static_cast<std::int64_t>(n) *
                            static_cast<std::int64_t>(s.iterations()));
      });
  b->Unit(benchmark::kMillisecond);
  if (by_clock)
    b->UseRealTime();
  else
    b->MeasureProcessCPUTime();
  if (once) b->Iterations(1)->Repetitions(1);
}

void add_all(const trace& t) {
  const auto keep = [](std::uint64_t v) { benchmark::DoNotOptimize(v); };
  add(t, "xz_decode", [=] { keep(read_all(t.xz)); });
  add(t, "decode", [=] { keep(unpack_all(t.fast)); });
  add(t, "decode_high", [=] { keep(unpack_all(t.high)); });
  add(
      t, "decode_by_clock", [=] { keep(unpack_all(t.fast)); }, true);
  add(
      t, "decode_two_by_clock", [=] { keep(unpack_all(t.fast, 2)); }, true);
  add(t, "raw_feed", [=] { keep(feed_all<champsim::trace_feed<>>(t.raw)); });
  add(t, "feed", [=] { keep(feed_all<tracepack::trace_feed<>>(t.fast)); });
  const auto encode = [](const std::string& raw, unsigned threads) {
    pack(raw, std::make_unique<no_sink>(), tracepack::level::fast, threads);
  };
  add(t, "encode", [=] { encode(t.raw, 1); });
  add(
      t, "encode_by_clock", [=] { encode(t.raw, 1); }, true);
  add(
      t, "encode_two_by_clock", [=] { encode(t.raw, 2); }, true);
  add(
      t, "xz_encode", [=] { compress(t.raw, std::make_unique<no_sink>()); }, false, true);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc < 3) {
    std::fputs("usage: bench_packed FOLDER TRACE...\n", stderr);
    return 2;
  }
  for (int i = 2; i < argc; ++i) add_all(prepare(argv[i], argv[1]));
  benchmark::RunSpecifiedBenchmarks();
}
