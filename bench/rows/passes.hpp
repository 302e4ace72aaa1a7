// Passes over the tests' samples that write each record as a row of text to a sink that
// discards it. They measure reading records and writing rows.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/champsim/rows.hpp>
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/rows.hpp>
#include <tracecodec/rows.hpp>
#include <tracecodec/umtracer/reader.hpp>
#include <tracecodec/umtracer/rows.hpp>
#ifdef TRACECODEC_WITH_SIMDJSON
#include <tracecodec/x64dbg/reader.hpp>
#include <tracecodec/x64dbg/rows.hpp>
#endif

namespace bench {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
namespace rapidbin = tracecodec::rapidbin;
namespace rows = tracecodec::rows;
namespace umtracer = tracecodec::umtracer;

class forgetting_sink final : public io::sink {
 public:
  void write(std::span<const std::byte> bytes) override {
    if (bytes.empty()) std::abort();
  }
  void finish() override {}
};

// Decompressed copy of a sample, which exists as long as this object.
class unpacked {
 public:
  explicit unpacked(const std::string& sample)
      : path_((std::filesystem::temp_directory_path() /
               ("tracecodec_" + std::to_string(::getpid()) + "_" + sample))
                  .string()) {
    auto in = io::open_input(std::string(TRACECODEC_TEST_DATA) + "/" + sample);
    std::ofstream out(path_, std::ios::binary);
    std::vector<std::byte> some(std::size_t{1} << 20);
    while (const std::size_t n = in.read(some))
      out.write(reinterpret_cast<const char*>(some.data()), static_cast<std::streamsize>(n));
    if (!out.flush()) std::abort();
  }
  unpacked(const unpacked&) = delete;
  unpacked& operator=(const unpacked&) = delete;
  ~unpacked() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The template argument Form is json_lines or csv. Each pass instantiates it with the rows of one
// format, and returns the number of rows that it wrote.
template <template <class> class Form> std::uint64_t champsim_rows(const std::string& path) {
  champsim::trace_feed<> feed(path);
  Form<champsim::row<champsim::instruction>> out(std::make_unique<forgetting_sink>());
  for (std::uint64_t index = 0;;) {
    const auto b = feed.next();
    if (b.size() == 0) break;
    for (std::size_t n = 0; n < b.size(); ++n) out.write(champsim::row_of(index++, b[n]));
  }
  out.finish();
  return out.written();
}

template <template <class> class Form> std::uint64_t rapidbin_rows(const std::string& path) {
  const auto events = rapidbin::open_events(io::open_input(path), {});
  Form<rapidbin::row> out(std::make_unique<forgetting_sink>());
  for (;;) {
    const rapidbin::event_batch b = events->next();
    if (b.size() == 0) break;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const rapidbin::event e = b.events[i];
      out.write(rapidbin::row_of(b.index(i), e));
    }
  }
  out.finish();
  return out.written();
}

// Writes all execution records, or only those of instructions. A record with a context has 16
// times as much text.
template <template <class> class Form, bool All>
std::uint64_t umtracer_rows(const std::string& folder) {
  const umtracer::reader trace(folder);
  umtracer::exec_rows<> row_of(trace);
  Form<umtracer::exec_row<>> out(std::make_unique<forgetting_sink>());
  for (std::uint64_t i = 0, n = trace.size(); i < n; ++i) {
    const umtracer::exec_row<> row = row_of(i);
    if (All || row.instruction_id) out.write(row);
  }
  out.finish();
  return out.written();
}

#ifdef TRACECODEC_WITH_SIMDJSON
namespace x64dbg = tracecodec::x64dbg;
using tracecodec::wire::target;

template <target T, template <class> class Form>
std::uint64_t x64dbg_rows(const std::string& path) {
  x64dbg::reader<T> trace(io::open_input(path));
  Form<x64dbg::row<T>> out(std::make_unique<forgetting_sink>());
  for (const auto& i : trace) out.write(x64dbg::row_of<T>(i));
  out.finish();
  return out.written();
}
#endif

// Traces that are exported. Compressed test data are decompressed into the temporary folder.
struct exported {
  std::string data = std::string(TRACECODEC_TEST_DATA) + "/";
  unpacked champsim{"work32.champsimtrace.xz"};
  std::string rapidbin = data + "rapidbin/r6000.data";
  std::string umtracer = data + "umtracer/plain64";
#ifdef TRACECODEC_WITH_SIMDJSON
  unpacked x64dbg32{"work32.trace32.xz"}, x64dbg64{"threads3_64.trace64.xz"};
#endif
};

// Calls measure(name, path, pass) for each trace and form. pass(path) writes all rows of the
// trace.
template <class Measure> void for_each_export(const exported& from, Measure measure) {
  measure("champsim/jsonl", from.champsim.path(), champsim_rows<rows::json_lines>);
  measure("champsim/csv", from.champsim.path(), champsim_rows<rows::csv>);
  measure("rapidbin/jsonl", from.rapidbin, rapidbin_rows<rows::json_lines>);
  measure("rapidbin/csv", from.rapidbin, rapidbin_rows<rows::csv>);
  measure("umtracer/jsonl", from.umtracer, umtracer_rows<rows::json_lines, true>);
  measure("umtracer/csv", from.umtracer, umtracer_rows<rows::csv, true>);
  measure("umtracer_instructions/jsonl", from.umtracer, umtracer_rows<rows::json_lines, false>);
  measure("umtracer_instructions/csv", from.umtracer, umtracer_rows<rows::csv, false>);
#ifdef TRACECODEC_WITH_SIMDJSON
  measure("x64dbg32/jsonl", from.x64dbg32.path(), x64dbg_rows<target::x86, rows::json_lines>);
  measure("x64dbg32/csv", from.x64dbg32.path(), x64dbg_rows<target::x86, rows::csv>);
  measure("x64dbg64/jsonl", from.x64dbg64.path(), x64dbg_rows<target::x64, rows::json_lines>);
  measure("x64dbg64/csv", from.x64dbg64.path(), x64dbg_rows<target::x64, rows::csv>);
#endif
}

}  // namespace bench
