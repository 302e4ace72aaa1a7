// Shared by the tests of tracepack: content of many kinds, packed and unpacked in memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "opened.hpp"
#include "parts.hpp"
#include "tracecodec/tracepack/reader.hpp"
#include "tracecodec/tracepack/writer.hpp"
#include "tracecodec/wire/types/scalar.hpp"

namespace test {

using tracepack::level;
using tracepack::pack_options;
using tracepack::property;
using tracepack::record_kind;

// Random numbers that are equal on every host.
class drawn {
 public:
  explicit drawn(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t number() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ ^ state_ >> 29;
  }
  std::uint64_t below(std::uint64_t n) { return (number() >> 11) % n; }

 private:
  std::uint64_t state_;
};

inline bytes noise(std::size_t n, std::uint64_t seed = 1) {
  drawn d(seed);
  bytes all(n);
  for (std::byte& b : all) b = static_cast<std::byte>(d.number() >> 40);
  return all;
}

// Returns `n` records, laid out by `s`, of an artificial program: loops over arrays, calls, a
// linked list, and random accesses.
inline bytes program(std::size_t n, const tracepack::shape& s, std::uint64_t seed = 1) {
  drawn d(seed);
  bytes all(n * s.size);
  const auto word = [&](std::size_t record, std::size_t at, std::uint64_t v) {
    tracecodec::wire::u64le::store(v, all.data() + record * s.size + at);
  };
  constexpr std::uint64_t code = 0x401000;
  std::uint64_t function = 0, step = 0, node = 0x7f0000000000, loops = 3;
  for (std::size_t i = 0; i != n; ++i) {
    const std::uint64_t length = 5 + function % 7;
    word(i, s.ip, code + function * 0x100 + step * 3 + step / 2);
    const auto at = [&](std::size_t offset) -> std::byte& { return all[i * s.size + offset]; };
    const std::uint64_t kind = (function * 31 + step * 7) % 5;
    if (!s.bases.empty())
      at(s.bases[0]) = static_cast<std::byte>(function % 3 == 0 ? 6 : 3 + step % 4);
    if (!s.slots.empty() && kind < 3) {
      const std::uint16_t slot =
          s.slots[static_cast<std::size_t>(function + step) % s.slots.size()];
      if (kind == 0) word(i, slot, 0x600000 + (i / 3) * 8);
      if (kind == 1) word(i, slot, node);
      if (kind == 2) word(i, slot, 0x7fffffffe000 - function * 64 + step * 8);
      if (d.below(50) == 0) word(i, slot, d.number() | 1);
    }
    if (kind == 1) node = 0x7f0000000000 + d.below(1000) * 48;
    ++step;
    if (step != length) continue;
    if (!s.flags.empty()) at(s.flags[0]) = std::byte{1};
    if (s.flags.size() > 1) at(s.flags[1]) = static_cast<std::byte>(loops != 0);
    step = 0;
    if (loops != 0) {
      --loops;
      continue;
    }
    loops = d.below(6);
    function = d.below(4) == 0 ? d.below(40) : (function + 1) % 40;
  }
  return all;
}
inline bytes program(std::size_t n, std::uint64_t seed = 1) {
  return program(n, tracepack::champsim_shape(), seed);
}

inline pack_options options_of(std::uint32_t frame_records, level l = level::fast,
                               tracepack::about a = tracepack::about_champsim()) {
  a.frame_records = frame_records;
  return {std::move(a), l};
}
inline pack_options of_bytes(std::uint16_t size = 1) {
  tracepack::about a;
  a.kind = record_kind::bytes;
  a.shape = {.size = size};
  return {std::move(a), level::fast};
}

inline bytes packed(std::span<const std::byte> content, const pack_options& options = {},
                    std::size_t chunk = std::size_t{1} << 20) {
  bytes out;
  tracepack::writer w(std::make_unique<vector_sink>(out), options);
  while (!content.empty()) {
    const std::size_t n = std::min(chunk, content.size());
    w.write(content.first(n));
    content = content.subspan(n);
  }
  w.finish();
  return out;
}

// Content that was read, and the final error.
struct outcome {
  bytes content = {};
  std::optional<trace_error> error = {};
  std::vector<tracepack::lost_records> lost = {};  // in lenient mode
};
inline outcome drained(tracepack::reader& r) {
  outcome all;
  all.error = error_of([&] {
    for (auto b = r.next(); !b.bytes.empty(); b = r.next())
      all.content.insert(all.content.end(), b.bytes.begin(), b.bytes.end());
  });
  return all;
}
inline outcome unpacked(std::span<const std::byte> file, way how = way::mapped) {
  outcome all;
  all.error = error_of([&] {
    tracepack::reader r(opened(file, how));
    all = drained(r);
    if (all.error) throw *all.error;
  });
  return all;
}
inline outcome unpacked_leniently(std::span<const std::byte> file, way how = way::mapped) {
  outcome all;
  std::vector<tracepack::lost_records> lost;
  all.error = error_of([&] {
    tracepack::reader r(opened(file, how),
                        {.lost = [&lost](const tracepack::lost_records& e) { lost.push_back(e); }});
    all = drained(r);
    if (all.error) throw *all.error;
  });
  all.lost = std::move(lost);
  return all;
}

inline bytes part(std::span<const std::byte> all, std::size_t from, std::size_t n) {
  const auto some = all.subspan(std::min(from, all.size()));
  const auto these = some.first(std::min(n, some.size()));
  return {these.begin(), these.end()};
}

}  // namespace test
