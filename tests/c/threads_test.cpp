// Tests of tracecodec.h: several traces in several threads.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "c/support.hpp"

namespace {

// Returns a sum over all instructions: by records, or by an Arrow stream whose batches another
// thread releases.
std::uint64_t by_records(const std::string& path, std::uint64_t index, std::uint64_t of) {
  const auto t = test::open(path);
  if (tracecodec_shard(t.get(), index, of) != TRACECODEC_OK) return 0;
  std::uint64_t sum = 0;
  const tracecodec_record* records = nullptr;
  std::size_t n = 0;
  while (tracecodec_next_records(t.get(), test::any, &records, &n) == TRACECODEC_OK && n != 0)
    for (std::size_t i = 0; i != n; ++i) sum += records[i].ip;
  return tracecodec_last_error(t.get()) == nullptr ? sum : 0;
}
std::uint64_t by_arrow(const std::string& path, std::uint64_t index, std::uint64_t of) {
  auto t = test::open(path);
  if (tracecodec_shard(t.get(), index, of) != TRACECODEC_OK) return 0;
  if (tracecodec_want(t.get(), test::bit(TRACECODEC_COLUMN_IP), 0) != TRACECODEC_OK) return 0;
  ArrowArrayStream stream{};
  if (tracecodec_arrow_stream(t.release(), 0, &stream) != TRACECODEC_OK) return 0;
  std::uint64_t sum = 0;
  std::vector<ArrowArray> all;
  for (ArrowArray a{}; stream.get_next(&stream, &a) == 0 && a.release != nullptr;) all.push_back(a);
  stream.release(&stream);
  std::thread([&all, &sum] {
    for (ArrowArray& a : all) {
      const auto* const ips = static_cast<const std::uint64_t*>(a.children[0]->buffers[1]);
      for (std::int64_t i = 0; i != a.length; ++i) sum += ips[i];
      a.release(&a);
    }
  }).join();
  return sum;
}

}  // namespace

TEST_CASE("reads parts of traces in separate threads") {
  std::vector<std::string> paths{test::data("rapidbin/r6000.data")};
  if (test::with_xz) paths.push_back(test::data("sed64.champsimtrace.xz"));
  for (const std::string& path : paths) {
    CAPTURE(path);
    const std::uint64_t whole = by_records(path, 0, 1);
    CHECK(whole != 0);
    constexpr std::uint64_t parts = 4;
    std::atomic<std::uint64_t> records{0}, arrow{0};
    std::vector<std::thread> all;
    for (std::uint64_t k = 0; k != parts; ++k) {
      all.emplace_back([&, k] { records += by_records(path, k, parts); });
      all.emplace_back([&, k] { arrow += by_arrow(path, k, parts); });
    }
    for (std::thread& t : all) t.join();
    CHECK(records == whole);
    CHECK(arrow == whole);
  }
}
