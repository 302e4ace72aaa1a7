// writer.hpp: samples written anew, what is shared, what is refused, and when a folder appears.
#include "tracecodec/umtracer/writer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "umtracer/replay.hpp"

using namespace test;
namespace fs = std::filesystem;
using umtracer::exec_type;
using umtracer::file;
using umtracer::slot;
using umtracer::writer;

namespace {

// Contexts of 16 bytes: rax (54) and rcx (55) in 64-bit code.
bytes small_map() {
  const umtracer::context_register registers[] = {
      {.id = 54, .name = "rax", .common_name = 12, .in64 = {0, 8, 54}},
      {.id = 55, .name = "rcx", .common_name = 13, .in64 = {8, 8, 55}}};
  return umtracer::make_context_map(16, registers);
}
const bytes small_context = from_hex("00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff");

bytes file_of(const std::string& folder, file f) {
  return content(folder + '/' + std::string(umtracer::name(f)));
}

// add word ptr [esi+8], ax: figure 3 of the specification. Register numbers of no real XED.
constexpr std::uint16_t esi = 60, ax = 40, flags_register = 30;
const std::array<slot, 5> golden_slots{{{esi, 61, 4, 10, 0},
                                        {ax, 40, 2, 14, 0},
                                        {umtracer::name_mem0, 0xFFFF, 2, 0, 4},
                                        {flags_register, 30, 4, 16, 0},
                                        {umtracer::name_mem0, 0xFFFF, 2, 20, 4}}};
const bytes golden_code = from_hex("66 01 46 08");
umtracer::instruction_info golden() {
  umtracer::instruction_info i;
  i.address = 0x401000;
  i.code = golden_code;
  i.text = "add word ptr [esi+8], ax";
  i.slots = golden_slots;
  auto& d = i.decoded;
  d.category = 6;
  d.mnemonic = 7;
  d.form = 8;
  d.flags = 0x30;
  d.operand_count = 2;
  d.operands[0] = {umtracer::name_mem0, 2, 3, 2, 4, 8, 8};
  d.operands[1] = {ax, 2, 1, 1, umtracer::slot_none, 0, 0};
  d.operand_size = 2;
  d.address_size = 4;
  d.values_size = 34;
  d.first_out_slot = 3;
  d.first_after_slot = 4;
  d.mem0_segment_slot = umtracer::slot_none;
  d.mem0_base_slot = 0;
  d.mem0_index_slot = umtracer::slot_none;
  d.mem1_base_slot = umtracer::slot_none;
  d.constants = {8, 0};
  return i;
}
// esi = 0x00200ff8, its word at 0x00201000 is 0x1234 before and 0x1235 after, ax is 1.
const bytes golden_values = from_hex(
    "00 10 20 00 00 00 00 00 34 12 f8 0f 20 00 01 00 46 02 00 00"
    "00 10 20 00 00 00 00 00 35 12 06 02 00 00");

// A trace of what `f` writes, in a folder that is gone with this.
struct trace {
  explicit trace(const std::function<void(writer&)>& f, umtracer::writer_options options = {}) {
    writer out(path, small_map(), options);
    f(out);
    out.finish();
    in.emplace(path);
  }
  folder dir = {};
  std::string path = dir / "t";
  std::optional<umtracer::reader> in = {};
};

void refused(const char* field, std::optional<std::uint64_t> record, file f,
             const std::function<void(writer&)>& act, umtracer::writer_options options = {}) {
  CAPTURE(field);
  const folder dir;
  {
    writer out(dir / "t", small_map(), options);
    out.add_thread({});
    const auto error = error_of([&] { act(out); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::refused);
    CHECK(error->field() == field);
    CHECK(error->record() == record);
    CHECK(error->file() == dir / "t/" + std::string(umtracer::name(f)));
  }
  CHECK(fs::is_empty(dir / ""));
}
void refused_instruction(const char* field, const umtracer::instruction_info& i) {
  refused(field, 0, file::instructions, [&](writer& out) { out.add_instruction(i); });
}
void refused_record(const char* field, const std::function<void(writer&)>& act) {
  refused(field, 0, file::exec_records, act);
}

}  // namespace

TEST_CASE("a sample written anew from its records is the sample") {
  for (const std::string name : umtracer_samples) {
    CAPTURE(name);
    const umtracer::reader in(umtracer_sample(name));
    const folder dir;
    writer out(dir / "t", in.files()[file::context_map], umtracer::options_of(in));
    umtracer::copy_trace(in, out);
    out.finish();
    check_same(in, umtracer::reader(dir / "t"));
  }
}

TEST_CASE("a sample told event by event is the sample") {
  for (const std::string name : umtracer_samples) {
    CAPTURE(name);
    const umtracer::reader in(umtracer_sample(name));
    const folder dir;
    writer out(dir / "t", in.files()[file::context_map], umtracer::options_of(in));
    for (std::size_t i = 0; i < in.modules().size(); ++i)
      out.add_module(stored_module(in.modules(), i).info);
    replay_tables(in, out);
    replayer told(in, out);
    for (std::uint64_t i = 0; i <= in.size(); ++i) {
      for (std::size_t m = 0; m < in.modules().size(); ++m) {
        const auto row = in.modules()[m];
        const auto id = static_cast<std::int32_t>(m);
        if (row.load_eid == out.size()) out.load_module(id);
        if (row.unload_eid == out.size()) out.unload_module(id);
      }
      if (i < in.size()) told.tell(i, in[i].thread());
    }
    out.finish();
    check_same(in, umtracer::reader(dir / "t"));
  }
}

TEST_CASE("ranges follow from the records") {
  // The table of these two has a page each that only a record with unreliable values shows.
  const std::map<std::string, std::vector<std::uint64_t>> more{
      {"plain64", {}}, {"awkward32", {}}, {"plain32", {0xD7}}, {"awkward64", {0x21}}};
  for (const std::string name : umtracer_samples) {
    CAPTURE(name);
    const umtracer::reader in(umtracer_sample(name));
    const folder dir;
    writer out(dir / "t", in.files()[file::context_map], umtracer::options_of(in));
    umtracer::copy_tables(in, out);
    for (std::uint64_t i = 0; i < in.size(); ++i) out.copy(in[i]);
    out.finish();
    const umtracer::reader back(dir / "t");
    const auto pages = [](const auto& ranges) {
      std::vector<std::uint64_t> all;
      for (std::size_t i = 0; i < ranges.size(); ++i)
        for (auto p = ranges[i].first >> 12; p <= ranges[i].last >> 12; ++p) all.push_back(p);
      return all;
    };
    std::vector<std::uint64_t> expected = pages(in.ranges());
    for (const std::uint64_t p : more.at(name)) REQUIRE(std::erase(expected, p) == 1);
    CHECK(pages(back.ranges()) == expected);
    // Consecutive pages are one range.
    for (std::size_t i = 1; i < back.ranges().size(); ++i)
      CHECK(back.ranges()[i - 1].last + 1 < back.ranges()[i].first);
  }
}

TEST_CASE("the specification's instruction, byte by byte") {
  const trace t([](writer& out) {
    const auto thread = out.add_thread({{}, 0x1234, 0x7FFDE000});
    out.add_instruction(golden());
    out.instruction(thread, 0, 0, golden_values);
  });
  CHECK(file_of(t.path, file::exec_records) ==
        from_hex("01000000 00000000 0100000000000000") +   // version, count
            from_hex("00000000 00 00 0000000000000000") +  // thread, type, flags; instruction
            golden_values);
  CHECK(file_of(t.path, file::exec_offsets) == from_hex("1000000000000000 4000000000000000"));
  CHECK(file_of(t.path, file::exec_neighbours) == from_hex("ffffffffffffffff ffffffffffffffff"));
  CHECK(file_of(t.path, file::threads) ==
        from_hex("00000000 00000000 0100000000000000 3000000000000000 2000000000000000"
                 "00000000 34120000 00e0fd7f00000000 0000000000000000 ffffffffffffffff"
                 "0100000000000000 0000000000000000"));
  // Rows at 48, the extra area behind; in it decodedIns of 88 + 5 * 12 bytes, then the text.
  const bytes table = file_of(t.path, file::instructions);
  CHECK(table == from_hex("00000000 01000000 0100000000000000 4000000000000000 3000000000000000"
                          "7000000000000000 af00000000000000"
                          "0000000000000000 00 00 04 00 ffffffff 0010400000000000"
                          "66014608 0000000000000000000000 00"
                          "9400000000000000 0000000000000000 0000000000000000"
                          "0600 0700 0800 30 02"
                          "ffff 0200 03 02 04 08 08 000000 2800 0200 01 01 ff 00 00 000000"
                          "000000000000000000000000 000000000000000000000000"
                          "02 04 2200 03 04 05 ff 00 00 ff ff 00000000"
                          "0800000000000000 0000000000000000"
                          "3c00 3d00 0400 0a00 00 000000 2800 2800 0200 0e00 00 000000"
                          "ffff ffff 0200 0000 04 000000 1e00 1e00 0400 1000 00 000000"
                          "ffff ffff 0200 1400 04 000000"
                          "1800 61646420776f726420707472205b6573692b385d2c206178 00"));
  REQUIRE(t.in->ranges().size() == 1);
  CHECK(t.in->ranges()[0] == umtracer::address_range{0x201000, 0x201FFF});
}

TEST_CASE("versions and sizes of rows are the caller's") {
  for (const std::uint32_t version : {0U, 1U})
    for (const bool longer : {false, true}) {
      const trace t(
          [&](writer& out) {
            out.add_module({.start_address = 0x1000, .end_address = 0x1FFF, .win_name = u"a"});
            out.add_thread({{}, 1, 2});
            out.add_thread({{}, 3, 4});
          },
          {version, version, longer ? 64U : 48U, longer ? 48U : 40U, version});
      CHECK(t.in->header().version == version);
      CHECK(t.in->instructions().version() == version);
      CHECK(t.in->syscalls().header().unified_version == version);
      CHECK(t.in->modules().rows().header().row_size == (longer ? 64 : 48));
      CHECK(t.in->modules().version(0).has_value() == longer);
      CHECK(t.in->threads().header().row_size == (longer ? 48 : 40));
      CHECK(t.in->threads()[1].tib_address == 4);
      CHECK(file_of(t.path, file::threads).size() == (longer ? 128 : 112));
    }
  const folder dir;
  const auto wrong = [&](const char* field, umtracer::writer_options o) {
    const auto error = error_of([&] { writer(dir / "t", small_map(), o); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::refused);
    CHECK(error->field() == field);
  };
  wrong("exec_version", {.exec_version = 2});
  wrong("instruction_version", {.instruction_version = 2});
  wrong("module_row_size", {.module_row_size = 56});
  wrong("thread_row_size", {.thread_row_size = 64});
  wrong("unified_version", {.unified_version = 2});
  CHECK(fs::is_empty(dir / ""));
}

TEST_CASE("equal decoded forms and strings are stored once") {
  const trace t([](writer& out) {
    umtracer::instruction_info i = golden();
    out.add_instruction(i);
    i.address += 4;
    i.decoded.operands[3] = {1, 2, 3, 4, 5, 6, 7};  // does not count
    out.add_instruction(i);
    i.text = "another text";
    out.add_instruction(i);
    i.decoded.constants[0] = 9;
    out.add_instruction(i);
    for (int k = 0; k < 3; ++k)
      out.add_module({.win_name = u"C:\\a.dll", .device_name = u"\\Device\\a.dll"});
  });
  constexpr std::size_t form = 88 + 5 * 12, text1 = 24 + 3, text2 = 12 + 3;
  CHECK(file_of(t.path, file::instructions).size() == 48 + 4 * 64 + 2 * form + text1 + text2);
  const auto& all = t.in->instructions();
  CHECK(all[0].decoded.offset == all[1].decoded.offset);
  CHECK(all[0].decoded.offset == all[2].decoded.offset);
  CHECK(all[0].disassembly.offset == all[1].disassembly.offset);
  CHECK(all[2].disassembly.offset == all[3].disassembly.offset);
  CHECK(all.decoded(3).constants[0] == 9);
  CHECK(all.decoded(1).constants[0] == 8);
  CHECK(all.text(3) == "another text");
  CHECK(file_of(t.path, file::modules).size() == 48 + 3 * 64 + (2 * 8 + 4) + (2 * 13 + 4));
}

TEST_CASE("every type of record") {
  const bytes memory = from_hex("01 02 03 04 05");
  const std::vector<umtracer::memory_reference> references{{0x7FFDE000, memory},
                                                           {0x100FFE, std::span(memory).first(3)}};
  const umtracer::context_values context{small_context, references};
  const std::vector<std::uint64_t> arguments{7, 8, 9};
  const trace t([&](writer& out) {
    const auto a = out.add_thread({}), b = out.add_thread({.id = 77});
    out.add_instruction(golden());
    out.thread_begin(a, 1, context);
    out.instruction(a, 0, 0, golden_values);
    const auto first = out.syscall_entry(a, 1,
                                         {.raw_id = 5,
                                          .uniform_id = 6,
                                          .convention = umtracer::syscall_convention::fast64,
                                          .stack_pointer = 0x2000,
                                          .arguments = arguments,
                                          .extra_count = 1,
                                          .extras = memory},
                                         context);
    const auto second = out.syscall_entry(b, 1, {}, context);
    out.context_change(b, exec_type::apc, 1, context);
    out.context_change(b, exec_type::exception, 1, context);
    out.context_change(b, exec_type::callback, 1, context);
    out.context_change(b, exec_type::unknown_context_change, 1, context);
    out.skipped_syscall_exit(b, 1, second);
    out.syscall_exit(a, 1, first, 0xC0000005, context);
    out.syscall_exit(a, 1, -1, 0, context);
    out.opaque(b, exec_type{7}, 0, memory);
    out.opaque(b, exec_type{200}, 0, {});
    out.thread_end(b, 0, 3);
    out.syscall_entry(a, 1, {}, context);  // never ends
    out.application_end(a, 0, 0xFFFFFFFF);
  });
  const umtracer::reader& in = *t.in;
  REQUIRE(in.size() == 16);
  const unsigned types[] = {1, 0, 4, 4, 8, 9, 10, 11, 6, 5, 5, 7, 200, 2, 4, 3};
  for (std::uint64_t i = 0; i < 16; ++i) {
    CHECK(static_cast<unsigned>(in[i].type()) == types[i]);
    if (!in[i].has_context()) continue;
    const auto c = in[i].context();
    CHECK(copy_of(c.buffer()) == small_context);
    CHECK(c.get("rcx") == 0xFFEEDDCCBBAA9988);
    REQUIRE(c.memory_count() == 2);
    CHECK(c.memory(0).address == 0x7FFDE000);
    CHECK(copy_of(c.memory(0).bytes) == memory);
    CHECK(copy_of(c.memory(1).bytes) == from_hex("01 02 03"));
  }
  CHECK(copy_of(in[1].values()) == golden_values);
  CHECK(in[9].syscall_id() == 0);
  CHECK(in[10].syscall_id() == -1);
  CHECK(in[8].syscall_id() == 1);
  CHECK(copy_of(in[11].data()) == memory);
  CHECK(in[12].data().empty());
  CHECK(in[13].exit_code() == 3);
  CHECK(in[15].exit_code() == 0xFFFFFFFF);

  REQUIRE(in.syscalls().size() == 3);
  const auto call = in.syscalls()[0];
  CHECK(call.raw_id == 5);
  CHECK(call.uniform_id == 6);
  CHECK(call.convention == umtracer::syscall_convention::fast64);
  CHECK(call.stack_pointer == 0x2000);
  CHECK(call.begin_eid == 2);
  CHECK(call.end_eid == 9);
  CHECK(call.completed == 1);
  CHECK(call.result == 0xC0000005);
  CHECK(in.syscalls().arguments(0).size() == 3);
  CHECK(in.syscalls().arguments(0)[2] == 9);
  CHECK(copy_of(in.syscalls().extras(0)) == memory);
  CHECK(in.syscalls().place(0).size == 64 + 3 * 8 + 5);
  CHECK(in.syscalls()[1].end_eid == 8);
  CHECK(in.syscalls()[1].completed == 0);
  CHECK(in.syscalls()[2].begin_eid == 14);
  CHECK(in.syscalls()[2].end_eid == -1);

  CHECK(in.threads()[0] == umtracer::thread_record{0, 0, 0, 0, -1, 7});
  CHECK(in.threads()[1] == umtracer::thread_record{77, 0, 0, 3, 13, 9});
  CHECK(in.neighbours_of(2) == umtracer::neighbours{1, 9});
  CHECK(in.neighbours_of(3) == umtracer::neighbours{-1, 4});
  CHECK(in.neighbours_of(15) == umtracer::neighbours{14, -1});
  // The pages of both references, the second one's of two, and of the instruction's memory.
  REQUIRE(in.ranges().size() == 3);
  CHECK(in.ranges()[0] == umtracer::address_range{0x100000, 0x101FFF});
  CHECK(in.ranges()[1] == umtracer::address_range{0x201000, 0x201FFF});
  CHECK(in.ranges()[2] == umtracer::address_range{0x7FFDE000, 0x7FFDEFFF});
}

TEST_CASE("a thread that slept for longer than the window gets its neighbour") {
  constexpr std::int64_t n = 300'000;
  const trace t([&](writer& out) {
    out.add_thread({});
    out.add_thread({});
    out.opaque(0, exec_type{7}, 0, {});
    for (std::int64_t i = 1; i < n - 1; ++i) out.opaque(1, exec_type{7}, 0, {});
    out.opaque(0, exec_type{7}, 0, {});
  });
  CHECK(t.in->neighbours_of(0) == umtracer::neighbours{-1, n - 1});
  CHECK(t.in->neighbours_of(n - 1) == umtracer::neighbours{0, -1});
  for (std::int64_t i = 2; i < n - 2; ++i)
    REQUIRE(t.in->neighbours_of(static_cast<std::uint64_t>(i)) ==
            umtracer::neighbours{i - 1, i + 1});
  CHECK(t.in->threads()[1].record_count == n - 2);
}

TEST_CASE("modules come and go with the records") {
  const trace t([](writer& out) {
    const auto thread = out.add_thread({});
    const auto a = out.add_module({.start_address = 0x1000, .end_address = 0x1FFF});
    out.opaque(thread, exec_type{7}, 0, {});
    const auto b = out.add_module({.start_address = 0x1000, .end_address = 0x1FFF});
    out.add_module({.load_eid = 44, .unload_eid = 55});
    out.unload_module(a);
    out.opaque(thread, exec_type{7}, 0, {});
    static_cast<void>(b);
  });
  const auto& all = t.in->modules();
  CHECK(all[0].load_eid == 0);
  CHECK(all[0].unload_eid == 1);
  CHECK(all[1].load_eid == 1);
  CHECK(all[1].unload_eid == -1);
  CHECK(all[2].load_eid == 44);
  CHECK(all[2].unload_eid == 55);
  CHECK(t.in->module_at(0x1800, 0) == 0);
  CHECK(t.in->module_at(0x1800, 1) == 1);
}

TEST_CASE("an instruction that does not fit is refused") {
  const auto with = [](auto set) {
    umtracer::instruction_info i = golden();
    set(i);
    return i;
  };
  const bytes code(16);
  const std::string text(32768, 'a');
  const std::vector<slot> slots(254);
  refused_instruction("code_size", with([&](auto& i) { i.code = code; }));
  refused_instruction("disassembly", with([&](auto& i) { i.text = text; }));
  refused_instruction("slot_count", with([&](auto& i) { i.slots = slots; }));
  refused_instruction("operand_count", with([](auto& i) { i.decoded.operand_count = 5; }));
  refused_instruction("slots", with([](auto& i) { i.decoded.values_size = 29; }));
  refused_instruction("first_out_slot", with([](auto& i) { i.decoded.first_out_slot = 5; }));
  refused_instruction("first_after_slot", with([](auto& i) { i.decoded.first_after_slot = 6; }));
  refused_instruction("operands", with([](auto& i) { i.decoded.operands[1].before_slot = 5; }));
  refused("id", {}, file::modules,
          [&](writer& out) { out.add_instruction(with([](auto& i) { i.module_id = 0; })); });
  // The largest of each.
  const trace t([&](writer& out) {
    out.add_instruction(with([&](auto& i) {
      i.code = std::span(code).first(15);
      i.text = std::string_view(text).substr(1);
      i.slots = std::span(slots).first(253);
      i.decoded.operand_count = 4;
      i.decoded.first_out_slot = i.decoded.first_after_slot = 253;
    }));
  });
  CHECK(t.in->instructions().text(0).size() == 32767);
  CHECK(t.in->instructions().code(0).size() == 15);
  CHECK(t.in->instructions().decoded(0).slots.size() == 253);
}

TEST_CASE("a record that does not fit is refused") {
  const bytes& c = small_context;
  const std::vector<std::uint64_t> arguments(256);
  const std::u16string name(32768, u'a');
  refused_record("thread_id", [](auto& out) { out.thread_end(1, 0, 0); });
  refused_record("instruction_id", [](auto& out) { out.instruction(0, 0, 0, golden_values); });
  refused_record("instruction_id", [](auto& out) { out.instruction(0, 0, -1, golden_values); });
  for (const std::size_t n : {0U, 33U})
    refused_record("values", [&](auto& out) {
      out.add_instruction(golden());
      out.instruction(0, 0, 0, std::span(golden_values).first(n));
    });
  refused_record("registers", [&](auto& out) { out.thread_begin(0, 0, {std::span(c).first(15)}); });
  refused_record("syscall_id", [&](auto& out) { out.syscall_exit(0, 0, 0, 0, {c}); });
  refused_record("syscall_id", [](auto& out) { out.skipped_syscall_exit(0, 0, -1); });
  refused_record("type", [&](auto& out) { out.context_change(0, exec_type{7}, 0, {c}); });
  refused_record("type", [&](auto& out) { out.opaque(0, exec_type::thread_end, 0, c); });
  refused("argument_count", 0, file::syscall_records,
          [&](auto& out) { out.syscall_entry(0, 0, {.arguments = arguments}, {c}); });
  refused("extra_count", 0, file::syscall_records,
          [&](auto& out) { out.syscall_entry(0, 0, {.extras = c}, {c}); });
  refused("id", 1, file::threads, [](auto& out) { out.add_thread({.id = 0}); });
  refused("win_name", 0, file::modules, [&](auto& out) { out.add_module({.win_name = name}); });
  refused("device_name", 0, file::modules,
          [&](auto& out) { out.add_module({.device_name = name}); });
  refused("end_address", 0, file::modules, [](auto& out) { out.add_module({.start_address = 1}); });
  refused("id", {}, file::modules, [](auto& out) { out.unload_module(0); });
  refused("version", 0, file::modules,
          [](auto& out) {
            out.add_module({.version = {1, {}}});
          },
          {.module_row_size = 48});
  refused("first", 0, file::address_ranges, [](auto& out) { out.add_range({1, 0xFFF}); });
  refused("last", 0, file::address_ranges, [](auto& out) { out.add_range({0, 0x1000}); });
  refused("last", 0, file::address_ranges, [](auto& out) { out.add_range({0x1000, 0xFFF}); });
  // What cannot follow the record before.
  refused("type", 1, file::exec_records, [&](auto& out) {
    out.thread_end(0, 0, 0);
    out.opaque(0, exec_type{7}, 0, {});
  });
  refused("type", 1, file::exec_records, [&](auto& out) {
    out.application_end(0, 0, 0);
    out.opaque(0, exec_type{7}, 0, {});
  });
  refused("type", 1, file::exec_records, [&](auto& out) {
    out.thread_begin(0, 0, {c});
    out.thread_begin(0, 0, {c});
  });
  refused("syscall_id", 2, file::exec_records, [&](auto& out) {
    out.syscall_exit(0, 0, out.syscall_entry(0, 0, {}, {c}), 0, {c});
    out.skipped_syscall_exit(0, 0, 0);
  });
}

TEST_CASE("a copied record must find its tables") {
  const umtracer::reader in(umtracer_sample("plain64"));
  const folder dir;
  writer out(dir / "t", in.files()[file::context_map], umtracer::options_of(in));
  out.add_thread({});
  const auto field_of = [&](exec_type type) {
    for (std::uint64_t i = 0; i < in.size(); ++i)
      if (in[i].type() == type && in[i].thread() == 0)
        return error_of([&] { out.copy(in[i]); }).value().field();
    return std::string();
  };
  CHECK(field_of(exec_type::instruction) == "instruction_id");
  CHECK(field_of(exec_type::syscall_entry) == "syscall_id");
  CHECK(out.size() == 0);
}

TEST_CASE("a trace appears when it is whole") {
  const folder dir;
  const std::string path = dir / "t";
  {
    writer out(path, small_map());
    out.add_thread({});
    for (int i = 0; i < 100'000; ++i) out.opaque(0, exec_type{7}, 0, small_context);
    CHECK_FALSE(fs::exists(path));
  }
  CHECK(fs::is_empty(dir / ""));

  const auto refuses = [&](const std::string& where) {
    const auto error = error_of([&] { writer(where, small_map()); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::refused);
    CHECK(error->file() == where);
  };
  dir.file("a file", small_context);
  refuses(dir / "a file");
  fs::create_directory(dir / "full");
  dir.file("full/kept", small_context);
  refuses(dir / "full");
  CHECK(content(dir / "full/kept") == small_context);
  CHECK(error_of([&] { writer(dir / "missing/t", small_map()); }).value().code() ==
        trace_errc::system);

  // An empty folder is replaced, also by way of a link; a slash may follow.
  fs::create_directory(dir / "empty");
  fs::create_directory_symlink("empty", dir / "link");
  for (const std::string& where : {dir / "link", dir / "new/"}) {
    writer out(where, small_map());
    out.finish();
    CHECK(umtracer::reader(where).size() == 0);
  }
  CHECK(fs::is_symlink(dir / "link"));
  CHECK(fs::exists(dir / "empty/trace.xml"));
  for (const auto& e : fs::directory_iterator(dir / ""))
    CHECK(e.path().filename().string()[0] != '.');

  // Files that came in the meantime stay.
  fs::create_directory(dir / "late");
  {
    writer out(dir / "late", small_map());
    dir.file("late/kept", small_context);
    CHECK(error_of([&] { out.finish(); }).value().code() == trace_errc::system);
  }
  CHECK(std::distance(fs::directory_iterator(dir / "late"), {}) == 1);
}

TEST_CASE("a context map is checked before anything is written") {
  const folder dir;
  bytes map = small_map();
  const auto code_of = [&](std::span<const std::byte> m) {
    return error_of([&] { writer(dir / "t", m); }).value().code();
  };
  CHECK(code_of(std::span(map).first(17423)) == trace_errc::truncated);
  map[3] = std::byte{3};  // 0x0338 elements
  CHECK(code_of(map) == trace_errc::bad_value);
  CHECK(fs::is_empty(dir / ""));
}

TEST_CASE("a context map of named registers") {
  const bytes map = small_map();
  REQUIRE(map.size() == 17424);
  CHECK(copy_of(std::span(map).first(4)) == from_hex("1000 3800"));  // dump size, elements
  CHECK(copy_of(std::span(map).subspan(16 + 2 * 54, 4)) == from_hex("0c00 0d00"));
  CHECK(copy_of(std::span(map).subspan(1040 + 16 * 54, 4)) == from_hex("72617800"));
  CHECK(copy_of(std::span(map).subspan(9232 + 8 * 54, 3)) == from_hex("ffff 00"));
  CHECK(copy_of(std::span(map).subspan(13328 + 8 * 55, 6)) == from_hex("0800 08 00 3700"));
  CHECK(copy_of(std::span(map).subspan(13328 + 8 * 511, 3)) == from_hex("ffff 00"));
  const auto field_of = [](std::vector<umtracer::context_register> r) {
    return error_of([&] { umtracer::make_context_map(16, r); }).value().field();
  };
  CHECK(field_of({{.id = 512}}) == "id");
  CHECK(field_of({{.id = 1}, {.id = 1}}) == "id");
  CHECK(field_of({{.id = 1, .name = "sixteen letters!"}}) == "name");
  CHECK(field_of({{.id = 1, .in64 = {9, 8, 1}}}) == "offset");
}

TEST_CASE("trace.xml") {
  CHECK(umtracer::make_trace_xml({.os_name = "Windows 7",
                                  .xed_version = "20150121",
                                  .command_line = "\"C:\\a & b.exe\" <x\t>",
                                  .bitness = 64,
                                  .process_id = 6151}) ==
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<TraceMetaData>\n"
        "  <OS><Name>Windows 7</Name></OS>\n"
        "  <Xed><Version>20150121</Version></Xed>\n"
        "  <App><CommandLine>&quot;C:\\a &amp; b.exe&quot; &lt;x&#9;&gt;</CommandLine>"
        "<Bitness>64</Bitness><ProcessID>6151</ProcessID></App>\n"
        "</TraceMetaData>\n");
  const auto error = error_of([] { umtracer::make_trace_xml({.os_name = "\x01"}); });
  REQUIRE(error);
  CHECK(error->field() == "OS/Name");
  const trace t([](writer& out) { out.set_xml("<a/>"); });
  CHECK(file_of(t.path, file::xml) == from_hex("3c 61 2f 3e"));
  const trace none([](writer&) {});
  CHECK(file_of(none.path, file::xml).size() > 0);
}
