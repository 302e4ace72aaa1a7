// Measures indexes of traces: their size, the time to make them, and the time of answers. Compares
// the answers with a scan of the trace, and with a map of all accessed bytes, as debuggers keep it.
//
//   bench_query               measures traces that it generates: 4 million and 100 million accesses,
//                             and an adversary's 100 million, almost all of the same byte
//   bench_query TRACE...      measures traces
#include <tracecodec/analysis/run.hpp>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_questions.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace query = tracecodec::query;
namespace trace = tracecodec::trace;
using wall_clock = std::chrono::steady_clock;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double nanoseconds_since(wall_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(wall_clock::now() - begin).count();
}

// Writes records with two stores and four loads each. Half of the addresses are in a small part of
// memory. An adversary's records access one byte, except the first one.
void write_records(const std::string& path, std::uint64_t accesses, bool is_adversary) {
  champsim::writer<champsim::instruction_codec> out(path);
  std::mt19937_64 random(1);
  const auto address = [&]() -> std::uint64_t {
    if (is_adversary) return 0x7ffc'0000'1000;
    const std::uint64_t n = random();
    return 0x7ffc'0000'0000 + ((n & 1) != 0 ? n >> 1 & 0xffff : n >> 1 & 0x1ff'ffff) * 8;
  };
  champsim::instruction r{};
  for (std::uint64_t n = 0; n < accesses; n += 6) {
    r.ip = 0x401000 + n % 0x10000;
    for (auto& to : r.destination_memory) to = address();
    for (auto& to : r.source_memory) to = address();
    if (n == 0) r.destination_memory[0] = 0x7ffc'0000'1007;
    out.write(r);
  }
  out.finish();
}

struct access {
  std::uint64_t at, address;
};

// Analysis that counts accesses, and keeps some writes for questions.
class sample {
 public:
  [[nodiscard]] static feed::column_set columns() { return {feed::column::memory}; }
  void add(const feed::columns& batch) {
    const feed::memory_column& m = batch.memory();
    for (std::size_t row = 0; row != batch.size(); ++row)
      for (std::size_t k = m.begin(row); k != m.end(row); ++k)
        if (++count_ % 997 == 0 && kept_.size() < 1'000'000)
          kept_.push_back({batch.first() + row, m.address[k]});
  }
  [[nodiscard]] const std::vector<access>& result() const { return kept_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::vector<access> kept_ = {};
  std::uint64_t count_ = 0;
};

// Analysis that keeps the accesses of each byte in a tree.
class tree {
 public:
  static constexpr std::uint64_t most = 4'000'000;
  [[nodiscard]] static feed::column_set columns() { return {feed::column::memory}; }
  void add(const feed::columns& batch) {
    const feed::memory_column& m = batch.memory();
    for (std::size_t row = 0; row != batch.size() && count_ < most; ++row)
      for (std::size_t k = m.begin(row); k != m.end(row); ++k, ++count_)
        for (std::uint64_t i = 0; i < std::max<std::uint64_t>(m.size[k], 1); ++i)
          bytes_[m.address[k] + i].push_back(batch.first() + row);
  }
  [[nodiscard]] std::uint64_t result() const { return count_; }

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> bytes_ = {};
  std::uint64_t count_ = 0;
};

// Prints the median and the 99th percentile of the times of ask(access), in microseconds, after a
// first pass that reads the files.
template <class Ask> void print_times(const char* what, const std::vector<access>& all, Ask ask) {
  for (const access& a : all) ask(a);
  std::vector<double> times;
  for (const access& a : all) {
    const auto begin = wall_clock::now();
    ask(a);
    times.push_back(nanoseconds_since(begin) / 1000);
  }
  std::sort(times.begin(), times.end());
  std::printf("  %-34s median %8.2f us, 99%% %8.2f us\n", what, times[times.size() / 2],
              times[times.size() * 99 / 100]);
}

void measure(const std::string& path, const std::string& folder,
             const tracecodec::format::open_options& how = {}) {
  const std::string file = folder + "/index";
  trace::reader from(path, how);
  double begin = processor_seconds();
  sample kept;
  tracecodec::analysis::run(from, kept);
  const auto count = static_cast<double>(kept.count());
  const double scan = (processor_seconds() - begin) * 1e9 / count;
  if (kept.result().empty()) throw std::runtime_error(path + ": too few accesses");

  begin = processor_seconds();
  query::write_index(from.columns(), path, file);
  const double build = (processor_seconds() - begin) * 1e9 / count;
  const auto size = static_cast<double>(std::filesystem::file_size(file));
  from.rewind();
  begin = processor_seconds();
  tree bytes;
  tracecodec::analysis::run(from, bytes);
  const double map = (processor_seconds() - begin) * 1e9 / static_cast<double>(bytes.result());
  std::printf("%s: %.1f million accesses\n", path.c_str(), count / 1e6);
  std::printf("  size of the index                  %.2f bytes an access\n", size / count);
  std::printf(
      "  processor time                     %.0f ns an access; scan %.0f, map of the first "
      "%.0f million %.0f\n",
      build, scan, static_cast<double>(bytes.result()) / 1e6, map);

  auto start = wall_clock::now();
  const query::trace_index index(file, path);
  query::memory_questions asked(from.columns(), index.memory());
  const access first = kept.result().back();
  static_cast<void>(asked.last({.bytes = {first.address, first.address}}, first.at));
  std::printf("  first answer after opening         %.2f ms\n", nanoseconds_since(start) / 1e6);

  std::mt19937_64 random(2);
  std::vector<access> some;
  std::sample(kept.result().begin(), kept.result().end(), std::back_inserter(some), 20'000, random);
  std::shuffle(some.begin(), some.end(), random);
  const auto last_write = [](const access& a) {
    return query::access_query{.bytes = {a.address, a.address}, .reads = false};
  };
  print_times("last write, looked up", some, [&](const access& a) {
    static_cast<void>(index.memory().last(last_write(a), a.at));
  });
  print_times("next write, looked up", some, [&](const access& a) {
    static_cast<void>(index.memory().first(last_write(a), a.at));
  });
  print_times("last write, compared with trace", some,
              [&](const access& a) { static_cast<void>(asked.last(last_write(a), a.at)); });
  some.resize(std::min<std::size_t>(some.size(), 100));
  print_times("last write of the next 7 bytes", some, [&](const access& a) {
    query::access_query q = last_write(a);
    q.bytes = {a.address + 1, a.address + 7};
    static_cast<void>(asked.last(q, a.at));
  });
  some.resize(std::min<std::size_t>(some.size(), 3));
  query::memory_questions reading(from.columns());
  print_times("last write, by reading", some,
              [&](const access& a) { static_cast<void>(reading.last(last_write(a), a.at)); });
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = std::filesystem::temp_directory_path() / "tracecodec-bench-query";
  try {
    std::filesystem::create_directories(folder);
    const std::string here = folder.string(), made = here + "/records.champsim";
    for (int i = 1; i < argc; ++i) measure(argv[i], here);
    if (argc == 1)
      for (const auto& [accesses, is_adversary] : {std::pair(std::uint64_t{4'000'000}, false),
                                                   std::pair(std::uint64_t{100'000'000}, false),
                                                   std::pair(std::uint64_t{100'000'000}, true)}) {
        write_records(made, accesses, is_adversary);
        tracecodec::format::open_options how;
        how.format = trace::find_format("champsim");
        measure(made, here, how);
      }
    std::filesystem::remove_all(folder);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_query: %s\n", e.what());
    std::filesystem::remove_all(folder);
    return 1;
  }
}
