// Compares the four samples with the model of their generator, line by line. (Another test
// covers the xml lines.)
#include <doctest/doctest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "support.hpp"

using namespace test;
using element = simdjson::dom::element;

namespace {
std::int64_t number(element e) { return e.get_int64(); }
std::int64_t number(element e, std::string_view key) { return number(e[key]); }
std::string_view text(element e) { return e.get_string(); }
std::string_view text(element e, std::string_view key) { return text(e[key]); }
// Parses a number such as "0x1f".
std::uint64_t hex(element e) { return std::stoull(std::string(text(e)), nullptr, 16); }
std::uint64_t hex(element e, std::string_view key) { return hex(e[key]); }
// Parses an array of numbers.
std::vector<std::int64_t> numbers(element e) {
  std::vector<std::int64_t> all;
  for (const element v : e) all.push_back(number(v));
  return all;
}
template <class... T> std::vector<std::int64_t> row(T... v) {
  return {static_cast<std::int64_t>(v)...};
}
// Converts names to UTF-8. The samples' names have no unpaired surrogates.
std::string utf8(const tracecodec::wire::array_view<tracecodec::wire::u16le>& units) {
  std::string s;
  const auto add = [&s](std::uint32_t c) { s += static_cast<char>(c); };
  for (std::size_t i = 0; i < units.size(); ++i) {
    std::uint32_t c = units[i];
    if (c >= 0xD800 && c < 0xDC00) c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00U);
    if (c < 0x80) {
      add(c);
      continue;
    }
    if (c >= 0x10000) add(0xF0 | c >> 18);
    if (c >= 0x800) add(c >= 0x10000 ? 0x80 | (c >> 12 & 63) : 0xE0 | c >> 12);
    add(c >= 0x800 ? 0x80 | (c >> 6 & 63) : 0xC0 | c >> 6);
    add(0x80 | (c & 63));
  }
  return s;
}

class sample_comparison {
 public:
  explicit sample_comparison(const umtracer::reader& trace) : trace_(trace) {}

  // Compares the contents of a line with the trace. Returns the line's kind.
  std::string line(element e) {
    const std::string kind(text(e, "t"));
    if (kind == "ctx") context_map(e);
    if (kind == "reg") one_register(e);
    if (kind == "table") table(e);
    if (kind == "module") module(e);
    if (kind == "thread") thread(e);
    if (kind == "range") range(e);
    if (kind == "ins") instruction(e);
    if (kind == "sys") syscall(e);
    if (kind == "exec") record(e);
    return kind;
  }

 private:
  static std::size_t id(element e) { return static_cast<std::size_t>(number(e, "id")); }

  void context_map(element e) {
    CHECK(trace_.registers().dump_size() == number(e, "size"));
    CHECK(trace_.registers().size() == number(e, "count"));
  }

  void one_register(element e) {
    const auto& map = trace_.registers();
    const auto r = static_cast<std::uint16_t>(id(e));
    CHECK(map.name(r) == text(e, "name"));
    CHECK(map.common_name(r) == number(e, "common"));
    for (const bool code64 : {false, true}) {
      const auto i = map.info(r, code64);
      CHECK(row(i.offset, i.size, i.largest) == numbers(e[code64 ? "m64" : "m32"]));
    }
    if (text(e, "name") != "") CHECK(map.name(map.find(text(e, "name")).value()) == map.name(r));
  }

  void table(element e) {
    const auto same = [&](const auto& rows) {
      CHECK(rows.header().header_version == number(e, "header"));
      CHECK(rows.header().record_version == number(e, "rec"));
      CHECK(static_cast<std::int64_t>(rows.size()) == number(e, "rows"));
      CHECK(rows.header().row_count == number(e, "rows"));
    };
    const std::string_view file = text(e, "file");
    if (file == "module.itable") {
      same(trace_.modules().rows());
    } else if (file == "thread.itable") {
      same(trace_.threads());
    } else if (file == "address_space.itable") {
      same(trace_.ranges());
    } else if (file == "ins.itable") {
      same(trace_.instructions().rows());
      CHECK(trace_.instructions().version() == number(e, "rec"));
    } else if (file == "syscall.vtable") {
      CHECK(trace_.syscalls().header().version == number(e, "header"));
      CHECK(trace_.syscalls().header().unified_version == number(e, "rec"));
      CHECK(trace_.syscalls().header().record_count == number(e, "rows"));
      CHECK(static_cast<std::int64_t>(trace_.syscalls().size()) == number(e, "rows"));
    } else {
      CHECK(file == "exec.vtable");
      CHECK(trace_.header().version == number(e, "header"));
      CHECK(trace_.header().record_count == number(e, "rows"));
      CHECK(static_cast<std::int64_t>(trace_.size()) == number(e, "rows"));
    }
  }

  void module(element e) {
    const std::size_t i = id(e);
    REQUIRE(i < trace_.modules().size());
    const auto m = trace_.modules()[i];
    CHECK(m.load_eid == number(e, "load"));
    CHECK(m.unload_eid == number(e, "unload"));
    CHECK(m.start_address == hex(e, "start"));
    CHECK(m.end_address == hex(e, "end"));
    CHECK(utf8(trace_.modules().win_name(i)) == text(e, "win"));
    CHECK(utf8(trace_.modules().device_name(i)) == text(e, "dev"));
  }

  void thread(element e) {
    const std::size_t i = threads_++;
    REQUIRE(i < trace_.threads().size());
    const auto t = trace_.threads()[i];
    CHECK(t.id == number(e, "id"));
    CHECK(t.win_tid == number(e, "win"));
    CHECK(t.tib_address == hex(e, "tib"));
    CHECK(t.first_eid == number(e, "first"));
    CHECK(t.last_eid == number(e, "last"));
    CHECK(t.record_count == number(e, "count"));
  }

  void range(element e) {
    const std::size_t i = ranges_++;
    REQUIRE(i < trace_.ranges().size());
    CHECK(trace_.ranges()[i].first == hex(e, "first"));
    CHECK(trace_.ranges()[i].last == hex(e, "last"));
  }

  void instruction(element e) {
    const std::size_t i = id(e);
    REQUIRE(i < trace_.instructions().size());
    const auto r = trace_.instructions()[i];
    CHECK(r.id == number(e, "id"));
    CHECK(static_cast<std::int64_t>(r.type) == number(e, "type"));
    CHECK(r.code64 == number(e, "cs64"));
    CHECK(r.module_id == number(e, "mod"));
    CHECK(r.address == hex(e, "addr"));
    CHECK(to_hex(trace_.instructions().code(i)) == text(e, "code"));
    CHECK(r.code_size == text(e, "code").size() / 2);
    CHECK(trace_.instructions().text(i) == text(e, "asm"));
    decoded(trace_.instructions().decoded(i), e["dec"]);
  }

  static void decoded(const umtracer::decoded_instruction& d, element e) {
    CHECK(d.category == number(e, "cat"));
    CHECK(d.mnemonic == number(e, "mn"));
    CHECK(d.form == number(e, "form"));
    CHECK(d.flags == number(e, "flags"));
    CHECK(d.operand_size == number(e, "osz"));
    CHECK(d.address_size == number(e, "asz"));
    CHECK(d.values_size == number(e, "lc"));
    CHECK(d.first_out_slot == number(e, "fo"));
    CHECK(d.first_after_slot == number(e, "fa"));
    CHECK(row(d.mem0_segment_slot, d.mem0_base_slot, d.mem0_scale, d.mem0_index_slot) ==
          numbers(e["m0"]));
    CHECK(d.mem1_base_slot == number(e, "m1"));
    CHECK(d.constants[0] == hex(e["const"].at(0)));
    CHECK(d.constants[1] == hex(e["const"].at(1)));
    const simdjson::dom::array operands = e["opers"], slots = e["slots"];
    CHECK(d.operand_count == operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto& o = d.operands.at(i);
      CHECK(row(o.name, o.size, o.flags, o.before_slot, o.after_slot, o.before_offset,
                o.after_offset) == numbers(operands.at(i)));
    }
    CHECK(d.slot_count == slots.size());
    REQUIRE(d.slots.size() == slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto s = d.slots[i];
      CHECK(row(s.name, s.common_name, s.value_size, s.offset, s.address_width) ==
            numbers(slots.at(i)));
    }
  }

  void syscall(element e) {
    const std::size_t i = id(e);
    REQUIRE(i < trace_.syscalls().size());
    const auto s = trace_.syscalls()[i];
    CHECK(s.raw_id == number(e, "raw"));
    CHECK(s.uniform_id == number(e, "uid"));
    CHECK(static_cast<std::int64_t>(s.convention) == number(e, "conv"));
    CHECK(s.completed == number(e, "done"));
    CHECK(s.begin_eid == number(e, "begin"));
    CHECK(s.end_eid == number(e, "end"));
    CHECK(s.stack_pointer == hex(e, "sp"));
    CHECK((s.completed == 0) == e["res"].is_null());
    if (s.completed != 0) CHECK(s.result == hex(e, "res"));
    const auto arguments = trace_.syscalls().arguments(i);
    const simdjson::dom::array expected = e["args"];
    CHECK(s.argument_count == expected.size());
    REQUIRE(arguments.size() == expected.size());
    for (std::size_t a = 0; a < arguments.size(); ++a) CHECK(arguments[a] == hex(expected.at(a)));
    CHECK(s.extra_count == number(e, "nx"));
    CHECK(to_hex(trace_.syscalls().extras(i)) == text(e, "x"));
  }

  void record(element e) {
    const std::size_t i = id(e);
    REQUIRE(i < trace_.size());
    const auto r = trace_[i];
    CHECK(r.id() == i);
    CHECK(r.thread() == number(e, "tid"));
    CHECK(static_cast<std::int64_t>(r.type()) == number(e, "type"));
    CHECK(r.flags() == number(e, "flags"));
    CHECK(trace_.neighbours_of(i) == umtracer::neighbours{number(e, "prev"), number(e, "next")});
    ++types_[number(e, "type")];
    // The record must have the fields of the line, and must refuse access to other fields.
    const auto has = [&](const char* key) { return e[key].error() == simdjson::SUCCESS; };
    const auto refused = [](auto&& f) {
      const auto problem = error_of(f);
      return problem && problem->code() == trace_errc::refused;
    };
    CHECK(refused([&] { (void)r.instruction_id(); }) == !has("ins"));
    CHECK(refused([&] { (void)r.syscall_id(); }) == !has("sys"));
    CHECK(refused([&] { (void)r.exit_code(); }) == !has("code"));
    CHECK(refused([&] { (void)r.context(); }) == !has("regs"));
    if (has("ins")) values(r, e);
    if (has("sys")) CHECK(r.syscall_id() == number(e, "sys"));
    if (has("code")) CHECK(r.exit_code() == number(e, "code"));
    if (has("regs")) context(r.context(), e);
  }

  void values(const umtracer::record_view& r, element e) {
    CHECK(r.instruction_id() == number(e, "ins"));
    const auto d = trace_.instructions().decoded(trace_.row_of(r));
    const simdjson::dom::array slots = e["slots"], operands = e["ops"];
    REQUIRE(slots.size() == d.slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto v = umtracer::value_of(d.slots[i], r.values());
      const element address = slots.at(i).at(0);
      CHECK(v.has_address == !address.is_null());
      // Garbage fills all eight bytes, but only some bytes are used.
      const bool garbage = (r.flags() & umtracer::exec_flags::unreliable) != 0;
      const std::uint64_t mask =
          garbage && d.slots[i].address_width == 4 ? 0xFFFFFFFF : ~std::uint64_t{0};
      if (v.has_address) CHECK(v.address == (hex(address) & mask));
      CHECK(to_hex(v.bytes) == text(slots.at(i).at(1)));
    }
    REQUIRE(operands.size() == d.operand_count);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto& o = d.operands.at(i);
      const element after = operands.at(i).at(1);
      CHECK(operand_hex(d, o.before_slot, o.before_offset, o.size, r.values()) ==
            text(operands.at(i).at(0)));
      CHECK((o.after_slot == umtracer::slot_none) == after.is_null());
      if (!after.is_null())
        CHECK(operand_hex(d, o.after_slot, o.after_offset, o.size, r.values()) == text(after));
    }
  }

  void context(const umtracer::context_view& c, element e) {
    CHECK(to_hex(c.buffer()) == text(e, "regs"));
    const simdjson::dom::array memory = e["mem"];
    REQUIRE(c.memory_count() == memory.size());
    for (std::size_t i = 0; i < memory.size(); ++i) {
      CHECK(c.memory(i).address == hex(memory.at(i).at(0)));
      CHECK(to_hex(c.memory(i).bytes) == text(memory.at(i).at(1)));
    }
  }

  const umtracer::reader& trace_;
  std::size_t threads_ = 0, ranges_ = 0;

 public:
  // Number of lines for each type of execution record.
  std::map<std::int64_t, std::size_t> types_ = {};
};
}  // namespace

TEST_CASE("the samples equal their model") {
  std::map<std::int64_t, std::size_t> types;
  for (const std::string name : umtracer_samples) {
    CAPTURE(name);
    const umtracer::reader trace(umtracer_sample(name));
    sample_comparison compare(trace);
    std::map<std::string, std::size_t> lines;
    const bytes all = content(umtracer_sample(name) + ".expected.jsonl.xz");
    std::string_view rest(reinterpret_cast<const char*>(all.data()), all.size());
    simdjson::dom::parser parser;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      const element e = parser.parse(one.data(), one.size());
      ++lines[compare.line(e)];
    }
    // Every row has its line, and there are no lines of other kinds.
    CHECK(lines == std::map<std::string, std::size_t>{{"xml", 1},
                                                      {"ctx", 1},
                                                      {"reg", trace.registers().size()},
                                                      {"table", 6},
                                                      {"module", trace.modules().size()},
                                                      {"thread", trace.threads().size()},
                                                      {"range", trace.ranges().size()},
                                                      {"ins", trace.instructions().size()},
                                                      {"sys", trace.syscalls().size()},
                                                      {"exec", trace.size()}});
    for (const auto& [type, n] : compare.types_) types[type] += n;
  }
  // No sample ends with its application: reader_test.cpp tests type 3.
  CHECK(types == std::map<std::int64_t, std::size_t>{{0, 2892},
                                                     {1, 24},
                                                     {2, 4},
                                                     {4, 76},
                                                     {5, 44},
                                                     {6, 9},
                                                     {8, 18},
                                                     {9, 11},
                                                     {10, 12},
                                                     {11, 10}});
}
