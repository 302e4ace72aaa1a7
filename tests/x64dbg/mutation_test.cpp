// Random damage: readers throw only trace_error, and use no more memory than the file's size.
#include <doctest/doctest.h>

#include <memory>
#include <random>

#include "support.hpp"
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/memory.hpp"
#include "tracecodec/x64dbg/repair.hpp"

using namespace test;

namespace {
// Returns the first `size` bytes of a sample: its header and a few hundred blocks.
bytes part_of(const std::string& name, std::size_t size) {
  auto all = content(data(name));
  all.resize(size);
  return all;
}

void try_everything(const std::string& path, bool map) {
  const auto open = [&] { return io::open_input(path, {.map = map}); };
  error_of([&] {
    x64dbg::with_reader(open(), {}, [](auto& r) {
      for ([[maybe_unused]] const auto& i : r)
        for ([[maybe_unused]] const auto& a : i.accesses()) continue;
    });
  });
  bytes out;
  error_of([&] {
    x64dbg::repair(open(), std::make_unique<vector_sink>(out), "out",
                   [](const x64dbg::mended_place&) {});
  });
  std::uint64_t reports = 0;
  x64dbg::check(open(), [&reports](const tracecodec::diagnostic&) { ++reports; });
  CHECK(reports <= 6 * x64dbg::check_rules.size());
  error_of([&] {
    x64dbg::with_reader(open(), {.without_snapshot = true}, []<target T>(x64dbg::reader<T>& r) {
      const auto index = x64dbg::index_of(r);
      x64dbg::memory_queries<T> memory(r, index);
      memory.at(index.instructions() / 2, 0x1000, 4);
    });
  });
}
}  // namespace

TEST_CASE("random damage causes only trace_error and no excess memory") {
  const folder dir;
  std::mt19937 random(7);
  const std::vector<bytes> starts{
      part_of("work32.trace32.xz", 9000), part_of("threads3_64.trace64.xz", 14000),
      part_of("threads3_64_legacybug.trace64.xz", 14000), small_trace()};
  for (int round = 0; round < 600; ++round) {
    bytes t = starts[random() % starts.size()];
    const int edits = 1 + static_cast<int>(random() % 8);
    for (int e = 0; e < edits; ++e) {
      const std::size_t at = random() % t.size();
      switch (random() % 4) {
        case 0:
          t[at] = static_cast<std::byte>(random());
          break;
        case 1:
          t[at] ^= static_cast<std::byte>(1U << random() % 8);
          break;
        case 2:
          t.erase(t.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        default:
          t.insert(t.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::byte>(random()));
      }
    }
    if (random() % 4 == 0) t.resize(random() % t.size() + 1);
    try_everything(dir.file("m", t), round % 3 != 0);
  }
}
