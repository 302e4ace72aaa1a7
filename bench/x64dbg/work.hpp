// The two measured passes over an x64dbg trace, with the library and by hand. The traces
// repeat the blocks of one of the tests' samples.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tracecodec/x64dbg/reader.hpp>
#include <tracecodec/x64dbg/reader/index.hpp>

#include "by_hand.hpp"

namespace bench {

namespace io = tracecodec::io;
namespace x64dbg = tracecodec::x64dbg;
using tracecodec::wire::target;
using tracecodec::wire::word_t;

// Writes to `path` the header of `sample`, then its blocks `times` times. `sample` is a
// compressed trace in the folder of the test data.
template <target T>
void write_blocks(const std::string& path, const std::string& sample, std::size_t times) {
  const std::string from = std::string(TRACECODEC_TEST_DATA) + "/" + sample;
  const auto first =
      static_cast<std::size_t>(x64dbg::block_reader<T>(io::open_input(from)).first().offset);
  auto in = io::open_input(from);
  std::vector<std::byte> all(std::size_t{1} << 23);
  std::size_t n = 0;
  while (const std::size_t got = in.read(std::span(all).subspan(n))) n += got;
  std::ofstream out(path, std::ios::binary);
  const auto put = [&](std::size_t at, std::size_t bytes) {
    out.write(reinterpret_cast<const char*>(all.data() + at), static_cast<std::streamsize>(bytes));
  };
  put(0, first);
  for (std::size_t i = 0; i < times; ++i) put(first, n - first);
  if (!out.flush()) std::abort();
}

// Sums over the details of each instruction.
struct digest {
  std::uint64_t instructions = 0;
  std::uint64_t sum = 0;
  std::uint64_t memory = 0;

  [[gnu::always_inline]] void begin(std::uint64_t ip, std::span<const std::byte> opcode,
                                    std::optional<std::uint32_t> thread) {
    ++instructions;
    sum += ip ^ opcode.size();
    sum ^= std::to_integer<std::uint64_t>(opcode.front()) +
           std::to_integer<std::uint64_t>(opcode.back());
    if (thread) sum += *thread;
  }
  [[gnu::always_inline]] void access(std::uint64_t address, std::uint64_t old_value,
                                     std::optional<std::uint64_t> new_value) {
    memory += address ^ old_value;
    if (new_value) memory ^= *new_value;
  }
  friend bool operator==(const digest&, const digest&) = default;
};

// Mapped trace, and the offset of its first block.
template <target T> struct trace {
  explicit trace(const std::string& path)
      : input(io::open_input(path)),
        first(static_cast<std::size_t>(
            x64dbg::block_reader<T>(io::open_input(path)).first().offset)) {}
  io::input input;
  std::size_t first;
};

struct indexed {
  std::uint64_t instructions = 0;
  std::uint64_t end = 0;
  std::size_t snapshots = 0;
  std::uint64_t last = 0;
  friend bool operator==(const indexed&, const indexed&) = default;
};

template <target T> indexed index_by_hand(const trace<T>& from) {
  std::vector<by_hand::snapshot> snapshots;
  const by_hand::ending e = by_hand::x64dbg<word_t<T>>::index(
      from.input.bytes(), from.first, x64dbg::snapshot_index::default_spacing, snapshots);
  if (e.why != by_hand::problem::none) std::abort();
  return {e.instruction, e.offset, snapshots.size(), snapshots.back().instruction};
}
template <target T> [[gnu::noinline]] indexed index_with_library(x64dbg::block_reader<T>& blocks) {
  x64dbg::snapshot_index index;
  index.add(blocks);
  return {index.instructions(), index.end().offset, index.snapshots().size(),
          index.snapshots().back().instruction};
}

template <target T> digest decode_by_hand(const trace<T>& from) {
  digest d;
  const by_hand::ending e = by_hand::x64dbg<word_t<T>>::decode(from.input.bytes(), from.first, d);
  if (e.why != by_hand::problem::none) std::abort();
  return d;
}
template <target T> [[gnu::noinline]] void decode_range(x64dbg::reader<T>& reader, digest& out) {
  digest d = out;
  for (const auto& i : reader) {
    d.begin(i.ip(), i.opcode(), i.thread);
    for (const x64dbg::memory_access& a : i.accesses())
      d.access(a.address, a.old_value, a.new_value);
  }
  out = d;
}
template <target T> digest decode_with_library(x64dbg::reader<T>& reader) {
  digest d;
  decode_range<T>(reader, d);
  return d;
}

}  // namespace bench
