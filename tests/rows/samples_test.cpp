// Writes the samples of each format as rows and reads them back: JSON with simdjson, CSV by
// RFC 4180.
#include <doctest/doctest.h>
#include <simdjson.h>

#include "support.hpp"
#include "tracecodec/champsim/rows.hpp"
#include "tracecodec/rapidbin/reader.hpp"
#include "tracecodec/rapidbin/rows.hpp"
#include "tracecodec/umtracer/rows.hpp"
#include "tracecodec/umtracer/rows/tables.hpp"
#include "tracecodec/x64dbg/reader.hpp"
#include "tracecodec/x64dbg/rows.hpp"

using namespace test;
namespace champsim = tracecodec::champsim;
namespace rapidbin = tracecodec::rapidbin;
namespace umtracer = tracecodec::umtracer;
namespace x64dbg = tracecodec::x64dbg;
using element = simdjson::dom::element;

namespace {
std::uint64_t hex(element e) { return std::stoull(std::string(std::string_view(e)), nullptr, 16); }
std::string hex_of(std::span<const std::byte> all) {
  std::string s;
  for (const std::byte b : all)
    for (const unsigned digit :
         {std::to_integer<unsigned>(b) >> 4, std::to_integer<unsigned>(b) & 15U})
      s += "0123456789abcdef"[digit];
  return s;
}

// Rows that write(writer) writes, in both forms.
template <class Row> struct both {
  std::string json = {}, csv = {};
  template <class Write> explicit both(Write write) {
    bytes text[2];
    rows::json_lines<Row> j(std::make_unique<vector_sink>(text[0]));
    rows::csv<Row> c(std::make_unique<vector_sink>(text[1]));
    write([&](const Row& r) {
      j.write(r);
      c.write(r);
    });
    j.finish();
    c.finish();
    json.assign(reinterpret_cast<const char*>(text[0].data()), text[0].size());
    csv.assign(reinterpret_cast<const char*>(text[1].data()), text[1].size());
  }
  // Calls f(object, cells) for each row, and checks that both forms have the same columns. An
  // array of n numbers has n cells. Returns the number of rows.
  template <class F> std::size_t each(F f) const {
    const auto cells = parse_csv(csv);
    simdjson::dom::parser parser;
    std::size_t n = 0;
    std::string_view rest = json;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(line.size() + 1);
      const simdjson::dom::object o = parser.parse(line.data(), line.size());
      REQUIRE(cells.size() > ++n);
      REQUIRE(cells[n].size() == cells[0].size());
      std::size_t column = 0;
      for (const auto& [key, value] : o) {
        if (cells[0].at(column) == key) {
          check_cell(value, cells[n][column++]);
          continue;
        }
        std::size_t i = 0;
        for (const element one : simdjson::dom::array(value)) {
          REQUIRE(cells[0].at(column) == std::string(key) + "_" + std::to_string(i++));
          check_cell(one, cells[n][column++]);
        }
      }
      CHECK(column == cells[0].size());
      f(o);
    }
    CHECK(cells.size() == n + 1);
    return n;
  }

 private:
  static void check_cell(element e, const std::string& cell) {
    std::string wanted;
    if (e.is_bool())
      wanted = bool(e) ? "1" : "0";
    else if (e.is_string() && std::string_view(e).starts_with("0x"))
      wanted = std::to_string(hex(e));
    else if (e.is_string())
      wanted = std::string(std::string_view(e));
    else if (!e.is_null())
      wanted = simdjson::minify(e);
    // CHECK is only called for differences, because there are a million cells.
    if (cell != wanted) CHECK(cell == wanted);
  }
};

TEST_CASE("rows of ChampSim's samples equal their records" * doctest::skip(!with_xz)) {
  for (const std::string name : {"sed64", "work32"}) {
    using record = champsim::instruction;
    const auto read = [&](auto take) {
      champsim::trace_feed<> feed(data(name + ".champsimtrace.xz"));
      std::uint64_t n = 0;
      for (const auto& i : feed) take(n++, i);
    };
    std::vector<record> records;
    const both<champsim::row<record>> text([&](auto write) {
      read([&](std::uint64_t n, const auto& i) {
        records.push_back(i.record());
        write(champsim::row_of(n, i));
      });
    });
    std::size_t n = 0;
    bool same = true;
    CHECK(text.each([&](simdjson::dom::object o) {
      const record& r = records[n];
      same &= std::uint64_t(o["index"]) == n && hex(o["ip"]) == r.ip &&
              std::uint64_t(o["is_branch"]) == r.is_branch &&
              std::uint64_t(o["branch_taken"]) == r.branch_taken;
      for (std::size_t i = 0; i < 2; ++i)
        same &= std::uint64_t(o["destination_registers"].at(i)) == r.destination_registers[i] &&
                hex(o["destination_memory"].at(i)) == r.destination_memory[i];
      for (std::size_t i = 0; i < 4; ++i)
        same &= std::uint64_t(o["source_registers"].at(i)) == r.source_registers[i] &&
                hex(o["source_memory"].at(i)) == r.source_memory[i];
      ++n;
    }) == 50'000);
    CHECK(same);
  }
}

TEST_CASE("rows of RapidBin's samples equal their events") {
  for (const std::string name : {"r250", "r6000"}) {
    const std::size_t count = name == "r250" ? 256 : 6002;
    std::vector<rapidbin::event> events;
    const both<rapidbin::row> text([&](auto write) {
      rapidbin::reader from(data("rapidbin/" + name + ".data"));
      for (auto b = from.next(); b.size() != 0; b = from.next())
        for (std::size_t i = 0; i < b.size(); ++i) {
          events.push_back(b.events[i]);
          write(rapidbin::row_of(b.index(i), events.back()));
        }
    });
    std::size_t n = 0;
    CHECK(text.each([&](simdjson::dom::object o) {
      const rapidbin::event& e = events[n];
      CHECK(std::uint64_t(o["index"]) == n++);
      CHECK(bool(o["sign"]) == e.sign);
      CHECK(std::uint64_t(o["location"]) == e.location);
      CHECK(std::uint64_t(o["decor"]) == e.decor);
      CHECK(std::string_view(o["operation"]) == rows::name_of(e.operation));
      CHECK(std::uint64_t(o["thread"]) == e.thread);
    }) == count);
  }
}

template <x64dbg::target T> void check_x64dbg(const std::string& name, std::size_t count) {
  struct step {
    std::uint64_t ip;
    std::uint32_t thread;
    std::string opcode;
    std::size_t registers;
    std::vector<x64dbg::memory_access> memory;
  };
  std::vector<step> steps;
  const both<x64dbg::row<T>> text([&](auto write) {
    x64dbg::reader<T> from(io::open_input(data(name)));
    x64dbg::instruction<T> i;
    while (from.next(i)) {
      write(x64dbg::row_of(i));
      steps.push_back({i.ip(), i.thread.value(), hex_of(i.opcode()), i.block.registers, {}});
      for (const auto& a : i.accesses()) steps.back().memory.push_back(a);
    }
  });
  std::size_t n = 0;
  bool same = true;
  CHECK(text.each([&](simdjson::dom::object o) {
    const step& s = steps[n];
    same &= std::uint64_t(o["index"]) == n++ && std::uint64_t(o["thread"]) == s.thread &&
            hex(o["ip"]) == s.ip && std::string_view(o["opcode"]) == s.opcode;
    const simdjson::dom::object registers = o["registers"];
    const simdjson::dom::array memory = o["memory"];
    // A word that several registers share has one name for each register.
    same &= registers.size() >= s.registers && memory.size() == s.memory.size();
    std::size_t k = 0;
    for (const element m : memory) {
      const auto& a = s.memory.at(k++);
      same &= hex(m["address"]) == a.address && hex(m["old"]) == a.old_value &&
              m["new"].is_null() == !a.new_value;
      if (a.new_value) same &= hex(m["new"]) == *a.new_value;
    }
  }) == count);
  CHECK(same);
}

TEST_CASE("rows of x64dbg's samples equal their instructions" * doctest::skip(!with_xz)) {
  check_x64dbg<x64dbg::target::x86>("work32.trace32.xz", 50'000);
  check_x64dbg<x64dbg::target::x64>("threads3_64.trace64.xz", 30'000);
}

// Checks that both forms have as many rows as the table.
template <class Row, class Make> void check_table(std::size_t size, Make make) {
  const both<Row> text([&](auto write) {
    for (std::size_t i = 0; i < size; ++i) write(make(i));
  });
  CHECK(text.each([](const auto&) {}) == size);
}

TEST_CASE("rows of UMTracer's samples equal their records and tables") {
  for (const std::string name : {"plain32", "plain64", "awkward32", "awkward64"}) {
    CAPTURE(name);
    const umtracer::reader trace(data("umtracer/" + name));
    using optional_text = std::optional<std::string_view>;
    const both<umtracer::exec_row<optional_text>> text([&](auto write) {
      umtracer::exec_rows<optional_text> make(trace);
      for (std::uint64_t i = 0; i < trace.size(); ++i) write(make(i));
    });
    std::size_t n = 0;
    CHECK(text.each([&](simdjson::dom::object o) {
      const umtracer::record_view r = trace[n];
      CHECK(std::uint64_t(o["id"]) == n++);
      CHECK(std::uint64_t(o["thread_id"]) == r.thread());
      CHECK(std::string_view(o["type"]) == rows::name_of(r.type()));
      CHECK(std::uint64_t(o["flags"]) == r.flags());
      CHECK(std::int64_t(o["previous"]) == trace.neighbours_of(r.id()).previous);
      const bool instruction = r.type() == umtracer::exec_type::instruction;
      CHECK(o["code"].is_null() == !instruction);
      CHECK(o["syscall_id"].is_null() == !r.has_syscall());
      const simdjson::dom::array registers = o["registers"], memory = o["memory"];
      if (!instruction) return;
      const std::size_t row = trace.row_of(r);
      CHECK(std::uint64_t(o["instruction_id"]) == row);
      CHECK(hex(o["address"]) == umtracer::instruction_address(trace, row));
      CHECK(std::string_view(o["code"]) == hex_of(trace.instructions().code(row)));
      CHECK(std::string_view(o["disassembly"]) == trace.instructions().text(row));
      CHECK(registers.size() + memory.size() == umtracer::operands_of(trace, r).size());
    }) == trace.size());
    check_table<umtracer::thread_row>(trace.threads().size(), umtracer::thread_rows(trace));
    check_table<umtracer::range_row>(trace.ranges().size(), umtracer::range_rows(trace));
    check_table<umtracer::module_row>(trace.modules().size(), umtracer::module_rows(trace));
    check_table<umtracer::instruction_row<>>(trace.instructions().size(),
                                             umtracer::instruction_rows<>(trace));
    check_table<umtracer::syscall_row<>>(trace.syscalls().size(), umtracer::syscall_rows<>(trace));
    check_table<umtracer::register_row>(trace.registers().size(), umtracer::register_rows(trace));
  }
}
}  // namespace
