// Random damage: the reader throws only trace_error, and a check does not throw at all.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tracecodec/umtracer/check.hpp"
#include "umtracer/tiny_trace.hpp"
#include "umtracer/walk.hpp"

using namespace test;
using tracecodec::wire::array_view;
using umtracer::file;

namespace {
using contents = std::array<bytes, umtracer::file_count>;

// Returns the first records of a sample with all of its small tables, for which a walk is short.
contents part_of(const std::string& name, std::size_t records) {
  contents all;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] =
        content(umtracer_sample(name) + '/' + std::string(umtracer::name(static_cast<file>(i))));
  const auto of = [&all](file f) -> bytes& { return all[static_cast<std::size_t>(f)]; };
  of(file::exec_offsets).resize(8 * (records + 1));
  of(file::exec_neighbours).resize(16 * records);
  const array_view<tracecodec::wire::u64le> offsets{
      std::span<const std::byte>(of(file::exec_offsets))};
  of(file::exec_records).resize(static_cast<std::size_t>(offsets[records]));
  const bytes count = fields({{records, 8}});
  std::copy(count.begin(), count.end(), of(file::exec_records).begin() + 8);
  return all;
}
contents tiny() {
  tiny_trace t;
  contents all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = t[static_cast<file>(i)];
  return all;
}

// Chooses an offset at which damage has much effect, often at the start of the file.
std::size_t place(std::mt19937& random, std::size_t size) {
  return random() % (random() % 3 == 0 ? std::min<std::size_t>(size, 64) : size);
}

void damage(bytes& b, std::mt19937& random) {
  constexpr std::array<std::uint64_t, 8> nasty{0,
                                               1,
                                               ~std::uint64_t{0},
                                               std::uint64_t{1} << 63,
                                               (std::uint64_t{1} << 63) - 1,
                                               std::uint64_t{1} << 32,
                                               0xFFFFFFFF,
                                               0xFFFF};
  if (b.empty()) return;
  const std::size_t at = place(random, b.size());
  switch (random() % 5) {
    case 0:
      b[at] = static_cast<std::byte>(random());
      break;
    case 1:
      b[at] ^= static_cast<std::byte>(1U << random() % 8);
      break;
    case 2: {
      const bytes n = fields({{nasty[random() % nasty.size()], 8}});
      const std::size_t aligned = at / 8 * 8;
      std::copy_n(n.begin(), std::min<std::size_t>(8, b.size() - aligned),
                  b.begin() + static_cast<std::ptrdiff_t>(aligned));
      break;
    }
    case 3:
      if (random() % 2 == 0) b.erase(b.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    default:
      if (random() % 4 == 0) b.resize(random() % b.size() + 1);
  }
}
}  // namespace

TEST_CASE("random damage causes only trace_error") {
  std::mt19937 random(11);
  const std::array<contents, 4> starts{tiny(), part_of("awkward32", 24), part_of("awkward64", 30),
                                       part_of("plain64", 30)};
  std::size_t opened = 0, errors = 0, damaged = 0;
  for (int round = 0; round < 3000; ++round) {
    contents t = starts[random() % starts.size()];
    const auto edits = 1 + random() % 6;
    for (unsigned e = 0; e < edits; ++e) damage(t[random() % t.size()], random);
    // A copy has no spare bytes at its end, so that an address sanitizer detects reads beyond it.
    const contents exact = t;
    umtracer::trace_files::contents views;
    for (std::size_t i = 0; i < exact.size(); ++i) views[i] = exact[i];
    std::uint64_t reports = 0;
    umtracer::check(umtracer::trace_files(views, "mutated"),
                    [&reports](const tracecodec::diagnostic&) { ++reports; });
    CHECK(reports <= 6 * umtracer::check_rules.size());
    damaged += reports != 0 ? 1 : 0;
    for (const bool lenient : {false, true}) {
      error_of([&] {
        const umtracer::reader r(umtracer::trace_files(views, "mutated"), {.lenient = lenient});
        ++opened;
        errors += walk(r).errors;
      });
    }
  }
  CHECK(opened > 2000);
  CHECK(damaged > 2000);
  CHECK(errors < nameless);
}
