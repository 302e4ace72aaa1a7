// writer.hpp: samples written again, and small traces byte by byte and field by field.
#include "tracecodec/umtracer/writer.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "umtracer/replay.hpp"
#include "umtracer/writer_support.hpp"

using namespace test;
namespace fs = std::filesystem;
using umtracer::exec_type;
using umtracer::file;
using umtracer::writer;

TEST_CASE("copies each sample record by record without a difference") {
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

TEST_CASE("writes each sample from its events without a difference") {
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

TEST_CASE("derives address ranges from the records") {
  // The tables of two samples each have a page that occurs only in a record with unreliable values.
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

TEST_CASE("writes the specification's instruction byte by byte") {
  const written_trace t([](writer& out) {
    const auto thread = out.add_thread({{}, 0x1234, 0x7FFDE000});
    out.add_instruction(golden());
    out.instruction(thread, 0, 0, golden_operands);
  });
  CHECK(file_of(t.path, file::exec_records) ==
        from_hex("01000000 00000000 0100000000000000") +   // version, count
            from_hex("00000000 00 00 0000000000000000") +  // thread, type, flags; instruction
            golden_operands);
  CHECK(file_of(t.path, file::exec_offsets) == from_hex("1000000000000000 4000000000000000"));
  CHECK(file_of(t.path, file::exec_neighbours) == from_hex("ffffffffffffffff ffffffffffffffff"));
  CHECK(file_of(t.path, file::threads) ==
        from_hex("00000000 00000000 0100000000000000 3000000000000000 2000000000000000"
                 "00000000 34120000 00e0fd7f00000000 0000000000000000 ffffffffffffffff"
                 "0100000000000000 0000000000000000"));
  // Rows at 48, followed by the extra area: decodedIns of 88 + 5 * 12 bytes, then the text.
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

TEST_CASE("writes the versions and row sizes that the caller selects") {
  for (const std::uint32_t version : {0U, 1U})
    for (const bool longer : {false, true}) {
      const written_trace t(
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

TEST_CASE("stores equal decoded instructions and strings once") {
  const written_trace t([](writer& out) {
    umtracer::instruction_info i = golden();
    out.add_instruction(i);
    i.address += 4;
    i.decoded.operands[3] = {1, 2, 3, 4, 5, 6, 7};  // beyond operand_count, so ignored
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

TEST_CASE("writes every type of record") {
  const bytes memory = from_hex("01 02 03 04 05");
  const std::vector<umtracer::memory_reference> references{{0x7FFDE000, memory},
                                                           {0x100FFE, std::span(memory).first(3)}};
  const umtracer::context_values context{small_context, references};
  const std::vector<std::uint64_t> arguments{7, 8, 9};
  const written_trace t([&](writer& out) {
    const auto a = out.add_thread({}), b = out.add_thread({.id = 77});
    out.add_instruction(golden());
    out.thread_begin(a, 1, context);
    out.instruction(a, 0, 0, golden_operands);
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
  CHECK(copy_of(in[1].values()) == golden_operands);
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
  // The pages of both references (the second one covers two), and of the instruction's memory.
  REQUIRE(in.ranges().size() == 3);
  CHECK(in.ranges()[0] == umtracer::address_range{0x100000, 0x101FFF});
  CHECK(in.ranges()[1] == umtracer::address_range{0x201000, 0x201FFF});
  CHECK(in.ranges()[2] == umtracer::address_range{0x7FFDE000, 0x7FFDEFFF});
}

TEST_CASE("links the records of a thread that paused for longer than the window") {
  constexpr std::int64_t n = 300'000;
  const written_trace t([&](writer& out) {
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

TEST_CASE("a thread may be closed without an end record, also in a copy") {
  const written_trace t([](writer& out) {
    const auto over = out.add_thread({}), goes_on = out.add_thread({});
    out.opaque(over, exec_type{7}, 0, {});
    out.opaque(goes_on, exec_type{7}, 0, {});
    out.add_thread({});  // a thread without records
    out.close_thread(over);
  });
  const written_trace copied([&](writer& out) { umtracer::copy_trace(*t.in, out); });
  for (const written_trace* each : {&t, &copied}) {
    CHECK(each->in->threads()[0].last_eid == 0);
    CHECK(each->in->threads()[1].last_eid == -1);
  }
}

TEST_CASE("modules are loaded and unloaded at the current record") {
  const written_trace t([](writer& out) {
    const auto thread = out.add_thread({});
    const auto a = out.add_module({.start_address = 0x1000, .end_address = 0x1FFF});
    out.opaque(thread, exec_type{7}, 0, {});
    const auto b = out.add_module({.start_address = 0x1000, .end_address = 0x1FFF});
    out.add_module({.load_eid = 2, .unload_eid = 2});
    out.unload_module(a);
    out.opaque(thread, exec_type{7}, 0, {});
    static_cast<void>(b);
  });
  const auto& all = t.in->modules();
  CHECK(all[0].load_eid == 0);
  CHECK(all[0].unload_eid == 1);
  CHECK(all[1].load_eid == 1);
  CHECK(all[1].unload_eid == -1);
  CHECK(all[2].load_eid == 2);
  CHECK(all[2].unload_eid == 2);
  CHECK(t.in->module_at(0x1800, 0) == 0);
  CHECK(t.in->module_at(0x1800, 1) == 1);
}
