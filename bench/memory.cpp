// Writes, reads, exports or packs a large trace, or reads a packed one, and prints the peak of its
// resident memory. memory.py runs the program once for each task, so that a task's memory does not
// affect the next measurement.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include <tracecodec/champsim/rows.hpp>
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/rows.hpp>
#include <tracecodec/rapidbin/writer.hpp>
#include <tracecodec/rows.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack.hpp>
#endif

#include "front_end.hpp"
#include "peak.hpp"
#include "trace.hpp"
#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace {

namespace rapidbin = tracecodec::rapidbin;
namespace rows = tracecodec::rows;

class counting_sink final : public bench::io::sink {
 public:
  explicit counting_sink(std::uint64_t& bytes) : bytes_(&bytes) {}
  void write(std::span<const std::byte> bytes) override { *bytes_ += bytes.size(); }
  void finish() override {}

 private:
  std::uint64_t* bytes_;
};

// Writes events that repeat the same few threads, variables and locations.
void write_events(const std::string& path, std::uint64_t n) {
  rapidbin::writer out(path);
  for (std::uint64_t i = 0; i < n; ++i)
    out.write({.sign = false,
               .location = static_cast<std::uint16_t>(i % 500),
               .decor = i % 1000,
               .operation = i % 3 == 0 ? rapidbin::operation::write : rapidbin::operation::read,
               .thread = static_cast<std::uint16_t>(i % 7)});
  out.finish();
}

template <class Feed> std::uint64_t simulate(Feed feed) {
  std::uint64_t n = 0;
  bench::front_end f;
  tracecodec::feed::for_each(feed, [&](const auto& i) {
    f(i);
    ++n;
  });
  return n;
}

#if defined(TRACECODEC_WITH_ZSTD)
namespace tracepack = tracecodec::tracepack;

// Packs a program that does not repeat itself, on one thread.
std::uint64_t pack(const std::string& path, std::uint64_t n, tracepack::level level) {
  using codec = bench::champsim::instruction_codec;
  tracepack::writer out(bench::io::open_output(path, bench::io::codec::none),
                        {.level = level, .threads = 1});
  bench::program p;
  std::array<std::byte, codec::size> record{};
  for (std::uint64_t i = 0; i < n; ++i) {
    codec::store(p.next(), record.data());
    out.write(record);
  }
  out.finish();
  return n;
}
// Reads without mapping, because the pages of a mapped file would be counted, too.
std::uint64_t simulate_packed(const std::string& path) {
  return simulate(
      tracepack::trace_feed<>(tracepack::reader(bench::io::open_input(path, {.map = false}))));
}
#endif

// The functions ..._rows() return the number of rows that they wrote.
template <template <class> class Form>
std::uint64_t champsim_rows(const std::string& path, std::uint64_t& bytes) {
  bench::champsim::trace_feed<> feed(path);
  Form<bench::champsim::row<bench::champsim::instruction>> out(
      std::make_unique<counting_sink>(bytes));
  std::uint64_t index = 0;
  for (auto b = feed.next(); b.size() != 0; b = feed.next())
    for (std::size_t i = 0; i < b.size(); ++i) out.write(bench::champsim::row_of(index++, b[i]));
  out.finish();
  return out.written();
}
template <template <class> class Form>
std::uint64_t rapidbin_rows(const std::string& path, std::uint64_t& bytes) {
  const auto events = rapidbin::open_events(bench::io::open_input(path));
  Form<rapidbin::row> out(std::make_unique<counting_sink>(bytes));
  for (auto b = events->next(); b.size() != 0; b = events->next())
    for (std::size_t i = 0; i < b.size(); ++i) {
      const rapidbin::event e = b.events[i];
      out.write(rapidbin::row_of(b.index(i), e));
    }
  out.finish();
  return out.written();
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__linux__)
  // Disables huge pages, because a huge page is counted as a whole.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
  const std::string what = argc == 4 ? argv[1] : "";
  const std::uint64_t wanted = argc == 4 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::string path = argc == 4 ? argv[3] : "";
  std::uint64_t n = 0, bytes = 0;
  if (what == "write") {
    bench::write_trace(path, wanted, 1000, {.level = 1});
    return 0;
  }
  if (what == "write-rapidbin") {
    write_events(path, wanted);
    return 0;
  }
  if (what == "read") n = simulate(bench::champsim::trace_feed<>(path));
#if defined(TRACECODEC_WITH_ZSTD)
  else if (what == "pack" || what == "pack-high")
    n = pack(path, wanted, what == "pack" ? tracepack::level::fast : tracepack::level::high);
  else if (what == "read-packed")
    n = simulate_packed(path);
#endif
  else if (what == "champsim-jsonl")
    n = champsim_rows<rows::json_lines>(path, bytes);
  else if (what == "champsim-csv")
    n = champsim_rows<rows::csv>(path, bytes);
  else if (what == "rapidbin-jsonl")
    n = rapidbin_rows<rows::json_lines>(path, bytes);
  else if (what == "rapidbin-csv")
    n = rapidbin_rows<rows::csv>(path, bytes);
  else {
    std::fprintf(stderr,
                 "memory write|write-rapidbin|read|champsim-FORM|rapidbin-FORM N PATH\n"
                 "memory pack|pack-high|read-packed N PATH\n"
                 "FORM: jsonl|csv\n");
    return 2;
  }
  std::printf("%ld\n", bench::peak_memory());
  // Checks that rows were written. Even the shortest row has more than ten bytes.
  const bool rows = what.find("csv") != what.npos || what.find("jsonl") != what.npos;
  return n == wanted && (!rows || bytes > 10 * n) ? 0 : 1;
}
