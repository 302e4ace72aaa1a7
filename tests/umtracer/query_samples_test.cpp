// Queries over the samples, compared with a machine that executes the records of the samples'
// generator. The machine uses no data from the traces.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tracecodec/io/text/json.hpp"
#include "tracecodec/umtracer/query.hpp"
#include "umtracer/support.hpp"

using namespace test;
using umtracer::known_byte;
using umtracer::moment;

namespace {
struct register_row {
  std::string name;
  std::size_t offset, size;
  std::uint16_t largest;
};
struct slot_row {
  std::uint16_t name;
  std::size_t size;
  std::uint64_t address_width;  // 0: not memory
  [[nodiscard]] bool memory() const { return address_width != 0; }
};
struct instruction_row {
  std::uint64_t type, flags, first_out, first_after, address;
  std::int64_t module;
  std::vector<slot_row> slots;
};
struct piece {
  std::uint64_t address;
  bytes value;
};
struct record_row {
  std::uint64_t thread, type, flags;
  std::optional<std::uint64_t> instruction;
  std::vector<piece> slots;  // an address only if the slot has one
  std::vector<piece> memory;
  bytes registers;
};
// Contents of a sample's expected file.
struct model {
  std::size_t dump = 0;
  std::vector<register_row> registers;
  std::vector<instruction_row> instructions;
  std::vector<record_row> records;
};

std::uint64_t unsigned_of(const io::json_value& v) {
  const auto text = io::as_string(v);
  return text ? std::stoull(std::string(*text), nullptr, 16)
              : static_cast<std::uint64_t>(*io::as_integer(v));
}
io::json_array array_of(const io::json_value& v) { return io::as_array(v).value(); }
piece piece_of(const io::json_value& v) {
  const auto pair = array_of(v);
  const io::json_value address = pair.at(0).value_unsafe();
  return {address.is_null() ? 0 : unsigned_of(address),
          from_hex(*io::as_string(pair.at(1).value_unsafe()))};
}

void add_line(model& m, const io::json_object& o, bool code64) {
  const auto has = [&](const char* key) { return io::member(o, key).has_value(); };
  const auto number = [&](const char* key) { return unsigned_of(*io::member(o, key)); };
  const std::string_view t = *io::as_string(*io::member(o, "t"));
  if (t == "ctx") m.dump = number("size");
  if (t == "reg") {
    const auto place = array_of(*io::member(o, code64 ? "m64" : "m32"));
    const auto at = [&](std::size_t i) { return unsigned_of(place.at(i).value_unsafe()); };
    m.registers.push_back({std::string(*io::as_string(*io::member(o, "name"))), at(0),
                           at(0) == 0xFFFF ? 0 : at(1), static_cast<std::uint16_t>(at(2))});
  }
  if (t == "ins") {
    const auto dec = *io::as_object(*io::member(o, "dec"));
    const auto of = [&](const char* key) { return unsigned_of(*io::member(dec, key)); };
    m.instructions.push_back({number("type"),
                              of("flags"),
                              of("fo"),
                              of("fa"),
                              number("addr"),
                              *io::as_integer(*io::member(o, "mod")),
                              {}});
    for (const io::json_value s : array_of(*io::member(dec, "slots"))) {
      const auto row = array_of(s);
      const auto at = [&](std::size_t i) { return unsigned_of(row.at(i).value_unsafe()); };
      m.instructions.back().slots.push_back({static_cast<std::uint16_t>(at(0)), at(2), at(4)});
    }
  }
  if (t == "exec") {
    record_row r{number("tid"), number("type"), number("flags"), {}, {}, {}, {}};
    if (has("ins")) r.instruction = number("ins");
    if (has("slots"))
      for (const io::json_value s : array_of(*io::member(o, "slots")))
        r.slots.push_back(piece_of(s));
    if (has("mem"))
      for (const io::json_value s : array_of(*io::member(o, "mem")))
        r.memory.push_back(piece_of(s));
    if (has("regs")) r.registers = from_hex(*io::as_string(*io::member(o, "regs")));
    m.records.push_back(std::move(r));
  }
}

model expected(const std::string& name) {
  const bytes content = test::content(umtracer_sample(name) + ".expected.jsonl.xz");
  std::string_view all(reinterpret_cast<const char*>(content.data()), content.size());
  model m;
  while (!all.empty()) {
    const std::string_view line = all.substr(0, all.find('\n'));
    all.remove_prefix(std::min(all.size(), line.size() + 1));
    if (line.empty()) continue;
    const io::json_document document(line, {});
    add_line(m, *io::as_object(document.root()), name.ends_with("64"));
  }
  // Only the low bytes of an address are used. In 32-bit code the other bytes may be garbage.
  for (record_row& r : m.records)
    for (std::size_t s = 0; s < r.slots.size(); ++s)
      if (m.instructions[*r.instruction].slots[s].address_width == 4)
        r.slots[s].address &= 0xFFFFFFFF;
  return m;
}

// Machine that executes the records of a model in order.
class machine {
 public:
  explicit machine(const model& m) : m_(m) {}

  // Apply the values before and after record `id`, one after the other.
  void before(std::uint64_t id) {
    const record_row& r = m_.records[id];
    if ((r.flags & 2) != 0) {
      memory.clear();
      registers[r.thread] = std::vector<known_byte>(m_.dump);
    }
    auto& own = registers[r.thread];
    own.resize(m_.dump);
    if (r.instruction) {
      const instruction_row& i = m_.instructions[*r.instruction];
      bytes ip(8);
      for (std::size_t b = 0; b < 8; ++b) ip[b] = std::byte(i.address >> 8 * b & 0xFF);
      put(own, ip_place(), ip, id);
      if (sure(r))
        for (std::size_t s = 0; s < i.first_after; ++s) set(id, i, s);
    }
    if (r.type == 4 && sure(r)) show(id);
  }
  void after(std::uint64_t id) {
    const record_row& r = m_.records[id];
    if (!r.registers.empty() && r.type != 4) show(id);
    if (!r.instruction) return;
    const instruction_row& i = m_.instructions[*r.instruction];
    auto& own = registers[r.thread];
    for (std::size_t s = i.first_after; s < i.slots.size(); ++s) around(own, r, i, i.slots[s]);
    for (std::size_t s = i.first_after; s < i.slots.size(); ++s)
      if (i.slots[s].memory()) forget(i, r.slots[s]);
    hide(own, ip_place());
    for (std::size_t s = i.first_after; s < i.slots.size(); ++s) {
      if (!i.slots[s].memory()) hide(own, m_.registers.at(i.slots[s].name));
      if (sure(r)) zero_half(own, i, r, i.slots[s], id);
    }
    if (sure(r))
      for (std::size_t s = i.first_after; s < i.slots.size(); ++s) set(id, i, s);
  }

  std::map<std::uint64_t, std::vector<known_byte>> registers;
  std::map<std::uint64_t, known_byte> memory;

 private:
  static bool sure(const record_row& r) { return (r.flags & 0xF0) == 0; }
  const register_row& ip_place() const {
    const register_row* best = nullptr;
    for (const register_row& r : m_.registers)
      if ((r.name == "RIP" || r.name == "EIP") && (best == nullptr || r.size > best->size))
        best = &r;
    return *best;
  }
  static void put(std::vector<known_byte>& own, const register_row& at, const bytes& v,
                  std::uint64_t id) {
    for (std::size_t b = 0; b < at.size && b < v.size(); ++b) own[at.offset + b] = {id, v[b], true};
  }
  static void hide(std::vector<known_byte>& own, const register_row& at) {
    for (std::size_t b = 0; b < at.size; ++b) own[at.offset + b] = {};
  }
  // Sets the value of a slot.
  void set(std::uint64_t id, const instruction_row& i, std::size_t s) {
    const record_row& r = m_.records[id];
    const slot_row& row = i.slots[s];
    if (!row.memory()) {
      if (row.name < m_.registers.size())
        put(registers[r.thread], m_.registers[row.name], r.slots[s].value, id);
    } else if (i.type != 9) {
      for (std::size_t b = 0; b < r.slots[s].value.size(); ++b)
        memory[r.slots[s].address + b] = {id, r.slots[s].value[b], true};
    }
  }
  void forget(const instruction_row& i, const piece& p) {
    for (std::size_t b = 0; i.type != 9 && b < p.value.size(); ++b) memory.erase(p.address + b);
  }
  void show(std::uint64_t id) {
    const record_row& r = m_.records[id];
    auto& own = registers[r.thread];
    for (std::size_t b = 0; b < own.size(); ++b)
      own[b] = sure(r) ? known_byte{id, r.registers[b], true} : known_byte{};
    for (const piece& p : r.memory)
      for (std::size_t b = 0; b < p.value.size(); ++b) {
        if (sure(r))
          memory[p.address + b] = {id, p.value[b], true};
        else
          memory.erase(p.address + b);
      }
  }
  // Marks what becomes unknown around a register that is written: the whole x87 stack, the
  // bytes beyond a part of 8 bytes or more, and the upper half of a general register.
  void around(std::vector<known_byte>& own, const record_row& r, const instruction_row& i,
              const slot_row& s) const {
    if (s.memory() || s.name >= m_.registers.size()) return;
    const register_row& own_row = m_.registers[s.name];
    const std::string& n = own_row.name;
    const auto stack = [](const std::string& name) {
      return name.substr(0, 3) == "MMX" || (name.size() == 3 && name.substr(0, 2) == "ST");
    };
    if (stack(n) || n.substr(0, 4) == "X87P" || n == "X87STATUS" || n == "X87TAG")
      for (const register_row& x : m_.registers)
        if (stack(x.name)) hide(own, x);
    const register_row& all = m_.registers[own_row.largest];
    if (own_row.size < 4 || own_row.size == all.size) return;
    const bool half = own_row.size == 4 && all.size == 8;
    if (!half || (i.flags & 8) != 0 || (n != "EFLAGS" && (r.flags & 1) != 0)) hide(own, all);
  }
  static bool is_half(const register_row& r, const register_row& all) {
    return r.size == 4 && all.size == 8;
  }
  void zero_half(std::vector<known_byte>& own, const instruction_row& i, const record_row& r,
                 const slot_row& s, std::uint64_t id) const {
    if (s.memory() || s.name >= m_.registers.size() || (i.flags & 8) == 0 || (r.flags & 4) != 0)
      return;
    const register_row& row = m_.registers[s.name];
    if (!is_half(row, m_.registers[row.largest])) return;
    for (std::size_t b = 4; b < 8; ++b) own[row.offset + b] = {id, std::byte{}, true};
  }

  const model& m_;
};

// Memory access according to the model.
struct touch {
  std::uint64_t record;
  unsigned kind;
  std::uint64_t address, size;
};
std::vector<touch> accesses(const model& m) {
  std::vector<touch> all;
  for (std::uint64_t id = 0; id < m.records.size(); ++id) {
    const record_row& r = m.records[id];
    for (const piece& p : r.memory) all.push_back({id, 4, p.address, p.value.size()});
    if (!r.instruction || m.instructions[*r.instruction].type == 9) continue;
    const instruction_row& i = m.instructions[*r.instruction];
    for (std::size_t s = 0; s < i.slots.size(); ++s) {
      if (!i.slots[s].memory()) continue;
      const unsigned kind = s < i.first_out ? 1 : s >= i.first_after && (r.flags & 4) == 0 ? 2 : 4;
      all.push_back({id, kind, r.slots[s].address, r.slots[s].value.size()});
    }
  }
  return all;
}
bool touches(const touch& a, std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t b = 0; b < size; ++b)
    if (address + b >= a.address && address + b - a.address < a.size) return true;
  return false;
}

// Returns an address that the trace accesses, or one slightly outside.
std::uint64_t some_address(const std::vector<touch>& all, std::mt19937& random) {
  const touch& a = all[random() % all.size()];
  const std::uint64_t before = random() % 4;
  return a.address + random() % std::max<std::uint64_t>(a.size, 1) - std::min(before, a.address);
}
std::vector<known_byte> of(const std::map<std::uint64_t, known_byte>& memory, std::uint64_t address,
                           std::uint64_t size) {
  std::vector<known_byte> out(size);
  for (std::uint64_t b = 0; b < size; ++b)
    if (const auto at = memory.find(address + b); at != memory.end()) out[b] = at->second;
  return out;
}
}  // namespace

TEST_CASE("returns registers and memory before and after each record") {
  for (const std::string name : umtracer_samples) {
    const model m = expected(name);
    const umtracer::reader t(umtracer_sample(name));
    const auto all = accesses(m);
    std::mt19937 random(7);
    machine runs(m);
    std::size_t wrong = 0, known = 0;
    const auto compare = [&](std::uint64_t id, moment when) {
      auto state = umtracer::registers_at(t, id, when);
      auto whole = umtracer::registers_at(t, id, when);
      const auto everything = whole.all();
      const auto& own = runs.registers[m.records[id].thread];
      for (std::uint16_t r = 0; r < m.registers.size(); ++r) {
        const register_row& row = m.registers[r];
        const auto got = state.get(r).bytes;
        if (got.size() != row.size) ++wrong;
        for (std::size_t b = 0; b < got.size(); ++b) {
          wrong += got[b] != own[row.offset + b];
          wrong += everything[row.offset + b] != own[row.offset + b];
          known += own[row.offset + b].known;
        }
      }
      const std::uint64_t address = some_address(all, random), size = random() % 20;
      const auto want = of(runs.memory, address, size);
      wrong += umtracer::memory_at(t, id, {address, size}, when).bytes != want;
      for (const known_byte& b : want) known += b.known;
    };
    for (std::uint64_t id = 0; id < m.records.size(); ++id) {
      runs.before(id);
      compare(id, moment::before);
      runs.after(id);
      compare(id, moment::after);
    }
    CHECK_MESSAGE(wrong == 0, name);
    CHECK(known > 100'000);
  }
}

TEST_CASE("values from earlier records agree with the next record's operands") {
  for (const std::string name : umtracer_samples) {
    const model m = expected(name);
    const umtracer::reader t(umtracer_sample(name));
    std::size_t same = 0, different = 0;
    for (std::uint64_t id = 1; id < m.records.size(); ++id) {
      const record_row& r = m.records[id];
      const std::int64_t previous = t.neighbours_of(id).previous;
      if (!r.instruction || previous < 0 || (r.flags & 0xF2) != 0) continue;
      const instruction_row& i = m.instructions[*r.instruction];
      auto state = umtracer::registers_at(t, static_cast<std::uint64_t>(previous), moment::after);
      for (std::size_t s = 0; s < i.first_after; ++s) {
        const bytes& value = r.slots[s].value;
        const auto count = [&](std::span<const known_byte> known) {
          for (std::size_t b = 0; b < known.size() && b < value.size(); ++b)
            if (known[b].known) ++(known[b].value == value[b] ? same : different);
        };
        if (!i.slots[s].memory())
          count(state.get(i.slots[s].name).bytes);
        else if (i.type != 9)
          count(umtracer::memory_at(t, id - 1, {r.slots[s].address, value.size()}, moment::after)
                    .bytes);
      }
    }
    CHECK(different == 0);
    CHECK(same > 7'000);
  }
}

TEST_CASE("finds the last and next access to memory") {
  for (const std::string name : umtracer_samples) {
    const model m = expected(name);
    const umtracer::reader t(umtracer_sample(name));
    const auto all = accesses(m);
    std::mt19937 random(11);
    std::size_t wrong = 0, found = 0;
    for (int query = 0; query < 2'000; ++query) {
      const std::uint64_t address = some_address(all, random), size = random() % 40;
      const std::uint64_t n = random() % (m.records.size() + 1);
      const auto kinds = static_cast<std::uint8_t>(1 + random() % 7);
      const touch* last = nullptr;
      const touch* next = nullptr;
      for (const touch& a : all) {
        if ((a.kind & kinds) == 0 || !touches(a, address, size)) continue;
        if (a.record < n) last = &a;
        if (a.record >= n && next == nullptr) next = &a;
      }
      const auto agrees = [](const std::optional<umtracer::memory_access>& got, const touch* want) {
        if (!got || want == nullptr) return !got && want == nullptr;
        return got->record == want->record && got->kind == want->kind &&
               got->memory == umtracer::memory_span{want->address, want->size};
      };
      wrong += !agrees(umtracer::last_access(t, n, {address, size}, kinds), last);
      wrong += !agrees(umtracer::next_access(t, n, {address, size}, kinds), next);
      found += (last != nullptr) + (next != nullptr);
    }
    CHECK_MESSAGE(wrong == 0, name);
    CHECK(found > 500);
  }
}

TEST_CASE("finds executions and filters records") {
  for (const std::string name : umtracer_samples) {
    const model m = expected(name);
    const umtracer::reader t(umtracer_sample(name));
    using ids = std::vector<std::uint64_t>;
    std::map<std::uint64_t, ids> by_address, by_thread, by_type;
    std::map<std::int64_t, ids> by_module;
    for (std::uint64_t id = 0; id < m.records.size(); ++id) {
      const record_row& r = m.records[id];
      by_thread[r.thread].push_back(id);
      by_type[r.type].push_back(id);
      if (!r.instruction) continue;
      by_address[m.instructions[*r.instruction].address].push_back(id);
      by_module[m.instructions[*r.instruction].module].push_back(id);
    }
    const auto ids_of = [](const auto& range) {
      ids all;
      for (const auto r : range) all.push_back(r.id());
      return all;
    };
    for (const auto& [address, want] : by_address)
      CHECK(ids_of(umtracer::executions(t, address)) == want);
    const auto check_filter = [&](const umtracer::record_filter& f, const ids& want) {
      CHECK(ids_of(filtered(t, f)) == want);
    };
    for (const auto& [thread, want] : by_thread)
      check_filter({.thread = static_cast<std::uint32_t>(thread)}, want);
    for (const auto& [type, want] : by_type)
      check_filter({.types = {static_cast<umtracer::exec_type>(type)}}, want);
    for (const auto& [module, want] : by_module)
      check_filter({.module = static_cast<std::int32_t>(module)}, want);
    CHECK(by_module.size() > 2);
  }
}

TEST_CASE("queries of damaged traces return a result or throw trace_error") {
  std::mt19937 random(3);
  std::size_t answers = 0, errors = 0;
  for (const std::string name : umtracer_samples) {
    const umtracer::trace_files sound(umtracer_sample(name));
    for (int round = 0; round < 150; ++round) {
      std::vector<bytes> copies(umtracer::file_count);
      umtracer::trace_files::contents all{};
      for (std::size_t f = 0; f < copies.size(); ++f) {
        const auto content = sound[static_cast<umtracer::file>(f)];
        copies[f].assign(content.begin(), content.end());
        all[f] = std::span<const std::byte>(copies[f]);
      }
      // Damages bytes anywhere except in the headers, which the reader checks when it
      // opens a trace.
      for (int i = 0; i < 20; ++i) {
        bytes& b = copies[random() % copies.size()];
        if (b.size() > 64) b[64 + random() % (b.size() - 64)] = std::byte(random() & 0xFF);
      }
      const auto attempt = [&](const auto& query) { ++(error_of(query) ? errors : answers); };
      attempt([&] {
        const umtracer::reader t(umtracer::trace_files(all, name), {.lenient = true});
        for (int i = 0; i < 10 && t.size() != 0; ++i) {
          const std::uint64_t n = random() % t.size();
          attempt([&] {
            auto state = umtracer::registers_at(t, n);
            state.get("eax");
          });
          attempt([&] {
            auto state = umtracer::registers_at(t, n, moment::after);
            state.get("st0");
          });
          attempt([&] { umtracer::memory_at(t, n, {random() * 4096ULL, 16}); });
          attempt([&] { umtracer::next_access(t, n, {0, ~0ULL}); });
          attempt([&] { umtracer::last_write(t, n, {random(), 1U << 20}); });
        }
        attempt([&] {
          for (const auto r : umtracer::filtered(t, {.module = 1})) answers += r.id() & 1;
        });
        attempt([&] {
          answers += umtracer::memory_at(t, t.size() - 1, {0x1000, 64}).bytes.size();
        });
      });
    }
  }
  CHECK(answers > 1'000);
  CHECK(errors > 100);
}
