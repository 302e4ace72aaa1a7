// Results of the reader for a valid trace, and its error for each possible defect.
#include <doctest/doctest.h>
#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

#include <functional>
#include <memory>

#include "tracecodec/umtracer/reader/explicit_operands.hpp"
#include "tracecodec/umtracer/writer.hpp"
#include "umtracer/tiny_trace.hpp"
#include "umtracer/walk.hpp"

using namespace test;
using umtracer::file;
namespace {
// Returns the error of opening a trace after `damage` was applied: "ins.itable 16 row_size", and
// the record if the error has a record. Returns "" if the trace opens. A `lenient` reader also
// throws only trace_error.
template <class F> std::string opening(F&& damage, bool lenient = false) {
  tiny_trace t;
  damage(t);
  const auto e = error_of([&] { (void)t.open(lenient); });
  if (!e) return "";
  std::string s = e->file().substr(e->file().rfind('/') + 1);
  if (e->offset()) s += ' ' + std::to_string(*e->offset());
  if (e->record()) s += " #" + std::to_string(*e->record());
  return s + ' ' + e->field();
}
std::string opening_with(file f, std::size_t at, std::uint64_t value, std::size_t size = 8) {
  return opening([&](tiny_trace& t) { t.put(f, at, value, size); });
}
constexpr std::uint64_t huge = 0x7FFFFFFFFFFFFFFF, negative = std::uint64_t{1} << 63;

// Returns the error of `f(reader)`.
template <class F> std::string error_of_call(const tiny_trace& t, F&& f, trace_errc code) {
  const auto r = t.open();
  const auto e = error_of([&] { f(r); });
  if (!e) return "";
  CHECK(e->code() == code);
  std::string s = e->file().substr(e->file().rfind('/') + 1);
  s += ' ' + std::to_string(e->offset().value()) + " #" + std::to_string(e->record().value());
  return s + ' ' + e->field();
}
template <class F> std::string error_of_call(file f, std::size_t at, std::uint64_t value,
                                             std::size_t size, F&& call,
                                             trace_errc code = trace_errc::bad_value) {
  tiny_trace t;
  t.put(f, at, value, size);
  return error_of_call(t, call, code);
}
std::string at(file f, std::size_t offset, std::size_t record, const std::string& field) {
  return std::string(name(f)) + ' ' + std::to_string(offset) + " #" + std::to_string(record) + ' ' +
         field;
}
}  // namespace

TEST_CASE("returns explicit operands with their values before and after") {
  // add word ptr [esi+8], ax
  const tiny_trace t;
  const auto r = t.open();
  const auto memory = umtracer::explicit_operand_of(r, r[1], 0);
  CHECK(memory.address == 0x200028);
  CHECK(to_hex(memory.before) == "1111");
  CHECK(to_hex(memory.after) == "3333");
  CHECK_FALSE(memory.constant);
  const auto ax = umtracer::explicit_operand_of(r, r[1], 1);
  CHECK_FALSE(ax.address);
  CHECK(to_hex(ax.before) == "2222");
  CHECK(ax.after.empty());
  CHECK(error_of([&] { explicit_operand_of(r, r[1], 2); }).value().code() == trace_errc::refused);

  // add ch, 0x11
  const umtracer::reader plain(umtracer_sample("plain64"));
  const auto ch = umtracer::explicit_operand_of(plain, plain[1], 0);
  CHECK(plain.registers().name(ch.what.name) == "CH");
  CHECK(to_hex(ch.before) == "02");
  CHECK(to_hex(ch.after) == "b7");
  CHECK(umtracer::explicit_operand_of(plain, plain[1], 1).constant == 0x11);

  // The operands of every record are within the record's values, even in the awkward files.
  for (const std::string name : umtracer_samples) {
    const umtracer::reader all(umtracer_sample(name));
    std::size_t n = 0, high = 0;
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      if (all[i].type() != umtracer::exec_type::instruction) continue;
      const auto d = all.instructions().decoded(all.row_of(all[i]));
      for (std::size_t o = 0; o < d.operand_count; ++o, ++n) {
        const auto v = umtracer::explicit_operand_of(all, all[i], o);
        CHECK((v.constant ? v.before.empty() : v.before.size() == v.what.size));
        high += !v.address && v.what.before_offset == 1;
      }
    }
    CHECK(n > 500);
    MESSAGE(name << ": " << n << " operands, " << high << " high bytes");
  }
}

TEST_CASE("returns the fields of each type of record") {
  const tiny_trace t;
  const auto r = t.open();
  REQUIRE(r.size() == 16);
  constexpr std::array<unsigned, 16> types{1, 0, 4, 1, 5, 4, 6, 8, 9, 10, 11, 7, 12, 5, 2, 3};
  constexpr std::array<unsigned, 16> threads{5, 5, 5, 9, 5, 9, 9, 9, 9, 9, 9, 5, 5, 5, 5, 9};
  for (std::size_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(static_cast<unsigned>(r[i].type()) == types[i]);
    CHECK(r[i].thread() == threads[i]);
    CHECK(r[i].offset() == t.record(i));
    CHECK(r[i].has_context() ==
          (types[i] == 1 || types[i] == 4 || types[i] == 5 || types[i] > 7) - (types[i] == 12));
  }
  CHECK(r.row_of(r[1]) == 0);
  CHECK(to_hex(r[1].values()) == to_hex(golden_values()));
  const std::string registers = to_hex(counting(24));
  for (const std::size_t i : {0U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 10U, 13U})
    CHECK(to_hex(r[i].context().buffer()) == registers);
  const auto begin = r[0].context();
  REQUIRE(begin.memory_count() == 1);
  CHECK(begin.memory(0).address == 0x7000);
  CHECK(to_hex(begin.memory(0).bytes) == to_hex(counting(16, 0x80)));
  CHECK(begin.get("rax") == 0x0807060504030201);
  CHECK(begin.get("Ax") == 0x0201);
  CHECK(begin.get("esi") == 0x0C0B0A09);
  CHECK_FALSE(begin.get("invalid"));
  CHECK_FALSE(begin.get("rbx"));
  CHECK(r[2].syscall_id() == 0);
  CHECK(r[6].syscall_id() == 1);
  CHECK(r[13].syscall_id() == -1);
  CHECK(to_hex(r[11].data()) == "010203");
  CHECK(r[12].data().empty());
  CHECK(r[14].exit_code() == 7);
  CHECK(r[15].exit_code() == 42);
  CHECK(r.neighbours_of(4) == umtracer::neighbours{2, 11});
  CHECK(r.neighbours_of(15) == umtracer::neighbours{10, -1});
  CHECK(walk(r).errors > 0);  // fields that the record's type does not have are also read
}

TEST_CASE("returns the rows of all tables") {
  const tiny_trace t;
  const auto r = t.open();
  REQUIRE(r.instructions().size() == 2);
  CHECK(r.instructions().text(0) == "add word ptr [esi+8], ax");
  CHECK(r.instructions().text(1) == "sysenter");
  CHECK(to_hex(r.instructions().code(0)) == "66014608");
  CHECK(r.instructions().decoded(0).values_size == 34);
  CHECK(r.instructions().decoded(1).slots.empty());
  CHECK(r.instructions()[1].module_id == -1);
  REQUIRE(r.modules().size() == 1);
  CHECK(r.modules().win_name(0).size() == 8);
  CHECK(r.modules().device_name(0)[1] == 'D');
  CHECK(r.modules().version(0).value().version == std::array<std::uint16_t, 4>{6, 1, 7601, 18000});
  CHECK(r.module_at(0x400000, 0) == 0);
  CHECK(r.module_at(0x400FFF, 15) == 0);
  CHECK_FALSE(r.module_at(0x401000, 15));
  CHECK_FALSE(r.module_at(0x3FFFFF, 15));
  REQUIRE(r.threads().size() == 2);
  CHECK(r.threads()[1].id == 9);
  CHECK(r.threads().offset(1) == 80);
  CHECK(r.ranges()[1] == umtracer::address_range{0x3000, 0x4FFF});
  REQUIRE(r.syscalls().size() == 2);
  CHECK(r.syscalls()[0].result == 0xC0000005);
  CHECK(r.syscalls().arguments(0)[1] == 0x22);
  CHECK(to_hex(r.syscalls().extras(0)) == "010203");
  CHECK(r.syscalls().arguments(1).empty());
  CHECK(r.syscalls().extras(1).empty());
}

TEST_CASE("a module exists from its load to its unload, and may replace another") {
  tiny_trace t;
  t.put(file::modules, t.module_row, 4);
  t.put(file::modules, t.module_row + 8, 9);
  const auto r = t.open();
  CHECK_FALSE(r.module_at(0x400000, 3));
  CHECK(r.module_at(0x400000, 4) == 0);
  CHECK(r.module_at(0x400000, 8) == 0);
  CHECK_FALSE(r.module_at(0x400000, 9));
}

TEST_CASE("module rows of 48 bytes have no file version, and rows may be longer") {
  tiny_trace t;
  t.put(file::modules, 16, 48);
  CHECK_FALSE(t.open().modules().version(0));
  t.put(file::modules, 16, 63);
  CHECK_FALSE(t.open().modules().version(0));
  t.put(file::modules, 16, 64 + 24);
  CHECK(t.open().modules().version(0));
}

TEST_CASE("reports a missing file, and allows only trace.xml to be missing") {
  for (std::size_t i = 0; i + 1 < umtracer::file_count; ++i) {
    const auto f = static_cast<file>(i);
    const auto without = [f](tiny_trace& t) { t.remove(f); };
    CHECK(opening(without) == std::string(name(f)) + ' ');
    const bool records = f == file::exec_records || f == file::exec_offsets;
    CHECK(opening(without, true) == (records ? std::string(name(f)) + ' ' : ""));
  }
  CHECK(opening([](tiny_trace& t) { t.remove(file::xml); }) == "");
}

TEST_CASE("reports each file that is truncated at any byte") {
  // Number of bytes that opening a trace requires. Headers count these bytes. Other bytes are read
  // later.
  using row = std::pair<file, std::size_t>;
  std::size_t errors = 0;
  for (const row& r :
       {row{file::exec_records, 16}, row{file::exec_offsets, 17 * 8},
        row{file::exec_neighbours, 16 * 16}, row{file::instructions, 48 + 128 + 64 + 160 + 88},
        row{file::modules, 48 + 48}, row{file::threads, 32 + 48 + 40},
        row{file::address_ranges, 32 + 32}, row{file::context_map, 17424},
        row{file::syscall_records, 16}, row{file::syscall_offsets, 32}, row{file::xml, 0}}) {
    const file f = r.first;
    const std::size_t needed = r.second;
    CAPTURE(name(f));
    tiny_trace t;
    for (std::size_t n = t[f].size(); n-- > 0;) {
      t[f].resize(n);
      t[f].shrink_to_fit();  // an address sanitizer detects reads beyond the end
      if (f == file::context_map && n % 89 != 0 && n > 40) continue;
      CAPTURE(n);
      const auto strict = error_of([&] { errors += walk(t.open()).errors; });
      CHECK(strict.has_value() == (n < needed));
      // The counts for the execution table and the system calls are in another file.
      const bool counts =
          f == file::exec_offsets || f == file::exec_neighbours || f == file::syscall_offsets;
      if (strict) {
        const file says = !counts                      ? f
                          : f == file::syscall_offsets ? file::syscall_records
                                                       : file::exec_records;
        CHECK(strict->file() == "tiny/" + std::string(name(says)));
        CHECK(strict->offset().has_value());
      }
      error_of([&] { errors += walk(t.open(true)).errors; });
    }
  }
  CHECK(errors > 0);
  CHECK(errors < nameless);
}

TEST_CASE("lenient: reads the whole rows of truncated files") {
  const auto cut = [](file f, std::size_t n) {
    tiny_trace t;
    t[f].resize(n);
    return t;
  };
  const tiny_trace whole;
  for (std::size_t n = 16; n <= whole.record(0) + 300; ++n) {
    std::size_t fit = 0;
    while (whole.record(fit + 1) <= n) ++fit;
    CHECK(cut(file::exec_records, n).open(true).size() == fit);
  }
  for (std::size_t n = 0; n < 17 * 8; ++n)
    CHECK(cut(file::exec_offsets, n).open(true).size() == (n < 8 ? 0 : n / 8 - 1));
  for (std::size_t n = 0; n < 16 * 16; ++n)
    CHECK(cut(file::exec_neighbours, n).open(true).size() == 16);
  for (std::size_t n = 32; n < 32 + 96; ++n)  // the last 8 bytes of a row are not known
    CHECK(cut(file::threads, n).open(true).threads().size() == (n < 72 ? 0 : n < 120 ? 1 : 2));
  for (std::size_t n = 32; n < 64; ++n)
    CHECK(cut(file::address_ranges, n).open(true).ranges().size() == (n - 32) / 16);
  for (std::size_t n = 0; n < 32; ++n)
    CHECK(cut(file::syscall_offsets, n).open(true).syscalls().size() == n / 16);
  // The rows are complete, but their texts are not.
  const auto t = cut(file::instructions, tiny_trace::decoded);
  const auto r = t.open(true);
  CHECK(r.instructions().size() == 2);
  CHECK(r.instructions().text(1) == "sysenter");
  CHECK(error_of([&] { (void)r.instructions().decoded(0); }).has_value());
  // A count in a header that is too small does not hide records.
  tiny_trace u;
  u.put(file::exec_records, 8, 0);
  CHECK(u.open(true).size() == 16);
}

namespace {
// Returns the table sizes that a lenient reader finds: rows of instructions, modules, threads and
// ranges, and system calls.
std::array<std::size_t, 5> rows(const umtracer::reader& r) {
  return {r.instructions().size(), r.modules().size(), r.threads().size(), r.ranges().size(),
          r.syscalls().size()};
}
constexpr std::array tables{file::instructions, file::modules, file::threads, file::address_ranges};
}  // namespace

TEST_CASE("lenient: derives counts that were never written") {
  for (const std::uint64_t count : {std::uint64_t{0}, minus_one, negative, huge}) {
    CAPTURE(count);
    tiny_trace t;
    for (const file f : {file::exec_records, file::instructions, file::modules, file::threads,
                         file::address_ranges, file::syscall_records})
      t.put(f, 8, count);
    for (const file f : {file::instructions, file::modules}) t.put(f, 40, count);
    const auto r = t.open(true);
    CHECK(r.size() == 16);
    CHECK(rows(r) == std::array<std::size_t, 5>{2, 1, 2, 2, 2});
    CHECK(r.row_of(r[1]) == 0);
    CHECK(r.instructions().text(1) == "sysenter");
    CHECK(r.instructions().decoded(0).values_size == 34);
    CHECK(r.module_at(0x400000, 1) == 0);
    CHECK(r.threads()[1].id == 9);
    CHECK(r.syscalls()[1].raw_id == 101);
  }
  // A count that fits is used.
  tiny_trace t;
  for (const file f :
       {file::instructions, file::threads, file::address_ranges, file::syscall_records})
    t.put(f, 8, 1);
  CHECK(rows(t.open(true)) == std::array<std::size_t, 5>{1, 1, 1, 1, 1});
}

TEST_CASE("lenient: uses default row sizes if headers were never written") {
  // Rows follow the header in their specified size. Here the rows of threads have 40 bytes.
  tiny_trace t;
  t[file::threads].erase(t[file::threads].begin() + 32 + 40, t[file::threads].begin() + 32 + 48);
  t[file::threads].resize(32 + 2 * 40);
  for (const file f : tables)
    for (std::size_t at = 0; at < 32; at += 8) t.put(f, at, 0);
  t.put(file::instructions, 32, 0);
  t.put(file::instructions, 40, 0);
  t.put(file::syscall_records, 8, 0);
  const auto r = t.open(true);
  CHECK(r.instructions().size() >= 2);  // the start of the extra area is unknown
  CHECK(r.instructions()[1].address == 0x500000);
  CHECK(error_of([&] { (void)r.instructions().text(0); }).has_value());
  REQUIRE(r.modules().size() == 1);
  CHECK(r.modules()[0].start_address == 0x400000);
  REQUIRE(r.threads().size() == 2);
  CHECK(r.threads()[1].win_tid == 1009);
  CHECK(r.threads().offset(1) == 72);
  CHECK(r.ranges()[1] == umtracer::address_range{0x3000, 0x4FFF});
  CHECK(walk(r).errors < nameless);
}

TEST_CASE("lenient: treats missing and empty tables as tables without rows") {
  for (const bool missing : {true, false}) {
    tiny_trace t;
    for (const file f :
         {file::instructions, file::modules, file::threads, file::address_ranges,
          file::syscall_records, file::syscall_offsets, file::context_map, file::exec_neighbours})
      if (missing)
        t.remove(f);
      else
        t[f].clear();
    const auto r = t.open(true);
    CHECK(r.size() == 16);
    CHECK(rows(r) == std::array<std::size_t, 5>{});
    CHECK(r[2].thread() == 5);
    CHECK(r[2].syscall_id() == 0);
    CHECK_FALSE(r[2].context().get("rax"));
    CHECK(r.neighbours_of(4) == umtracer::neighbours{-1, -1});
    CHECK(error_of([&] { (void)r.row_of(r[1]); }).has_value());
    CHECK(walk(r).errors < nameless);
  }
  tiny_trace t;
  t[file::exec_neighbours].resize(5 * 16 + 15);
  const auto r = t.open(true);
  CHECK(r.neighbours_of(4) == umtracer::neighbours{2, 11});
  CHECK(r.neighbours_of(5) == umtracer::neighbours{-1, -1});
}

TEST_CASE("refuses table headers that contradict their files") {
  using row = std::pair<file, std::size_t>;  // number of known bytes in its rows
  for (const auto& [f, known] : {row{file::instructions, 64}, row{file::modules, 48},
                                 row{file::threads, 40}, row{file::address_ranges, 16}}) {
    const std::string n(name(f));
    CHECK(opening_with(f, 0, 1, 4) == n + " 0 header_version");
    CHECK(opening_with(f, 8, minus_one) == n + " 8 row_count");
    CHECK(opening_with(f, 8, huge) == n + " 8 row_count");
    CHECK(opening_with(f, 8, 10000) == n + " 8 row_count");
    CHECK(opening_with(f, 8, std::uint64_t{1} << 58) == n + " 8 row_count");  // * 64 is 2 to the 64
    for (const std::uint64_t size :
         {std::uint64_t{0}, minus_one, negative, std::uint64_t{known} - 1})
      CHECK(opening_with(f, 16, size) == n + " 16 row_size");
    CHECK(opening_with(f, 16, huge) == n + " 16 row_size");
    CHECK(opening_with(f, 16, std::uint64_t{1} << 32) == n + " 16 row_size");
    CHECK(opening([f = f](tiny_trace& t) { t.put(f, 16, std::uint64_t{1} << 32); }, true) ==
          n + " 16 row_size");
    CHECK(opening([f = f](tiny_trace& t) {  // there are no rows
            t.put(f, 8, 0);
            t.put(f, 16, std::uint64_t{1} << 32);
          }) == "");
    for (const std::uint64_t table :
         {std::uint64_t{0}, std::uint64_t{31}, minus_one, negative, huge, std::uint64_t{100000}})
      CHECK(opening_with(f, 24, table) == n + " 24 table");
    CHECK(opening([f = f](tiny_trace& t) {
            t.put(f, 8, 0);
            t.put(f, 24, t[f].size());
          }) == "");
  }
  for (const file f : {file::instructions, file::modules}) {
    const std::string n(name(f));
    for (const std::uint64_t extra : {minus_one, negative, huge, std::uint64_t{100000}})
      if (f == file::instructions) CHECK(opening_with(f, 32, extra) == n + " 32 extra");
    for (const std::uint64_t size : {minus_one, negative, huge, std::uint64_t{100000}})
      if (f == file::instructions) CHECK(opening_with(f, 40, size) == n + " 40 extra_size");
  }
}

TEST_CASE("refuses wrong counts of execution records and system calls") {
  CHECK(opening_with(file::exec_records, 0, 2, 4) == "exec.vtable 0 version");
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{15}, std::uint64_t{17}, huge,
                                    negative, minus_one, std::uint64_t{1} << 60})
    CHECK(opening_with(file::exec_records, 8, count) == "exec.vtable 8 record_count");
  for (const file f : {file::exec_offsets, file::exec_neighbours})
    CHECK(opening([f](tiny_trace& t) { t[f].push_back(std::byte{0}); }) ==
          "exec.vtable 8 record_count");
  CHECK(opening_with(file::syscall_records, 0, 1, 4) == "syscall.vtable 0 version");
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{3}, huge, negative, minus_one})
    CHECK(opening_with(file::syscall_records, 8, count) == "syscall.vtable 8 record_count");
  CHECK(opening_with(file::context_map, 2, 512, 2) == "");
  CHECK(opening_with(file::context_map, 2, 513, 2) == "context_map.itable 2 element_count");
  CHECK(opening_with(file::context_map, 2, 0xFFFF, 2) == "context_map.itable 2 element_count");
}

TEST_CASE("refuses invalid offsets of execution records") {
  const auto call = [](const umtracer::reader& r) { (void)r[3]; };
  const tiny_trace t;
  const std::size_t from = t.record(3);
  for (const std::uint64_t to :
       {std::uint64_t{0}, std::uint64_t{from - 1}, std::uint64_t{from}, std::uint64_t{from + 5},
        std::uint64_t{100000}, huge, negative, minus_one})
    CHECK(error_of_call(file::exec_offsets, 32, to, 8, call) ==
          at(file::exec_offsets, 32, 3, "offset"));
  CHECK(error_of_call(file::exec_offsets, 32, from + 6, 8, call) == "");
  CHECK(error_of_call(file::exec_offsets, 24, minus_one, 8, call) ==
        at(file::exec_offsets, 32, 3, "offset"));
  // The first record must begin after the header. A lenient reader accepts any offset.
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{15}}) {
    CHECK(opening_with(file::exec_offsets, 0, first) == at(file::exec_offsets, 0, 0, "offset"));
    CHECK(opening([&](tiny_trace& to_write) { to_write.put(file::exec_offsets, 0, first); },
                  true) == "");
  }
}

TEST_CASE("refuses records that are shorter than their type's fields") {
  // Each record of the trace in turn ends after n bytes of its data.
  struct kind {
    std::size_t record, needed;  // bytes of data
    std::function<void(const umtracer::record_view&)> call;
    const char* field;
  };
  const auto context = [](const umtracer::record_view& r) { (void)r.context(); };
  const auto instruction = [](const umtracer::record_view& r) { (void)r.instruction_id(); };
  const auto values = [](const umtracer::record_view& r) { (void)r.values(); };
  const auto syscall = [](const umtracer::record_view& r) { (void)r.syscall_id(); };
  const auto code = [](const umtracer::record_view& r) { (void)r.exit_code(); };
  for (const kind& k :
       {kind{1, 8, instruction, "instruction_id"}, kind{1, 8, values, "instruction_id"},
        kind{2, 8, syscall, "syscall_id"}, kind{4, 8, syscall, "syscall_id"},
        kind{6, 8, syscall, "syscall_id"}, kind{14, 4, code, "exit_code"},
        kind{15, 4, code, "exit_code"}, kind{7, 16 + 24, context, ""},
        kind{2, 8 + 16 + 24, context, ""}, kind{0, 16 + 24 + 24 + 16, context, ""}}) {
    CAPTURE(k.record);
    for (std::size_t n = 0; n <= k.needed; ++n) {
      CAPTURE(n);
      tiny_trace t;
      t.put(file::exec_offsets, 8 * (k.record + 1), t.record(k.record) + 6 + n);
      const auto r = t.open();
      const auto e = error_of([&] { k.call(r[k.record]); });
      CHECK(e.has_value() == (n < k.needed));
      if (!e) continue;
      CHECK(e->file() == "tiny/exec.vtable");
      CHECK(e->record() == k.record);
      CHECK(e->offset().value() >= t.record(k.record));
      if (*k.field != 0) CHECK(e->field() == k.field);
      CHECK_FALSE(e->field().empty());
    }
  }
}

TEST_CASE("refuses access to fields that the record's type does not have") {
  const tiny_trace t;
  const auto r = t.open();
  const auto refused = [](auto&& f) {
    const auto e = error_of(f);
    return e && e->code() == trace_errc::refused && e->field() == "type";
  };
  for (std::size_t i = 0; i < r.size(); ++i) {
    CAPTURE(i);
    CHECK(refused([&] { (void)r[i].instruction_id(); }) == (i != 1));
    CHECK(refused([&] { (void)r[i].values(); }) == (i != 1));
    CHECK(refused([&] { (void)r.row_of(r[i]); }) == (i != 1));
    CHECK(refused([&] { (void)r[i].exit_code(); }) == (i < 14));
    CHECK(refused([&] { (void)r[i].syscall_id(); }) ==
          !(i == 2 || i == 4 || i == 5 || i == 6 || i == 13));
    CHECK(refused([&] { (void)r[i].context(); }) == !r[i].has_context());
  }
}

TEST_CASE("refuses invalid ids and pointers in execution records") {
  const tiny_trace t;
  const std::size_t ins = t.record(1) + 6, begin = t.record(0) + 6;
  const auto row = [](const umtracer::reader& r) { (void)r.row_of(r[1]); };
  for (const std::uint64_t id : {std::uint64_t{2}, huge, negative, minus_one})
    CHECK(error_of_call(file::exec_records, ins, id, 8, row) ==
          at(file::exec_records, ins, 1, "instruction_id"));
  CHECK(error_of_call(file::exec_records, ins, 1, 8, row) == "");
  const auto context = [](const umtracer::reader& r) { (void)r[0].context(); };
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{0x10000000}, minus_one})
    CHECK(error_of_call(file::exec_records, begin, count, 4, context) ==
          at(file::exec_records, begin, 0, "memory_count"));
  for (const std::uint64_t p : {minus_one, negative, huge, std::uint64_t{16 + 24 + 24 + 16 - 23}})
    CHECK(error_of_call(file::exec_records, begin + 8, p, 8, context) ==
          at(file::exec_records, begin + 8, 0, "registers"));
  CHECK(error_of_call(file::exec_records, begin + 8, 16 + 24 + 24 + 16 - 24, 8, context) == "");
  for (const std::uint64_t size :
       {std::uint64_t{17}, (std::uint64_t{1} << 32) + 16, minus_one, negative, huge})
    CHECK(error_of_call(file::exec_records, begin + 24, size, 8, context) ==
          at(file::exec_records, begin + 24, 0, "memory"));
  for (const std::uint64_t p : {std::uint64_t{65}, minus_one, negative, huge})
    CHECK(error_of_call(file::exec_records, begin + 32, p, 8, context) ==
          at(file::exec_records, begin + 24, 0, "memory"));
}

TEST_CASE("refuses invalid pointers in table rows") {
  const std::size_t row = tiny_trace::ins_row;
  const auto text = [](const umtracer::reader& r) { (void)r.instructions().text(0); };
  const auto decoded = [](const umtracer::reader& r) { (void)r.instructions().decoded(0); };
  const std::size_t area = 64 + 160 + 88;
  for (const std::uint64_t p : {minus_one, negative, huge, std::uint64_t{area - 1}}) {
    CHECK(error_of_call(file::instructions, row + 40, p, 8, text) ==
          at(file::instructions, row + 40, 0, "disassembly"));
    CHECK(error_of_call(file::instructions, row + 48, p, 8, decoded) ==
          at(file::instructions, row + 48, 0, "decoded"));
  }
  CHECK(error_of_call(file::instructions, row + 48, area - 87, 8, decoded) ==
        at(file::instructions, row + 48, 0, "decoded"));
  // More slots than fit in the extra area, and a text that is longer than it.
  CHECK(error_of_call(file::instructions, tiny_trace::decoded + 62, 14, 1, decoded) ==
        at(file::instructions, row + 48, 0, "decoded"));
  CHECK(error_of_call(file::instructions, tiny_trace::text, 0xFFFF, 2, text) ==
        at(file::instructions, row + 40, 0, "disassembly"));
  const auto win = [](const umtracer::reader& r) { (void)r.modules().win_name(0); };
  const auto device = [](const umtracer::reader& r) { (void)r.modules().device_name(0); };
  for (const std::uint64_t p : {minus_one, negative, huge, std::uint64_t{161}}) {
    CHECK(error_of_call(file::modules, 48 + 32, p, 8, win) ==
          at(file::modules, 48 + 32, 0, "win_name"));
    CHECK(error_of_call(file::modules, 48 + 40, p, 8, device) ==
          at(file::modules, 48 + 40, 0, "device_name"));
  }
  CHECK(error_of_call(file::modules, tiny_trace::module_extra, 0x7FFF, 2, win) ==
        at(file::modules, 48 + 32, 0, "win_name"));
}

TEST_CASE("clips groups of slots to the existing slots, in order") {
  const auto groups = [](std::uint64_t out, std::uint64_t after) {
    tiny_trace t;
    t.put(file::instructions, t.decoded + 60, out, 1);
    t.put(file::instructions, t.decoded + 61, after, 1);
    const auto r = t.open();
    const auto s = r.instructions().slots(0);
    CHECK(s.slots.size() == 6);
    return std::pair<unsigned, unsigned>(s.first_out, s.first_after);
  };
  using pair = std::pair<unsigned, unsigned>;
  CHECK(groups(3, 4) == pair{3, 4});
  CHECK(groups(6, 6) == pair{6, 6});
  CHECK(groups(250, 4) == pair{4, 4});
  CHECK(groups(3, 250) == pair{3, 6});
  CHECK(groups(250, 255) == pair{6, 6});
  CHECK(groups(5, 0) == pair{0, 0});
}

TEST_CASE("refuses invalid offsets and pointers of system calls") {
  const auto record = [](const umtracer::reader& r) { (void)r.syscalls()[0]; };
  const auto arguments = [](const umtracer::reader& r) { (void)r.syscalls().arguments(0); };
  const auto extras = [](const umtracer::reader& r) { (void)r.syscalls().extras(0); };
  for (const std::uint64_t offset : {minus_one, negative, huge, std::uint64_t{1000}})
    CHECK(error_of_call(file::syscall_offsets, 0, offset, 8, record) ==
          at(file::syscall_offsets, 0, 0, "offset"));
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{55}, std::uint64_t{1000}, minus_one, negative, huge})
    CHECK(error_of_call(file::syscall_offsets, 8, size, 8, record) ==
          at(file::syscall_offsets, 8, 0, "size"));
  CHECK(error_of_call(file::syscall_offsets, 8, 56, 8, record) == "");
  for (const std::uint64_t p : {minus_one, negative, huge, std::uint64_t{60}})
    CHECK(error_of_call(file::syscall_records, 16 + 40, p, 8, arguments) ==
          at(file::syscall_records, 56, 0, "arguments"));
  CHECK(error_of_call(file::syscall_records, 16 + 6, 255, 1, arguments) ==
        at(file::syscall_records, 56, 0, "arguments"));
  for (const std::uint64_t p : {minus_one, negative, huge, std::uint64_t{76}})
    CHECK(error_of_call(file::syscall_records, 16 + 48, p, 8, extras) ==
          at(file::syscall_records, 64, 0, "extras"));
  // Pointers to nothing are not followed.
  tiny_trace t;
  const std::size_t second = tiny_trace::syscall_row + tiny_trace::syscall_size;
  t.put(file::syscall_records, second + 40, minus_one);
  t.put(file::syscall_records, second + 48, minus_one);
  CHECK(t.open().syscalls().arguments(1).empty());
  CHECK(t.open().syscalls().extras(1).empty());
  // Arguments at another offset do not end the extras, no matter how far away the arguments are.
  for (const std::uint64_t p : {std::uint64_t{71}, (std::uint64_t{1} << 32) + 4, huge}) {
    t.put(file::syscall_records, 16 + 40, p);
    CHECK(to_hex(t.open().syscalls().extras(0)) == "010203");
  }
  // The pointer of a call without arguments does not end the extras.
  t.put(file::syscall_records, 16 + 6, 0, 1);
  t.put(file::syscall_records, 16 + 40, 73);
  CHECK(to_hex(t.open().syscalls().extras(0)) == "010203");
}

TEST_CASE("views stay valid when the reader is moved") {
  const tiny_trace t;
  auto a = std::make_unique<umtracer::reader>(t.open());
  const umtracer::record_view record = (*a)[0];
  const auto context = record.context();
  const umtracer::reader b = std::move(*a);
  a.reset();
  CHECK(to_hex(b[1].values()) == to_hex(golden_values()));
  CHECK(b.instructions().text(1) == "sysenter");
  CHECK(record.context().get("ax") == 0x0201);
  CHECK(context.get("ax") == 0x0201);
}

#if __has_include(<sys/resource.h>)
namespace {
// Returns the number of pages that this process touched for the first time while f() ran.
template <class F> long pages_touched(F&& f) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  f();
  ::getrusage(RUSAGE_SELF, &after);
  return after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt;
}
#if defined(TRACECODEC_TEST_EMULATED)
constexpr bool pages_are_counted = false;  // the emulator's own pages are counted, too
#else
constexpr bool pages_are_counted = true;
#endif
}  // namespace

TEST_CASE("opens a large trace without reading all of it" * doctest::skip(!pages_are_counted)) {
  const folder dir;
  const auto made = [&](const char* name, std::uint64_t records) {
    tiny_trace t;
    umtracer::writer out(dir / name, t[file::context_map]);
    const auto thread = out.add_thread({});
    const bytes data(20);
    for (std::uint64_t i = 0; i < records; ++i) out.opaque(thread, umtracer::exec_type{7}, 0, data);
    out.finish();
    return dir / name;
  };
  const std::string small = made("small", 10), large = made("large", 1'000'000);
  const auto open = [](const std::string& path) {
    return pages_touched([&] { CHECK(umtracer::reader(path).size() != 0); });
  };
  open(small);  // touches the pages that any first call needs
  const long few = open(small), many = open(large);
  const umtracer::reader in(large);
  std::size_t bytes_read = 0;
  const long all = pages_touched([&] {
    for (std::uint64_t i = 0; i < in.size(); ++i) bytes_read += in[i].data().size();
  });
  CHECK(bytes_read == 20'000'000);
  CHECK(many < few + 16);
  CHECK(all > few + 100);  // so the difference would be detected
}
#endif
