// writer.hpp: what is rejected, and when a folder appears.
#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracecodec/umtracer/copy.hpp"
#include "umtracer/writer_support.hpp"

using namespace test;
namespace fs = std::filesystem;
using umtracer::exec_type;
using umtracer::file;
using umtracer::slot;
using umtracer::writer;

namespace {

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

TEST_CASE("refuses an instruction that does not fit") {
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
  refused_instruction("code_size", with([](auto& i) { i.code = {}; }));
  refused_instruction("operands", with([](auto& i) { i.decoded.operands[0].before_offset = 40; }));
  refused_instruction(
      "operands", with([](auto& i) { i.decoded.operands[0].before_slot = umtracer::slot_none; }));
  refused_instruction("operands", with([](auto& i) {
                        i.decoded.operands[0].flags = umtracer::operand_flags::written;
                        i.decoded.operands[0].after_slot = umtracer::slot_none;
                      }));
  refused_instruction("slots", with([](auto& i) { i.decoded.mem1_base_slot = 200; }));
  refused("id", {}, file::modules,
          [&](writer& out) { out.add_instruction(with([](auto& i) { i.module_id = 0; })); });
  // The largest accepted values.
  const written_trace t([&](writer& out) {
    out.add_instruction(with([&](auto& i) {
      i.code = std::span(code).first(15);
      i.text = std::string_view(text).substr(1);
      i.slots = std::span(slots).first(253);
      i.decoded.operand_count = 4;
      i.decoded.operands.fill({0, 8, umtracer::operand_flags::read, umtracer::slot_constant0,
                               umtracer::slot_none, 0, 0});
      i.decoded.first_out_slot = i.decoded.first_after_slot = 253;
    }));
  });
  CHECK(t.in->instructions().text(0).size() == 32767);
  CHECK(t.in->instructions().code(0).size() == 15);
  CHECK(t.in->instructions().decoded(0).slots.size() == 253);
}

TEST_CASE("refuses a record that does not fit") {
  const bytes& c = small_context;
  const std::vector<std::uint64_t> arguments(256);
  const std::u16string name(32768, u'a');
  refused_record("thread_id", [](auto& out) { out.thread_end(1, 0, 0); });
  refused_record("instruction_id", [](auto& out) { out.instruction(0, 0, 0, golden_operands); });
  refused_record("instruction_id", [](auto& out) { out.instruction(0, 0, -1, golden_operands); });
  for (const std::size_t n : {0U, 33U})
    refused_record("values", [&](auto& out) {
      out.add_instruction(golden());
      out.instruction(0, 0, 0, std::span(golden_operands).first(n));
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
  refused("first", 1, file::address_ranges, [](auto& out) {
    out.add_range({0x1000, 0x2FFF});
    out.add_range({0x2000, 0x3FFF});
  });
  refused("thread_id", 0, file::exec_records, [](auto& out) { out.close_thread(0); });
  refused("type", 1, file::exec_records, [&](auto& out) {
    out.opaque(0, exec_type{7}, 0, {});
    out.close_thread(0);
    out.opaque(0, exec_type{7}, 0, {});
  });
  // Ids of records that do not exist. Only finish() can detect these.
  const auto refused_times = [](const char* field, umtracer::module_info m) {
    refused(field, 0, file::modules, [&](auto& out) {
      out.add_module(m);
      out.finish();
    });
  };
  refused_times("load_eid", {.load_eid = 1});
  refused_times("load_eid", {.load_eid = -1});
  refused_times("unload_eid", {.unload_eid = 1});
  refused("unload_eid", 0, file::modules, [](auto& out) {
    out.opaque(0, exec_type{7}, 0, {});
    out.add_module({.unload_eid = 0});
    out.finish();
  });
  refused("begin_eid", 0, file::syscall_records, [](auto& out) { out.add_syscall({}, {}); });
  refused("end_eid", 0, file::syscall_records,
          [](auto& out) { out.add_syscall({}, {.begin_eid = 3, .end_eid = 3}); });
  refused("end_eid", {}, file::syscall_records, [](auto& out) {
    out.add_syscall({}, {.begin_eid = 0});
    out.finish();
  });
  // Records that cannot follow the previous record.
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

TEST_CASE("refuses registers with invalid numbers in a context map") {
  using umtracer::context_register;
  const auto field_of = [](const context_register& r) {
    const auto e = error_of([&] { umtracer::make_context_map(16, std::span(&r, 1)); });
    return e ? e->field() : std::string();
  };
  CHECK(field_of({0, "RAX", 0, {0, 8, 0}, {0, 8, 0}}).empty());
  CHECK(field_of({0, "RAX", 1, {0, 8, 0}, {0, 8, 0}}) == "common_name");
  CHECK(field_of({0, "RAX", 0, {0, 8, 1}, {0, 8, 0}}) == "largest");
  CHECK(field_of({0, "RAX", 0, {0, 8, 0}, {0, 8, 300}}) == "largest");
}

TEST_CASE("refuses to copy a record without its table rows") {
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

TEST_CASE("a trace appears only when it is complete") {
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

  // An empty folder is replaced, even through a link. A trailing slash is allowed.
  fs::create_directory(dir / "empty");
  std::error_code no_link;
  fs::create_directory_symlink("empty", dir / "link", no_link);
#ifdef _WIN32
  // Creating a link requires a privilege.
  const std::string replaced = dir / (no_link ? "empty" : "link");
#else
  REQUIRE_FALSE(no_link);
  const std::string replaced = dir / "link";
#endif
  for (const std::string& where : {replaced, dir / "new/"}) {
    writer out(where, small_map());
    out.finish();
    CHECK(umtracer::reader(where).size() == 0);
  }
  CHECK(fs::is_symlink(dir / "link") == !no_link);
  CHECK(fs::exists(dir / "empty/trace.xml"));
  for (const auto& e : fs::directory_iterator(dir / ""))
    CHECK(e.path().filename().string()[0] != '.');

  // Files created in the meantime are kept.
  fs::create_directory(dir / "late");
  {
    writer out(dir / "late", small_map());
    dir.file("late/kept", small_context);
    CHECK(error_of([&] { out.finish(); }).value().code() == trace_errc::system);
  }
  CHECK(std::distance(fs::directory_iterator(dir / "late"), {}) == 1);
}

TEST_CASE("checks the context map before it writes anything") {
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
