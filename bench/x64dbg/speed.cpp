// The library's passes over an x64 trace against by_hand.hpp: speed JOB FILE [ROUNDS], where JOB is
// index, decode, hand-index, hand-decode (once each, for callgrind) or ratio (in turns).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "tracecodec/x64dbg/reader.hpp"

namespace {
using namespace tracecodec;
constexpr auto x64 = wire::target::x64;
using by_hand::totals;

[[gnu::noinline]] totals index_pass(x64dbg::block_reader<x64>& blocks) {
  std::uint64_t instructions = 0, snapshots = 0;
  x64dbg::block<x64> b;
  while (blocks.next(b)) {
    ++instructions;
    snapshots += b.snapshot();
  }
  return {instructions, snapshots};
}

[[gnu::noinline]] totals decode_pass(x64dbg::reader<x64>& trace) {
  std::uint64_t instructions = 0, ips = 0, threads = 0, addresses = 0;
  for (const auto& i : trace) {
    ++instructions;
    ips += i.ip();
    threads += i.thread.value_or(0);
    if (!i.block.addresses.empty()) addresses += i.block.addresses[0];
  }
  return {instructions, 0, ips, threads, addresses};
}

std::span<const std::byte> blocks_of(const io::input& in) {
  const auto all = in.bytes();
  return all.subspan(8 + wire::u32le::load(&all[4]));
}

template <class F> double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string job = argv[1], path = argv[2];
  const auto by_hand_index = [&] {
    const auto in = io::open_input(path);
    return by_hand::index_pass(blocks_of(in));
  };
  const auto by_hand_decode = [&] {
    const auto in = io::open_input(path);
    return by_hand::decode_pass(blocks_of(in));
  };
  const auto index = [&] {
    x64dbg::block_reader<x64> blocks(io::open_input(path));
    return index_pass(blocks);
  };
  const auto decode = [&] {
    x64dbg::reader<x64> trace(io::open_input(path));
    return decode_pass(trace);
  };
  if (job != "ratio") {
    const totals t = job == "index"        ? index()
                     : job == "decode"     ? decode()
                     : job == "hand-index" ? by_hand_index()
                                           : by_hand_decode();
    std::printf("%llu %llx\n", static_cast<unsigned long long>(t.instructions),
                static_cast<unsigned long long>(t.ips));
    return 0;
  }
  std::vector<double> a, b, c, d;
  totals i1, i2, d1, d2;
  for (int round = argc > 3 ? std::atoi(argv[3]) : 7; round > 0; --round) {
    a.push_back(seconds([&] { i1 = by_hand_index(); }));
    b.push_back(seconds([&] { i2 = index(); }));
    c.push_back(seconds([&] { d1 = by_hand_decode(); }));
    d.push_back(seconds([&] { d2 = decode(); }));
  }
  if (i1 != i2 || d1 != d2) return std::puts("the results differ"), 1;
  const auto best = [](const std::vector<double>& v) {
    return *std::min_element(v.begin(), v.end());
  };
  const double n = static_cast<double>(i1.instructions) / 1e6;
  std::printf("index:  by hand %.1f, library %.1f million/s, ratio %.3f\n", n / best(a),
              n / best(b), best(a) / best(b));
  std::printf("decode: by hand %.1f, library %.1f million/s, ratio %.3f\n", n / best(c),
              n / best(d), best(c) / best(d));
}
