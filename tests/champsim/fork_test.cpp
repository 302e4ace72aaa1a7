// Tests of a fork's record: 88 bytes, with fields before the ip, described only by its struct.
#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"
#include "tracecodec/feed/adaptors.hpp"

namespace champsim = tracecodec::champsim;

namespace {
struct fork_instruction {
  std::uint64_t sequence;
  std::uint32_t thread;
  std::uint16_t code_length;
  std::uint64_t value;
  std::uint64_t ip;
  std::uint8_t is_branch;
  std::uint8_t branch_taken;
  std::array<std::uint8_t, 2> destination_registers;
  std::array<std::uint8_t, 4> source_registers;
  std::array<std::uint64_t, 2> destination_memory;
  std::array<std::uint64_t, 4> source_memory;
  friend bool operator==(const fork_instruction&, const fork_instruction&) = default;
};
// The compiler's own layout of the C struct, with C arrays, is the reference.
struct fork_in_c {
  std::uint64_t sequence;
  std::uint32_t thread;
  std::uint16_t code_length;
  std::uint64_t value;
  std::uint64_t ip;
  unsigned char is_branch, branch_taken, destination_registers[2], source_registers[4];
  std::uint64_t destination_memory[2], source_memory[4];
};
using fork_codec = champsim::codec_of<fork_instruction>;
static_assert(fork_codec::size == 88);
static_assert(fork_codec::offset_of<&fork_instruction::ip> == 24);
#ifdef __x86_64__
static_assert(sizeof(fork_in_c) == 88);
static_assert(fork_codec::offset_of<&fork_instruction::ip> == offsetof(fork_in_c, ip));
static_assert(fork_codec::offset_of<&fork_instruction::value> == offsetof(fork_in_c, value));
static_assert(fork_codec::offset_of<&fork_instruction::source_memory> ==
              offsetof(fork_in_c, source_memory));
static_assert(fork_codec::object_layout && !fork_codec::object_bytes);
#endif
}  // namespace

TEST_CASE("writes, reads, feeds and checks a fork's trace with only its struct") {
  const test::folder dir;
  const std::string path = dir / (test::with_zstd ? "fork.zst" : "fork");
  std::vector<fork_instruction> all;
  for (const auto& r : test::records(5000))
    all.push_back({all.size(), 7, 4, 99, r.ip, r.is_branch, r.branch_taken, r.destination_registers,
                   r.source_registers, r.destination_memory, r.source_memory});
  {
    champsim::writer<fork_codec> out(path);
    out.write(all);
    out.finish();
  }
  champsim::trace_feed<fork_instruction> feed(path);
  std::size_t n = 0, taken = 0;
  for (const auto& i : feed) {
    CHECK(i.record() == all[n]);
    if (i.branch() == champsim::branch_class::conditional) {
      ++taken;
      CHECK(i.target() == (n + 1 < all.size() ? all[n + 1].ip : 0));
    }
    ++n;
  }
  CHECK(n == 5000);
  CHECK(taken == 500);
  const auto summary = champsim::check<fork_instruction>(
      tracecodec::io::open_input(path), [](const tracecodec::diagnostic& d) { FAIL(d.message); });
  CHECK(summary.records == 5000);
}
