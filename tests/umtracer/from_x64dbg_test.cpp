// Traces converted from x64dbg contain what the x64dbg reader returns for the originals.
#include "umtracer/from_x64dbg.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/query.hpp"
#include "tracecodec/umtracer/read_metadata.hpp"

using namespace test;
using umtracer::exec_type;

namespace {

// Memory bytes in the recorded words of an instruction.
struct word_bytes {
  std::map<std::uint64_t, std::uint8_t> before, after;
  template <target T> explicit word_bytes(const x64dbg::instruction<T>& i) {
    for (const auto& a : i.accesses())
      for (unsigned b = 0; b < sizeof(tracecodec::wire::word_t<T>); ++b) {
        before.emplace(a.address + b, static_cast<std::uint8_t>(a.old_value >> 8 * b));
        after.emplace(a.address + b, static_cast<std::uint8_t>(a.value_after() >> 8 * b));
      }
  }
};

struct counts {
  std::size_t registers = 0, memory = 0, threads = 0, unreliable = 0;
};

// Compares a trace with its source, instruction by instruction.
template <target T> class comparison {
 public:
  comparison(const umtracer::reader& to, counts& n) : to_(to), n_(n) {}

  void instruction(const x64dbg::instruction<T>& i, const x86_::instruction& what) {
    CAPTURE(i.index);
    if (!last_.contains(*i.thread)) begin(i);
    const umtracer::record_view r = to_[at_];
    REQUIRE(r.type() == exec_type::instruction);
    REQUIRE(r.code64() == (T == x64));
    REQUIRE(to_.threads()[r.thread()].win_tid == *i.thread);
    const std::size_t row = to_.row_of(r);
    REQUIRE(to_.instructions()[row].address == i.ip());
    REQUIRE(to_.instructions()[row].module_id == -1);
    REQUIRE(std::ranges::equal(to_.instructions().code(row), i.opcode()));
    const umtracer::decoded_instruction d = to_.instructions().decoded(row);
    REQUIRE(r.values().size() == d.values_size);
    if (const auto last = last_[*i.thread]) registers(*last, *i.before, true);
    registers(at_, *i.before, false);
    memory(r, d, i, what);
    last_[*i.thread] = at_++;
  }
  // Requires that no records are left.
  void end() const { REQUIRE(at_ == to_.size()); }
  [[nodiscard]] const auto& last() const { return last_; }

 private:
  // Checks the first record of a thread, which has all registers.
  void begin(const x64dbg::instruction<T>& i) {
    const umtracer::record_view r = to_[at_++];
    REQUIRE(r.type() == exec_type::thread_begin);
    REQUIRE(to_.neighbours_of(r.id()).previous == umtracer::no_eid);
    ++n_.threads;
    std::size_t found = 0;
    for (std::uint16_t id = 0; id < to_.registers().size(); ++id) {
      const auto have = r.context().register_bytes(id);
      if (have.empty()) continue;
      CAPTURE(to_.registers().name(id));
      auto want = regdump_bytes<T>(*i.before, std::string(to_.registers().name(id)));
      // REGDUMP has no name for the low half of the flags and of the instruction pointer.
      if (!want) want = regdump_bytes<T>(*i.before, low_part_of(to_.registers().name(id)));
      REQUIRE(want);
      want->resize(have.size());
      CHECK(std::ranges::equal(have, *want));
      ++found;
    }
    // 68 general registers including their parts, 32 vector registers and 38 others; in 32-bit
    // code 24, 16 and 36.
    CHECK(found == (T == x64 ? 138 : 76));
  }
  static std::string low_part_of(std::string_view name) {
    const std::string wide = T == x64 ? "R" : "E";
    return wide + std::string(name.ends_with("FLAGS") ? "FLAGS" : "IP");
  }

  // Checks the registers of record `id` before or after its execution.
  void registers(std::uint64_t id, const x64dbg::register_state<T>& s, bool after) {
    const umtracer::record_view r = to_[id];
    const umtracer::decoded_instruction d = to_.instructions().decoded(to_.row_of(r));
    for (std::size_t k = 0; k < d.slot_count; ++k) {
      const umtracer::slot slot = d.slots[k];
      if (slot.is_memory() || (k >= d.first_after_slot) != after) continue;
      const std::string name(to_.registers().name(slot.name));
      CAPTURE(name);
      const auto want = regdump_bytes<T>(s, name);
      if (!want) {
        REQUIRE((name == "FSBASE" || name == "GSBASE"));
        continue;
      }
      REQUIRE(want->size() == slot.value_size);
      REQUIRE(std::ranges::equal(umtracer::value_of(slot, r.values()).bytes, *want));
      ++n_.registers;
    }
  }

  void memory(const umtracer::record_view& r, const umtracer::decoded_instruction& d,
              const x64dbg::instruction<T>& i, const x86_::instruction& what) {
    const word_bytes words(i);
    std::vector<x86_::memory_access> found;
    bool known_before = true, known_after = true;
    for (std::size_t k = 0; k < d.slot_count; ++k) {
      const umtracer::slot slot = d.slots[k];
      if (!slot.is_memory()) continue;
      const bool after = k >= d.first_after_slot;
      const auto v = umtracer::value_of(slot, r.values());
      if (after || k < d.first_out_slot) found.push_back({v.address, slot.value_size, after});
      for (std::size_t b = 0; b < v.bytes.size(); ++b) {
        const auto& all = after ? words.after : words.before;
        const auto at = all.find(v.address + b);
        (after ? known_after : known_before) &= at != all.end();
        if (at != all.end()) REQUIRE(std::to_integer<int>(v.bytes[b]) == at->second);
      }
      ++n_.memory;
    }
    CHECK(known_before == ((r.flags() & umtracer::exec_flags::unreliable_inputs) == 0));
    if (!known_after) CHECK((r.flags() & umtracer::exec_flags::unreliable_outputs) != 0);
    n_.unreliable += (r.flags() & umtracer::exec_flags::unreliable) != 0;
    std::vector<x86_::memory_access> want;
    x86_::accesses(what, x64dbg::machine<T>(*i.before, bases_[*i.thread]),
                   [&](const x86_::memory_access& a) { want.push_back(a); });
    if ((r.flags() & umtracer::exec_flags::not_executed) != 0 && what.repeated) found.clear();
    // Reads come first.
    std::vector<x86_::memory_access> ordered;
    for (const bool write : {false, true})
      for (const auto& a : want)
        if (a.write == write) ordered.push_back(a);
    REQUIRE(found == ordered);
  }

 public:
  std::map<std::uint32_t, x64dbg::segment_bases> bases_ = {};

 private:
  const umtracer::reader& to_;
  counts& n_;
  std::uint64_t at_ = 0;
  std::map<std::uint32_t, std::optional<std::uint64_t>> last_ = {};
};

template <target T> counts compare(const std::string& sample, const umtracer::reader& to) {
  counts n;
  with_sample(sample, [&]<target U>(x64dbg::reader<U>& from) {
    if constexpr (U == T) {
      comparison<T> both(to, n);
      x64dbg::lifter<T, x86_::zydis_disassembler> lifter{x86_::zydis_disassembler(T)};
      x64dbg::executed_instruction out;
      x64dbg::instruction<T> i;
      while (from.next(i)) {
        const x86_::instruction what = lifter(i, both.bases_[*i.thread], out);
        both.instruction(i, what);
      }
      both.end();
      for (const auto& [thread, id] : both.last())
        CHECK(to.neighbours_of(*id).next == umtracer::no_eid);
    }
  });
  return n;
}

}  // namespace

TEST_CASE("the converted trace contains the source's instructions, registers and memory") {
  const folder dir;
  for (const std::string name : x64dbg_samples) {
    CAPTURE(name);
    with_sample(name, [&](auto& from) { convert_x64dbg(from, dir / name); });
    const umtracer::reader to(dir / name);
    CHECK(to.header().version == 1);
    CHECK(to.modules().size() == 0);
    const bool wide = name == x64dbg_samples[1];
    const counts n = wide ? compare<target::x64>(name, to) : compare<target::x86>(name, to);
    MESSAGE(name << ": " << n.registers << " registers, " << n.memory << " operands in memory, "
                 << n.unreliable << " unreliable records");
    CHECK(n.threads == (wide ? 3 : 1));
    // The only findings are that the last instruction of each thread is unreliable.
    std::size_t findings = 0;
    umtracer::check(dir / name, [&](const tracecodec::diagnostic& d) {
      CHECK(d.code == "unreliable");
      ++findings;
    });
    CHECK(findings == n.threads);
    CHECK(n.registers > to.size());
    CHECK(n.memory > to.size() / 3);
    CHECK(n.unreliable <= n.threads);
    const auto m = umtracer::read_metadata(to.files());
    CHECK(m.app_bitness == (wide ? "64" : "32"));
  }
}

TEST_CASE("register queries return the source's values") {
  const folder dir;
  const std::string name = x64dbg_samples[1];
  with_sample(name, [&](auto& from) { convert_x64dbg(from, dir / name); });
  const umtracer::reader to(dir / name);
  with_sample(name, [&]<target T>(x64dbg::reader<T>& from) {
    x64dbg::instruction<T> i;
    std::map<std::uint32_t, bool> begun;
    std::uint64_t id = 0;
    std::size_t asked = 0;
    while (from.next(i)) {
      if (!std::exchange(begun[*i.thread], true)) ++id;
      if (i.index % 499 == 0)
        for (const char* r : {"rax", "r15", "xmm3", "rflags", "eax", "bl", "rip"}) {
          CAPTURE(r);
          auto state = umtracer::registers_at(to, id);
          const auto have = state.get(r);
          REQUIRE(have.known());
          const auto want = regdump_bytes<T>(*i.before, r);
          REQUIRE(want->size() == have.bytes.size());
          for (std::size_t b = 0; b < want->size(); ++b) CHECK(have.bytes[b].value == (*want)[b]);
          ++asked;
        }
      ++id;
    }
    CHECK(asked == 7 * (30000 / 499 + 1));
  });
}
