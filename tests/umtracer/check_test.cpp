// check: each rule reports its defect and nothing else. Tables that cannot be opened do
// not stop the check.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tracecodec/umtracer/check.hpp"
#include "umtracer/tiny_trace.hpp"

using namespace test;
using tracecodec::diagnostic;
using umtracer::file;

namespace {
struct findings {
  umtracer::check_summary summary;
  std::map<std::string, std::vector<diagnostic>> by_code;
};
template <class From> findings check(const From& from, tracecodec::check_options options = {}) {
  findings f;
  f.summary = umtracer::check(
      from, [&f](const diagnostic& d) { f.by_code[std::string(d.code)].push_back(d); }, options);
  return f;
}
// Returns "code offset #record" for each finding in a tiny trace after `damage` was applied to it.
template <class F> std::string found(F&& damage) {
  tiny_trace t;
  damage(t);
  std::string all;
  for (const auto& [code, list] : check(t.files()).by_code)
    for (const diagnostic& d : list) {
      if (code == "opaque-record") continue;  // an undamaged trace has two of these
      all += (all.empty() ? "" : ", ") + code;
      if (d.offset) all += ' ' + std::to_string(*d.offset);
      if (d.record) all += " #" + std::to_string(*d.record);
    }
  return all;
}
std::string found(file f, std::size_t at, std::uint64_t value, std::size_t size = 8) {
  return found([&](tiny_trace& t) { t.put(f, at, value, size); });
}
}  // namespace

TEST_CASE("reports no errors for the samples") {
  constexpr std::array<std::array<std::uint64_t, 6>, 4> rows{{{400, 68, 6, 6, 62, 18},
                                                              {1500, 90, 6, 6, 119, 25},
                                                              {600, 72, 6, 6, 55, 18},
                                                              {600, 72, 6, 6, 76, 15}}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(umtracer_samples[i]);
    const auto f = check(umtracer_sample(umtracer_samples[i]));
    CHECK(f.summary.count(tracecodec::severity::error) == 0);
    CHECK(f.summary.count(tracecodec::severity::warning) == 0);
    CHECK(std::array{f.summary.records, f.summary.instructions, f.summary.modules,
                     f.summary.threads, f.summary.ranges, f.summary.syscalls} == rows[i]);
  }
  CHECK(found([](tiny_trace&) {}) == "");
  const tiny_trace t;
  const auto f = check(t.files());
  REQUIRE(f.by_code.size() == 1);
  REQUIRE(f.by_code.at("opaque-record").size() == 2);
  CHECK(f.by_code.at("opaque-record")[0].record == 11);
  CHECK(f.by_code.at("opaque-record")[1].record == 12);
  CHECK(f.by_code.at("opaque-record")[1].severity == tracecodec::severity::note);
}

TEST_CASE("reports missing files and files that cannot be opened") {
  CHECK(check(std::string("/nonexistent")).by_code.at("damaged").size() == 1);
  for (std::size_t i = 0; i < umtracer::file_count; ++i) {
    const auto f = static_cast<file>(i);
    CAPTURE(name(f));
    const std::string s = found([f](tiny_trace& t) { t.remove(f); });
    CHECK(s == (f == file::xml ? "missing-xml" : "missing-file"));
  }
  // Other rules are still checked: instruction 1 is damaged while one of the tables
  // cannot be opened.
  for (const file f : {file::modules, file::threads, file::context_map, file::address_ranges,
                       file::syscall_records, file::exec_records}) {
    CAPTURE(name(f));
    tiny_trace t;
    t[f].resize(9);
    t.put(file::instructions, t.ins_row + t.ins_row_size + 10, 0, 1);
    const auto found = check(t.files()).by_code;
    CHECK(found.count("table") == 1);
    CHECK(found.at("table")[0].message.find(std::string(name(f)) + ": ") == 0);
    CHECK(found.count("code-size") == 1);
  }
  CHECK(found(file::instructions, 16, 0) == "table 16");
  CHECK(found(file::instructions, 16, std::uint64_t{1} << 32) == "table 16");
  CHECK(found(file::threads, 24, 0) == "table 24");
  CHECK(found(file::instructions, 0, 1, 4) == "table 0");
  CHECK(found(file::context_map, 2, 513, 2) == "table 2");
}

TEST_CASE("reports unknown versions of files") {
  CHECK(found(file::exec_records, 0, 2, 4) == "version 0");
  CHECK(found(file::exec_records, 0, 0, 4) == "");
  CHECK(found(file::instructions, 4, 2, 4) == "version 4");
  CHECK(found(file::instructions, 4, 0, 4) == "");
  CHECK(found(file::modules, 4, 2, 4) == "version 4");
  CHECK(found(file::threads, 4, 1, 4) == "version 4");
  CHECK(found(file::address_ranges, 4, 1, 4) == "version 4");
  CHECK(found(file::syscall_records, 4, 2, 4) == "version 4");
  CHECK(found(file::syscall_records, 4, 0, 4) == "");
}

TEST_CASE("reports counts that contradict the sizes of files") {
  CHECK(found(file::address_ranges, 8, 3) == "row-count 8");
  CHECK(found(file::address_ranges, 8, 1) == "trailing-bytes 48");
  CHECK(found(file::modules, 8, 0) == "row-count 8");  // the row exists
  CHECK(found(file::threads, 8, minus_one) == "row-count 8");
  CHECK(found(file::instructions, 8, 0) == "row-count 8");
  CHECK(found([](tiny_trace& t) {
          t.put(file::modules, 8, 0);
          t[file::modules].resize(tiny_trace::module_row);
          t.put(file::modules, 32, tiny_trace::module_row);
          t.put(file::modules, 40, 0);
        }) == "module-id 60 #0");
  CHECK(found(file::exec_records, 8, minus_one) == "row-count, row-count");
  // If a count was never written, the records are still checked.
  CHECK(found(file::exec_records, 8, 0).find("row-count 8") == 0);
  CHECK(found(file::exec_records, 8, 0).find("thread") == std::string::npos);
  CHECK(found(file::exec_records, 8, 17).find("row-count, row-count") == 0);
  CHECK(found(file::exec_records, 8, std::uint64_t{1} << 60).find("row-count, row-count") == 0);
  CHECK(found([](tiny_trace& t) { t[file::exec_neighbours].resize(16 * 16 + 1); }) ==
        "trailing-bytes");
  CHECK(found([](tiny_trace& t) { t[file::exec_offsets].resize(17 * 8 + 8); }) == "trailing-bytes");
  CHECK(found([](tiny_trace& t) { t[file::exec_records].push_back(std::byte{0}); }) ==
        "trailing-bytes " + std::to_string(tiny_trace()[file::exec_records].size()));
  CHECK(found([](tiny_trace& t) { t[file::context_map].push_back(std::byte{0}); }) ==
        "trailing-bytes 17424");
  CHECK(found([](tiny_trace& t) { t[file::syscall_offsets].resize(33); }) == "trailing-bytes 32");
  CHECK(found(file::syscall_records, 8, 3) == "row-count 8");
  CHECK(found(file::instructions, 40, 64 + 160 + 89) == "extra-area 40");
  CHECK(found(file::modules, 40, 1000) == "extra-area 40");
  CHECK(found(file::modules, 32, minus_one) == "extra-area 32");
}

TEST_CASE("reports invalid places and names in the context map") {
  CHECK(
      found(file::context_map, 0, 23, 2).find("register-place 9272 #5, register-place 13368 #5") ==
      0);
  CHECK(found(file::context_map, 9232 + 8, 17, 2) == "register-place 9240 #1");
  CHECK(found(file::context_map, 9232 + 8, 0xFFFF, 2) == "");  // an absent register is valid
  CHECK(found(file::context_map, 13328 + 10, 25, 1) == "register-place 13336 #1");
  CHECK(found(file::context_map, 16 + 2, 6, 2) == "register-name 18 #1");
  CHECK(found(file::context_map, 9232 + 8 + 4, 6, 2) == "register-name 9244 #1");
  CHECK(found([](tiny_trace& t) {
          for (std::size_t i = 0; i < 2; ++i)
            t.put(file::context_map, 1040 + 16 + 8 * i, minus_one);
        }) == "register-name 1056 #1");
}

TEST_CASE("reports invalid modules and address ranges") {
  const std::size_t m = tiny_trace::module_row;
  CHECK(found(file::modules, m + 24, 0x3FFFFF) == "module-span 72 #0");
  CHECK(found(file::modules, m, 5) == "");
  CHECK(found([](tiny_trace& t) {
          t.put(file::modules, m, 5);
          t.put(file::modules, m + 8, 4);
        }) == "module-span 56 #0");
  CHECK(found(file::modules, m, 16) == "");  // refers to the record after the last one
  for (const std::uint64_t eid : {std::uint64_t{17}, minus_one - 76, std::uint64_t{1} << 60})
    CHECK(found(file::modules, m, eid) == "module-time 48 #0");
  CHECK(found(file::modules, m + 8, 16) == "");
  for (const std::uint64_t eid : {std::uint64_t{17}, std::uint64_t{1} << 60})
    CHECK(found(file::modules, m + 8, eid) == "module-time 56 #0");
  CHECK(found(file::modules, m + 32, 100000) == "module-name 80 #0");
  CHECK(found(file::modules, m + 40, minus_one) == "module-name 88 #0");
  CHECK(found(file::modules, tiny_trace::module_extra + 2 + 2 * 8, 1, 2) == "module-name 80 #0");
  CHECK(found(file::address_ranges, 32, 0x1001) == "range-bounds 32 #0");
  CHECK(found(file::address_ranges, 40, 0x1FFE) == "range-bounds 32 #0");
  CHECK(found(file::address_ranges, 40, 0xFFF) == "range-bounds 32 #0");
  CHECK(found(file::address_ranges, 40, 0x3FFF) == "range-order 48 #1");
  CHECK(found(file::address_ranges, 40, 0x2FFF) == "");
}

TEST_CASE("reports modules that overlap in time and address") {
  // The tiny trace's module is at 0x400000 to 0x400FFF from record 0 on; this adds another module.
  const auto with = [](std::uint64_t load, std::uint64_t unload, std::uint64_t start,
                       std::uint64_t end, std::uint64_t first_unload = minus_one) {
    return found([&](tiny_trace& t) {
      bytes& all = t[file::modules];
      const std::size_t row = tiny_trace::module_row, size = all.size();
      t.put(file::modules, row + 8, first_unload);
      const bytes rows = bytes(all.begin() + row, all.begin() + row + 64);
      all += rows + rows;
      t.put(file::modules, 8, 2);
      t.put(file::modules, 24, size);
      for (const auto& [at, value] : {std::pair{0U, load}, {8U, unload}, {16U, start}, {24U, end}})
        t.put(file::modules, size + 64 + at, value);
    });
  };
  const std::string overlap =
      "module-overlap " + std::to_string(tiny_trace()[file::modules].size() + 64 + 16) + " #1";
  CHECK(with(0, minus_one, 0x400000, 0x400FFF) == overlap);
  CHECK(with(7, 9, 0x400FFF, 0x500000) == overlap);
  CHECK(with(7, 9, 0x300000, 0x400000) == overlap);
  CHECK(with(7, 9, 0x300000, 0x500000) == overlap);
  CHECK(with(7, 9, 0x400800, 0x400900) == overlap);
  CHECK(with(7, 9, 0x401000, 0x500000) == "");
  CHECK(with(7, 9, 0x300000, 0x3FFFFF) == "");
  CHECK(with(7, 7, 0x400000, 0x400FFF) == "");
  CHECK(with(7, 9, 0x400000, 0x400FFF, 7) == "");  // takes the place of the first
  CHECK(with(6, 9, 0x400000, 0x400FFF, 7) == overlap);
}

TEST_CASE("reports invalid rows of the instruction table") {
  const std::size_t r = tiny_trace::ins_row;
  CHECK(found(file::instructions, r, 1) == "self-id 48 #0");
  CHECK(found(file::instructions, r + 10, 0, 1) == "code-size 58 #0");
  CHECK(found(file::instructions, r + 10, 16, 1) == "code-size 58 #0");
  CHECK(found(file::instructions, r + 10, 15, 1) == "");
  CHECK(found(file::instructions, r + 12, 1, 4) == "module-id 60 #0");
  CHECK(found(file::instructions, r + 12, 0xFFFFFFFE, 4) == "module-id 60 #0");
  CHECK(found(file::instructions, r + 8, 7, 1) == "enum-value 56 #0");
  CHECK(found(file::instructions, r + 8, 10, 1) == "enum-value 56 #0");
  CHECK(found(file::instructions, r + 8, 9, 1) == "");
  CHECK(found(file::instructions, r + 9, 1, 1) ==
        "code-mode " + std::to_string(tiny_trace().record(1) + 5) + " #1");
  CHECK(found(file::instructions, r + 48, minus_one) == "decoded 96 #0");
  CHECK(found(file::instructions, r + 40, 100000) == "text 88 #0");
  CHECK(found(file::instructions, tiny_trace::text + 2 + 24, 1, 1) == "text 88 #0");
}

TEST_CASE("reports invalid decoded instructions") {
  const std::size_t d = tiny_trace::decoded, s = tiny_trace::slots;
  const auto broken = [](std::size_t at, std::uint64_t value, std::size_t size = 1) {
    const std::string all = found(file::instructions, at, value, size);
    const std::string place = " 96 #0";  // offset of the pointer to the decoded instruction
    std::string codes;
    for (std::size_t i = 0; i < all.size();) {
      const std::size_t end = all.find(place, i);
      if (end == std::string::npos) return all;
      codes += all.substr(i, end - i) + ' ';
      i = end + place.size() + 2;
    }
    return codes;
  };
  CHECK(broken(d + 7, 5) == "enum-value enum-value operand-count ");
  CHECK(broken(d + 58, 33, 2) == "slot-place ");
  CHECK(broken(d + 60, 5) == "slot-groups ");
  CHECK(broken(d + 61, 7) == "slot-groups ");
  CHECK(broken(d + 61, 6) == "");
  for (const std::size_t slot : {63U, 64U, 66U, 67U}) {
    CHECK(broken(d + slot, 6) == "slot-index ");
    CHECK(broken(d + slot, 0xFD) == "slot-index ");
    CHECK(broken(d + slot, 5) == "");
  }
  CHECK(broken(d + 65, 3) == "enum-value ");
  CHECK(broken(d + 65, 16) == "enum-value ");
  CHECK(broken(d + 65, 8) == "");
  // The first operand is memory in slots 2 and 4; the second is ax in slot 1.
  const std::size_t mem = d + 8, ax = mem + 12;
  CHECK(broken(mem + 2, 3, 2) == "operand-place operand-place ");
  CHECK(broken(mem + 4, 0) == "enum-value ");
  CHECK(broken(mem + 5, 6) == "slot-index ");
  CHECK(broken(mem + 5, 0xFF) == "slot-index ");
  CHECK(broken(mem + 6, 0xFF) == "slot-index ");
  CHECK(broken(mem + 7, 9) == "operand-place ");
  CHECK(broken(mem + 8, 0) == "operand-place ");
  CHECK(broken(ax + 7, 1) == "operand-place ");
  CHECK(broken(ax + 5, 0xFD) == "");
  CHECK(broken(ax + 5, 0xFE) == "");
  CHECK(broken(ax + 5, 0) == "");                     // half of esi
  CHECK(broken(s + 6, 31, 2) == "slot-place ");       // esi
  CHECK(broken(s + 24 + 6, 25, 2) == "slot-place ");  // MEM0 and its address
  CHECK(broken(s + 24 + 6, 24, 2) == "");
  CHECK(broken(s + 24 + 8, 8) == "");
  CHECK(broken(s + 24 + 8, 9) == "enum-value ");
  // If there are more than 253 slots, the number of the last slot would equal that of a constant.
  CHECK(found([&](tiny_trace& t) {
          t[file::instructions].resize(t.decoded + 88 + 254 * 12);
          t.put(file::instructions, 40, 64 + 88 + 254 * 12);
          t.put(file::instructions, t.decoded + 62, 254, 1);
        }).find("slot-count 96 #0") != std::string::npos);
}

TEST_CASE("reports invalid system calls") {
  const std::size_t first = tiny_trace::syscall_row, second = first + tiny_trace::syscall_size;
  const auto at = [](std::size_t offset, int row) {
    return ' ' + std::to_string(offset) + " #" + std::to_string(row);
  };
  const tiny_trace t;
  CHECK(found(file::syscall_offsets, 0, 100000) == "syscall-record 0 #0");
  CHECK(found(file::syscall_offsets, 8, 55) == "syscall-record 8 #0");
  CHECK(found(file::syscall_records, first + 40, 60) == "syscall-record" + at(first + 40, 0));
  CHECK(found(file::syscall_records, first + 48, 76) == "syscall-record" + at(first + 48, 0));
  // Pointers into the record's own fields.
  for (const std::uint64_t to : {0U, 55U}) {
    CHECK(found(file::syscall_records, first + 40, to) == "syscall-record" + at(first + 40, 0));
    CHECK(found(file::syscall_records, first + 48, to) == "syscall-record" + at(first + 48, 0));
    CHECK(found(file::syscall_records, second + 40, to) == "");  // there are no arguments
  }
  // The end is in another thread: record 13 belongs to thread 5, but the second call
  // begins in thread 9.
  CHECK(found([&](tiny_trace& u) {
          u.put(file::syscall_records, second + 5, 1, 1);
          u.put(file::syscall_records, second + 16, 13);
          u.put(file::exec_records, u.record(13) + 6, 1);
          u.put(file::exec_records, u.record(6) + 4, 12, 1);
        }) == "syscall-end" + at(second + 16, 1));
  CHECK(found(file::syscall_records, first + 4, 6, 1) == "enum-value" + at(first + 4, 0));
  CHECK(found(file::syscall_records, second + 5, 2, 1) ==
        "enum-value" + at(second + 5, 1) + ", syscall-end" + at(second + 16, 1));
  CHECK(found(file::syscall_records, first + 8, 100) == "syscall-begin" + at(first + 8, 0) +
                                                            ", syscall-begin" + at(t.record(2), 2) +
                                                            ", syscall-end" + at(first + 16, 0));
  for (const std::uint64_t id : {std::uint64_t{1}, std::uint64_t{3}, minus_one})
    CHECK(found(file::syscall_records, first + 8, id) ==
          "syscall-begin" + at(first + 8, 0) + ", syscall-begin" + at(t.record(2), 2));
  CHECK(found(file::syscall_records, first + 16, minus_one) ==
        "syscall-end" + at(first + 16, 0) + ", syscall-end" + at(t.record(4), 4));
  CHECK(found(file::syscall_records, first + 16, 13) ==
        "syscall-end" + at(first + 16, 0) + ", syscall-end" + at(t.record(4), 4));
  // A call that never ended according to the table, although a record ends it.
  CHECK(found(file::syscall_records, second + 16, minus_one) == "syscall-end" + at(t.record(6), 6));
  // Only a completed call ends at an exit.
  CHECK(found(file::syscall_records, second + 5, 1, 1) == "syscall-end" + at(second + 16, 1));
  // Invalid ids of system calls in records.
  CHECK(found(file::exec_records, t.record(6) + 6, 2) ==
        "syscall-end" + at(second + 16, 1) + ", syscall-id" + at(t.record(6) + 6, 6));
  CHECK(found(file::exec_records, t.record(6) + 6, minus_one) ==
        "syscall-end" + at(second + 16, 1) + ", syscall-id" + at(t.record(6) + 6, 6));
  CHECK(found(file::exec_records, t.record(13) + 6, 1) == "syscall-end" + at(t.record(13), 13));
}

TEST_CASE("accepts system calls that share a stored record") {
  const umtracer::trace_files files(umtracer_sample("plain64"));
  umtracer::trace_files::contents all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = files[static_cast<file>(i)];
  const auto to_bytes = [&](file f) { return bytes(files[f].begin(), files[f].end()); };
  bytes offsets = to_bytes(file::syscall_offsets), records = to_bytes(file::syscall_records);
  const auto errors = [&] {
    all[static_cast<std::size_t>(file::syscall_offsets)] = offsets;
    all[static_cast<std::size_t>(file::syscall_records)] = records;
    return check(umtracer::trace_files(all, "shared")).summary.count(tracecodec::severity::error);
  };
  CHECK(errors() == 0);
  // Row 2 is stored in the place of row 1.
  std::copy_n(offsets.begin() + 16, 16, offsets.begin() + 32);
  CHECK(errors() == 0);
  // A copy in another place does not count as shared. The records at its begin and end refer
  // to call 1, and the records that refer to call 2 are not its begin and end.
  const auto place = umtracer::syscall_table(files, false).place(1);
  const auto row = std::span(records).subspan(static_cast<std::size_t>(place.offset),
                                              static_cast<std::size_t>(place.size));
  const bytes copy(row.begin(), row.end());
  const bytes there = fields({{records.size(), 8}});
  std::copy(there.begin(), there.end(), offsets.begin() + 32);
  records += copy;
  CHECK(errors() == 4);
  // Record 5 begins system call 1, which is stored in the place of record 2's call, but record
  // 2 refers to call 1, too.
  const tiny_trace t;
  CHECK(found([](tiny_trace& u) {
          u.put(file::exec_records, u.record(2) + 6, 1);
          u.put(file::syscall_offsets, 16, u.syscall_row);
        }).find("syscall-begin " + std::to_string(t.record(5)) + " #5") != std::string::npos);
}

TEST_CASE("reports invalid execution records") {
  const tiny_trace t;
  const auto at = [](std::size_t offset, std::size_t record) {
    return ' ' + std::to_string(offset) + " #" + std::to_string(record);
  };
  tiny_trace u;
  u.put(file::exec_offsets, 0, 15);  // inside the header
  CHECK(check(u.files()).by_code.at("record-offset")[0].record == 0);
  u = tiny_trace();
  u.put(file::exec_offsets, 8 * 8, u.record(7));
  const auto f = check(u.files());
  REQUIRE(f.by_code.at("record-offset").size() == 1);
  CHECK(f.by_code.at("record-offset")[0].record == 7);
  CHECK(f.by_code.at("record-offset")[0].offset == 56);
  CHECK(f.by_code.at("thread-records").size() == 1);  // the damaged record is not counted
  u = tiny_trace();
  u.put(file::exec_offsets, 8 * 16, 1000000);
  CHECK(check(u.files()).by_code.at("record-offset")[0].record == 15);
  // Each record that has fields, one byte shorter than its fields.
  struct cut {
    std::size_t record, data;  // remaining bytes of data
    const char* code;
  };
  for (const cut& c :
       {cut{0, 16 + 24 + 24 + 15, "context"}, cut{0, 16 + 23, "context"},
        cut{0, 15, "record-short"}, cut{1, 7, "record-short"}, cut{1, 8 + 33, "values-size"},
        cut{2, 7, "record-short"}, cut{2, 8 + 15, "record-short"}, cut{2, 8 + 16 + 23, "context"},
        cut{6, 7, "record-short"}, cut{10, 16 + 23, "context"}, cut{14, 3, "record-short"},
        cut{15, 3, "record-short"}}) {
    CAPTURE(c.record);
    CAPTURE(c.data);
    tiny_trace v;
    v.put(file::exec_offsets, 8 * (c.record + 1), v.record(c.record) + 6 + c.data);
    const auto g = check(v.files());
    REQUIRE(g.by_code.count(c.code) == 1);
    CHECK(g.by_code.at(c.code)[0].record == c.record);
  }
  CHECK(found(file::exec_records, t.record(0) + 6 + 8, minus_one) ==
        "context" + at(t.record(0) + 14, 0));
  CHECK(found(file::exec_records, t.record(0) + 6 + 32, 65) == "context" + at(t.record(0) + 30, 0));
  // Pointers into the context's own fields: 16 bytes, and 24 bytes of a memory reference.
  for (const std::uint64_t to : {0U, 39U}) {
    CHECK(found(file::exec_records, t.record(0) + 6 + 8, to) ==
          "context" + at(t.record(0) + 14, 0));
    CHECK(found(file::exec_records, t.record(0) + 6 + 32, to) ==
          "context" + at(t.record(0) + 6 + 32, 0));
  }
  CHECK(found(file::exec_records, t.record(2) + 6 + 8 + 8, 15) ==
        "context" + at(t.record(2) + 6 + 8 + 8, 2));
  CHECK(found(file::exec_records, t.record(1) + 6, 2) == "instruction-id" + at(t.record(1) + 6, 1));
  CHECK(found(file::exec_records, t.record(1) + 6, minus_one) ==
        "instruction-id" + at(t.record(1) + 6, 1));
  CHECK(found(file::exec_records, t.record(1) + 5, 1, 1) == "code-mode" + at(t.record(1) + 5, 1));
  for (const std::uint64_t flag : {0x10U, 0x20U, 0x40U, 0x80U, 0xF0U})
    CHECK(found(file::exec_records, t.record(1) + 5, flag, 1) ==
          "unreliable" + at(t.record(1) + 5, 1));
  CHECK(found(file::exec_records, t.record(1) + 5, 0x0E, 1) == "");
  CHECK(found(file::exec_records, t.record(12) + 4, 255, 1) == "");
  CHECK(found(file::exec_records, t.record(14) + 4, 3, 1) ==
        "application-end" + at(t.record(14) + 4, 14));
}

TEST_CASE("reports rows of threads that contradict the records") {
  const tiny_trace t;
  const std::size_t first = tiny_trace::thread_row, second = first + tiny_trace::thread_row_size;
  const auto at = [](std::size_t offset, std::size_t record) {
    return ' ' + std::to_string(offset) + " #" + std::to_string(record);
  };
  CHECK(found(file::threads, first + 32, 9) == "thread-records" + at(first + 32, 0));
  CHECK(found(file::threads, first + 32, minus_one) == "thread-records" + at(first + 32, 0));
  CHECK(found(file::threads, first + 16, 1) == "thread-span" + at(first + 16, 0));
  CHECK(found(file::threads, first + 24, 13) == "thread-span" + at(first + 24, 0));
  CHECK(found(file::threads, first + 24, minus_one) == "last-record" + at(first + 24, 0));
  CHECK(found([&](tiny_trace& u) {  // alive at the end
          u.put(file::threads, first + 24, minus_one);
          u.put(file::exec_records, u.record(14) + 4, 12, 1);
        }) == "");
  CHECK(found(file::threads, second + 24, 15) == "");
  const auto codes = [](auto&& damage) {
    tiny_trace u;
    damage(u);
    std::string all;
    for (const auto& [code, list] : check(u.files()).by_code)
      if (code != "opaque-record") all += code + ' ';
    return all;
  };
  CHECK(codes([&](tiny_trace& u) { u.put(file::threads, second, 5, 4); }) ==
        "duplicate-thread thread-id ");
  CHECK(codes([&](tiny_trace& u) { u.put(file::exec_records, u.record(12), 8, 4); }) ==
        "neighbour neighbour-order thread-id thread-records ");
  CHECK(codes([&](tiny_trace& u) { u.put(file::exec_records, u.record(0) + 4, 8, 1); }) ==
        "no-thread-begin ");
  CHECK(codes([&](tiny_trace& u) { u.put(file::exec_records, u.record(7) + 4, 1, 1); }) ==
        "thread-begin ");
  CHECK(codes([&](tiny_trace& u) { u.put(file::exec_records, u.record(14) + 4, 12, 1); }) ==
        "no-thread-end ");
  CHECK(codes([&](tiny_trace& u) { u.put(file::exec_records, u.record(7) + 4, 2, 1); }) ==
        "after-thread-end last-record ");
  // A third thread without records.
  const auto idle = [&](std::uint64_t from, std::uint64_t to) {
    return found([&](tiny_trace& u) {
      u[file::threads] += fields({{10, 4}, {1010, 4}, {0x9000, 8}, {from, 8}, {to, 8}, {0, 16}});
      u.put(file::threads, 8, 3);
    });
  };
  const std::size_t third = second + tiny_trace::thread_row_size;
  CHECK(idle(minus_one, minus_one) == "");
  CHECK(idle(0, 0) == "");
  CHECK(idle(std::uint64_t{1} << 40, std::uint64_t{1} << 41) ==
        "thread-span" + at(third + 16, 2) + ", thread-span" + at(third + 24, 2));
  CHECK(idle(3, minus_one) == "thread-span" + at(third + 16, 2));
}

TEST_CASE("reports wrong links to previous and next records") {
  const auto codes = [](std::initializer_list<std::pair<std::size_t, std::uint64_t>> values) {
    tiny_trace u;
    for (const auto& [at, value] : values) u.put(file::exec_neighbours, at, value);
    std::string all;
    for (const auto& [code, list] : check(u.files()).by_code)
      if (code != "opaque-record")
        all += code + ' ' + std::to_string(list.size()) + " #" +
               std::to_string(list[0].record.value()) + ' ';
    return all;
  };
  // Thread 5 has records 0 1 2 4 11 12 13 14. Each wrong link is reported at its own record
  // and at the record to which it should point.
  CHECK(codes({{16 * 4, 1}}) == "neighbour 2 #2 neighbour-order 1 #4 ");
  CHECK(codes({{16 * 4, 3}}) == "neighbour 2 #2 neighbour-order 1 #4 ");
  CHECK(codes({{16 * 4, 16}}) == "neighbour 2 #2 neighbour-order 1 #4 ");
  CHECK(codes({{16 * 4, minus_one - 1}}) == "neighbour 2 #2 neighbour-order 1 #4 ");
  CHECK(codes({{16 * 4 + 8, 12}}) == "neighbour 2 #4 ");
  CHECK(codes({{16 * 4 + 8, minus_one}}) == "neighbour 2 #11 ");
  // A thread that begins a second time, with consistent links: 0 1 2 and 4 11 12 13 14.
  CHECK(codes({{16 * 2 + 8, minus_one}, {16 * 4, minus_one}}) ==
        "neighbour 2 #4 neighbour-order 1 #4 thread-span 1 #0 ");
  // A consistent chain in another order: 0 2 1 4.
  CHECK(codes({{8, 2}, {16 * 2, 0}, {16 * 2 + 8, 1}, {16 * 1, 2}, {16 * 1 + 8, 4}, {16 * 4, 1}}) ==
        "neighbour-order 3 #1 ");
}

TEST_CASE("limits the reports of a rule and counts the remaining ones") {
  tiny_trace t;
  for (std::size_t i = 0; i < 11; ++i) t.put(file::exec_records, t.record(i) + 5, 0x10, 1);
  const auto f = check(t.files(), {.each = 3});
  CHECK(f.summary.count(umtracer::rule::unreliable) == 11);
  REQUIRE(f.by_code.at("unreliable").size() == 4);
  CHECK(f.by_code.at("unreliable")[3].message.find("8 more") == 0);
  CHECK(f.by_code.at("unreliable")[0].message.find("exec.vtable: ") == 0);
}

TEST_CASE("an exception from the report callback ends the check") {
  tiny_trace t;
  t.put(file::instructions, t.decoded + 60, 5, 1);
  const auto e = error_of([&] {
    umtracer::check(t.files(), [](const diagnostic& d) {
      throw trace_error(trace_errc::refused, {}, std::string(d.code));
    });
  });
  REQUIRE(e);
  CHECK(e->message() == "slot-groups");
}
