// Reference for bench/python.py: one pass over a trace in C++. Prints its processor time in
// seconds, and a sum over the values that it read.
//
//   python_baseline records|columns|xz TRACE
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/champsim/reader.hpp>
#include <tracecodec/io/open.hpp>

#ifdef TRACECODEC_WITH_XZ
#include "xz_by_hand.hpp"
#endif

namespace {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;

// Sums up one field of each record.
std::uint64_t sum_of_records(const std::string& path) {
  champsim::reader<champsim::instruction_codec> trace(io::open_input(path));
  std::uint64_t sum = 0;
  for (auto batch = trace.next(); !batch.records.empty(); batch = trace.next())
    for (const champsim::instruction& r : batch.records) sum += r.ip;
  return sum;
}

// Fills four columns, 4,096 rows at a time, like the Python package, and sums up their last
// values.
std::uint64_t sum_of_columns(const std::string& path) {
  champsim::trace_feed<> trace(path);
  std::vector<std::uint64_t> ip, target;
  std::vector<champsim::branch_class> branch;
  std::vector<std::uint8_t> taken;
  std::uint64_t sum = 0;
  const auto pass_on = [&] {
    if (ip.empty()) return;
    sum += ip.back() + target.back() + static_cast<std::uint8_t>(branch.back()) + taken.back();
    ip.clear();
    target.clear();
    branch.clear();
    taken.clear();
  };
  tracecodec::feed::for_each(trace, [&](const auto& i) {
    ip.push_back(i.ip());
    branch.push_back(i.branch());
    taken.push_back(i.taken() ? 1 : 0);
    target.push_back(i.target());
    if (ip.size() == 4096) pass_on();
  });
  pass_on();
  return sum;
}

std::uint64_t run(const std::string& what, const std::string& path) {
  if (what == "records") return sum_of_records(path);
  if (what == "columns") return sum_of_columns(path);
#ifdef TRACECODEC_WITH_XZ
  if (what == "xz") return bench::decompress_by_hand(path);
#endif
  throw std::runtime_error("records, columns or xz");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("python_baseline records|columns|xz TRACE");
  const std::clock_t begin = std::clock();
  const std::uint64_t sum = run(argv[1], argv[2]);
  std::printf("%.6f %llu\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC,
              static_cast<unsigned long long>(sum));
} catch (const std::exception& e) {
  std::fprintf(stderr, "error: %s\n", e.what());
  return 1;
}
