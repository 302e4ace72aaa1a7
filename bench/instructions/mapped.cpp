// Counts the instructions of feed::of against hand-written loops over the same mapped file,
// under callgrind. Dumps counts like records.cpp. Keeps the traces in the current folder while
// it runs.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <tracecodec/feed/of.hpp>
#include <tracecodec/file.hpp>
#include <tracecodec/wire/rules/constant.hpp>

namespace {

namespace feed = tracecodec::feed;
namespace file = tracecodec::file;
namespace io = tracecodec::io;
namespace map = feed::map;
namespace wire = tracecodec::wire;
using feed::branch_class;

// The format of docs/descriptors.md, section 10: packed records of 19 bytes after a header of
// 16.
struct header {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t steps;
};
enum class kind : std::uint8_t { plain, load, store, jump };
struct step {
  std::uint64_t ip;
  std::uint16_t thread;
  kind what;
  std::uint64_t address;
};
using header_codec =
    wire::record<wire::fields<wire::constant<&header::magic, "STEP">,
                              wire::constant<&header::version, 1>, wire::field<&header::steps>>>;
using step_file = file::of<
    "STEP trace", file::header<header_codec>,
    file::records<wire::record<step>, file::counted_by<&header::steps>, file::each<"step">>>;
template <class... Target> using step_feed =
    feed::of<step_file, map::ip<&step::ip>, map::asid<&step::thread>,
             map::branch<branch_class::direct_jump, map::is<&step::what, kind::jump>>,
             map::source_memory<&step::address, map::is<&step::what, kind::load>>,
             map::destination_memory<&step::address, map::is<&step::what, kind::store>>, Target...>;
using with_target = step_feed<map::target<&step::address>>;
using to_the_next = step_feed<>;

// Records with arrays of operands: 38 bytes, big-endian.
struct move {
  std::uint64_t ip;
  std::uint8_t what;  // 1: conditional, 2: call
  std::uint8_t taken;
  std::array<std::uint8_t, 4> registers;
  std::array<std::uint64_t, 3> stores;
};
using move_file = file::of<"moves", file::records<wire::record<move, wire::order::big>>>;
using move_feed = feed::of<
    move_file, map::ip<&move::ip>, map::branch<branch_class::conditional, map::is<&move::what, 1>>,
    map::branch<branch_class::direct_call, map::is<&move::what, 2>>, map::taken<&move::taken>,
    map::source_registers<&move::registers>, map::destination_memory<&move::stores>>;

// Sums that use everything that the feeds derive.
struct sums {
  std::array<std::uint64_t, 8> classes = {};
  std::uint64_t ips = 0, taken = 0, targets = 0, threads = 0, reads = 0, writes = 0;
  std::array<std::uint64_t, 256> registers = {};  // number of reads of each register

  template <class I> [[gnu::always_inline]] void operator()(const I& i) {
    count(i.ip(), i.branch(), i.taken(), i.target());
    threads += i.asid();
    for (const std::uint64_t a : i.source_memory()) reads += a;
    for (const std::uint64_t a : i.destination_memory()) writes += a;
    for (const std::uint8_t r : i.source_registers()) ++registers[r];
    keep();
  }
  void count(std::uint64_t ip, branch_class c, bool is_taken, std::uint64_t target) {
    ips += ip;
    ++classes[static_cast<std::size_t>(c)];
    taken += is_taken;
    targets += target;
  }
  // Forces the sums into memory, because a front end's state would be in memory. Otherwise the
  // compiler would keep an arbitrary choice of these sums in registers.
  void keep() { asm volatile("" : "+m"(*this)); }
  friend bool operator==(const sums&, const sums&) = default;
};

template <class T> T load(const std::byte* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
std::uint64_t load_big(const std::byte* p) { return __builtin_bswap64(load<std::uint64_t>(p)); }

template <bool Target> [[gnu::noinline]] sums steps_by_hand(std::span<const std::byte> content) {
  sums s;
  const std::byte* p = content.data() + 16;
  const std::byte* const end = content.data() + content.size();
  for (; p != end; p += 19) {
    const auto what = load<kind>(p + 10);
    const auto address = load<std::uint64_t>(p + 11);
    const bool jump = what == kind::jump;
    std::uint64_t target = 0;
    if (jump) target = Target ? address : p + 19 != end ? load<std::uint64_t>(p + 19) : 0;
    s.count(load<std::uint64_t>(p), jump ? branch_class::direct_jump : branch_class::not_branch,
            jump, target);
    s.threads += load<std::uint16_t>(p + 8);
    if (what == kind::load) s.reads += address;
    if (what == kind::store) s.writes += address;
    s.keep();
  }
  return s;
}

[[gnu::noinline]] sums moves_by_hand(std::span<const std::byte> content) {
  sums s;
  const std::byte* p = content.data();
  const std::byte* const end = p + content.size();
  for (; p != end; p += 38) {
    const auto what = load<std::uint8_t>(p + 8);
    const branch_class c = what == 1   ? branch_class::conditional
                           : what == 2 ? branch_class::direct_call
                                       : branch_class::not_branch;
    const bool taken = c != branch_class::not_branch && load<std::uint8_t>(p + 9) != 0;
    s.count(load_big(p), c, taken, taken && p + 38 != end ? load_big(p + 38) : 0);
    for (std::size_t i = 0; i < 4; ++i)
      if (const auto r = load<std::uint8_t>(p + 10 + i); r != 0) ++s.registers[r];
    for (std::size_t i = 0; i < 3; ++i)
      if (const auto a = load_big(p + 14 + 8 * i); a != 0) s.writes += a;
    s.keep();
  }
  return s;
}

template <class Feed> [[gnu::noinline]] sums run_range(Feed& from) {
  sums s;
  for (const auto& i : from) s(i);
  return s;
}
template <class Feed> [[gnu::noinline]] sums run_for_each(Feed& from) {
  sums s;
  feed::for_each(from, s);
  return s;
}

std::uint64_t random(std::uint64_t& state) {  // xorshift64
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
std::vector<step> some_steps(std::size_t n) {
  std::vector<step> all;
  std::uint64_t state = 88172645463325252, ip = 0x401000;
  while (all.size() < n) {
    const std::uint64_t dice = random(state);
    const auto what = static_cast<kind>((dice >> 8 & 15) < 4 ? dice >> 8 & 3 : 0);
    all.push_back({ip, static_cast<std::uint16_t>(dice >> 40 & 7), what, dice >> 20});
    ip = what == kind::jump ? dice >> 20 : ip + 4;
  }
  return all;
}
std::vector<move> some_moves(std::size_t n) {
  std::vector<move> all;
  std::uint64_t state = 88172645463325252;
  while (all.size() < n) {
    const std::uint64_t dice = random(state);
    move m{0x401000 + 4 * all.size(), 0, 0, {static_cast<std::uint8_t>(dice & 31), 0, 7, 0}, {}};
    if ((dice >> 8 & 7) < 2) m.what = static_cast<std::uint8_t>(1 + (dice >> 8 & 1));
    m.taken = (dice >> 12 & 3) != 0;
    if ((dice >> 16 & 3) == 0) m.stores[1] = dice >> 20;
    all.push_back(m);
  }
  return all;
}

template <class F> sums measure(const std::string& name, std::size_t n, F&& f) {
  const std::string dump = name + "/" + std::to_string(n);
  CALLGRIND_ZERO_STATS;
  const sums result = f();
  CALLGRIND_DUMP_STATS_AT(dump.c_str());
  return result;
}

template <class Feed, class ByHand>
bool compare(const std::string& name, const std::string& path, std::size_t n, ByHand by_hand) {
  const auto input = io::open_input(path);
  Feed from(path);
  const auto expected =
      measure("range/" + name + "/by_hand", n, [&] { return by_hand(input.bytes()); });
  measure("for_each/" + name + "/by_hand", n, [&] { return by_hand(input.bytes()); });
  const auto range = measure("range/" + name + "/library", n, [&] { return run_range(from); });
  from.rewind();
  const auto each = measure("for_each/" + name + "/library", n, [&] { return run_for_each(from); });
  return range == expected && each == expected;
}
bool compare(std::size_t n) {
  const std::string path = "mapped.trace";
  step_file::write(path, some_steps(n));
  bool same = compare<with_target>("target", path, n, steps_by_hand<true>) &&
              compare<to_the_next>("next", path, n, steps_by_hand<false>);
  move_file::write(path, some_moves(n));
  same = compare<move_feed>("arrays", path, n, moves_by_hand) && same;
  std::remove(path.c_str());
  return same;
}

}  // namespace

int main() {
  // Both sizes are whole batches, so that the ends of batches are counted, too.
  const bool same = compare(4 * 4096) && compare(12 * 4096);
  if (!same) std::fprintf(stderr, "the feed and the loops by hand differ\n");
  return same ? 0 : 1;
}
