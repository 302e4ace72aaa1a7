// UMTracer: rows that share their data or contradict each other cost no more per byte than other
// rows.
#include <array>
#include <cstdlib>
#include <string>

#include "growth.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/copy.hpp"
#include "tracecodec/umtracer/from_x86/writer.hpp"
#include "tracecodec/umtracer/query.hpp"
#include "tracecodec/umtracer/writer/merge.hpp"
#include "umtracer/tiny_trace.hpp"
#include "umtracer/walk.hpp"
#if defined(TRACECODEC_WITH_PUGIXML)
#include <pugixml.hpp>

#include "tracecodec/umtracer/read_metadata.hpp"
#endif

using namespace test;
using umtracer::file;
namespace wire = tracecodec::wire;
namespace x86 = tracecodec::x86;

namespace {

// Tiny trace that reports its size.
struct hostile : tiny_trace {
  [[nodiscard]] std::size_t size() const {
    std::size_t n = 0;
    for (std::size_t f = 0; f < umtracer::file_count; ++f)
      n += files()[static_cast<file>(f)].size();
    return n;
  }
  // Replaces the rows of a table by the `n` rows row(i).
  template <class Row> void put_rows(file f, std::size_t first, std::size_t n, Row row) {
    bytes& all = (*this)[f];
    const bytes behind(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
    all.resize(first);
    for (std::size_t i = 0; i < n; ++i) all += row(i);
    put(f, 8, n);
  }
  // Replaces the records by the `n` records record(i). Each is the only record of its thread.
  template <class Record> void put_records(std::size_t n, Record record) {
    bytes &all = (*this)[file::exec_records], &offsets = (*this)[file::exec_offsets];
    all.resize(16);
    put(file::exec_records, 8, n);
    offsets.clear();
    for (std::size_t i = 0; i < n; ++i) {
      offsets += fields({{all.size(), 8}});
      all += record(i);
    }
    offsets += fields({{all.size(), 8}});
    (*this)[file::exec_neighbours].assign(16 * n, std::byte{0xFF});
  }
};

const auto check_tables = [](const hostile& t) { umtracer::check(t.files(), [](const auto&) {}); };
const auto find_modules = [](const hostile& t) {
  const umtracer::reader in = t.open();
  const auto index = umtracer::build_module_index(in.modules());
  std::size_t sum = 0;
  for (std::size_t i = 0; i < in.modules().size(); ++i)
    sum += index.at(0x1000 + i, static_cast<std::int64_t>(i)).value_or(0);
  if (sum == 1) std::abort();  // uses the result
};
const auto copy = [](const hostile& t) {
  (void)error_of([&] {
    const folder dir;
    const umtracer::reader in = t.open();
    umtracer::writer out(dir / "t", in.files()[file::context_map], umtracer::options_of(in));
    umtracer::copy_trace(in, out);
    out.finish();
  });
};

hostile of_threads(std::size_t n) {
  hostile t;
  const auto ids = colliding_ids(n);
  t.put_rows(file::threads, tiny_trace::thread_row, n, [&](std::size_t i) {
    return fields({{ids[i], 4}, {i, 4}, {0, 8}, {i, 8}, {i, 8}, {1, 8}, {0, 8}});
  });
  t.put_records(n, [&](std::size_t i) { return fields({{ids[i], 4}, {12, 1}, {0, 1}}); });
  return t;
}
// Returns a function that makes traces of `n` modules. place(i) returns the times at which a
// module is loaded and unloaded, and its first and last address.
template <class Place> auto of_modules(Place place) {
  return [place](std::size_t n) {
    hostile t;
    t.put_rows(file::modules, tiny_trace::module_row, n, [&](std::size_t i) {
      const std::array<std::uint64_t, 4> p = place(i);
      return fields({{p[0], 8}, {p[1], 8}, {p[2], 8}, {p[3], 8}, {48, 8}, {48, 8}, {0, 16}});
    });
    return t;
  };
}

}  // namespace

TEST_CASE("UMTracer: many threads take linear time") {
  grows_with_size("checked", 2500, of_threads, check_tables);
  grows_with_size("copied", 2500, of_threads, copy, {.bytes = 60});
}

TEST_CASE("UMTracer: many modules at one address take linear time") {
  using at = std::array<std::uint64_t, 4>;
  const auto grows = [](const char* what, auto place) {
    grows_with_size(what, 4000, of_modules(place), check_tables);
    grows_with_size(what, 4000, of_modules(place), find_modules, {.bytes = 60});
  };
  grows("all the time", [](std::uint64_t) { return at{0, minus_one, 0x1000, 0x2000}; });
  grows("one in the other", [](std::uint64_t i) {
    return at{0, minus_one, 0x1000 + i, 0xFFFFFFFF - i};
  });
  grows("one after the other", [](std::uint64_t i) {
    return at{1000000 - i, 1000001 - i, 0x1000, 0x2000};
  });
  grows("at all times, everywhere", [](std::uint64_t i) {
    return at{i, 2 * i + 1, 0x1000 + i * 7919 % 4096, 0x2000 + i * 104729 % 65536};
  });
}

TEST_CASE("UMTracer: rows that share their data take linear time") {
  // All system calls share the first row, and each record refers to another call.
  const auto calls = [](std::size_t n) {
    hostile t;
    t.put(file::syscall_records, 8, n);
    t[file::syscall_offsets].clear();
    for (std::size_t i = 0; i < n; ++i)
      t[file::syscall_offsets] +=
          fields({{tiny_trace::syscall_row, 8}, {tiny_trace::syscall_size, 8}});
    t.put_records(n, [&](std::size_t i) { return fields({{5, 4}, {6, 1}, {0, 1}, {i, 8}}); });
    return t;
  };
  grows_with_size("system calls", 4000, calls, check_tables);
  // All instructions share one decoded form with the maximum number of slots, and one long
  // text.
  const auto instructions = [](std::size_t n) {
    hostile t;
    const bytes sound = t[file::instructions];
    bytes area(65536 + 88 + 255 * 12);
    area[0] = area[1] = std::byte{0xF0};  // length of the text
    area[65536 + 7] = std::byte{255};     // SlotCount
    bytes& all = t[file::instructions];
    const std::size_t extra = 48 + 64 * n;
    all.resize(48);
    t.put(file::instructions, 8, n);
    t.put(file::instructions, 32, extra);
    t.put(file::instructions, 40, area.size());
    for (std::size_t i = 0; i < n; ++i)
      all += fields({{i, 8}, {0, 1}, {0, 1}, {1, 1}, {0, 1}, {0, 4}, {0x400000 + i, 8}}) +
             bytes(16, std::byte{0x90}) + fields({{0, 8}, {65536, 8}, {0, 8}});
    all += area;
    t.put_records(n, [&](std::size_t i) {
      return fields({{5, 4}, {0, 1}, {0, 1}, {i, 8}}) + bytes(8);
    });
    return t;
  };
  grows_with_size("instructions, checked", 500, instructions, check_tables);
  const auto ranges = [](std::size_t n) {
    hostile t;
    t.put_rows(file::address_ranges, tiny_trace::range_row, n, [&](std::size_t i) {
      return fields({{(n - i) * 8192, 8}, {0xFFFFFFFFFFF, 8}});
    });
    return t;
  };
  grows_with_size("ranges", 10000, ranges, check_tables);
}

TEST_CASE("UMTracer: merging many threads takes memory according to their records") {
  const tiny_trace tiny;
  const auto records_of = [&](std::size_t threads) {
    const folder dir;
    umtracer::merging_writer out(dir / "t", tiny.files()[file::context_map], {});
    for (std::uint32_t i = 0; i < threads; ++i) {
      const std::uint32_t id = out.add_thread({.win_tid = i});
      out.opaque({id, i}, umtracer::exec_type{100}, 0, bytes(20));
    }
    out.finish();
  };
  const std::size_t peak = peak_of([&] { records_of(5000); });
  MESSAGE("5000 threads of one record: " << peak);
  CHECK(peak < 10 * (std::size_t{1} << 20));
}

TEST_CASE("UMTracer: instructions that collide in an unkeyed hash table take linear time") {
  struct no_disassembler {
    [[nodiscard]] static x86::target mode() { return x86::target::x64; }
    static x86::instruction decode(std::span<const std::byte>) noexcept { return {}; }
    static std::string text(std::span<const std::byte>, std::uint64_t) { return "mov"; }
  };
  struct place {
    std::uint64_t ip;
    std::array<std::byte, 15> code;
  };
  // Code of 15 bytes: five prefixes and mov rax, imm64. The 8th byte is chosen so that the
  // highest byte of the combined products equals the size, 15. The last 7 bytes cancel the
  // other bits, so that an unkeyed hash would always be 0.
  const auto colliding = [](std::size_t n) {
    std::vector<place> all;
    for (std::uint64_t ip = 0x401000; all.size() < n; ip += 16)
      for (std::uint64_t b = 0; b < 256; ++b) {
        const std::uint64_t low = 0xB8482E2E2E2E2E | b << 56;
        const std::uint64_t high = ip * 0x9e3779b97f4a7c15 ^ low * 0xd6e8feb86659fd93;
        if (high >> 56 != 15) continue;
        place& p = all.emplace_back(place{ip, {}});
        wire::u64le::store(low, p.code.data());
        for (unsigned k = 0; k < 7; ++k) p.code[8 + k] = static_cast<std::byte>(high >> 8 * k);
        break;
      }
    return all;
  };
  const auto rows = [](const std::vector<place>& all) {
    const folder dir;
    umtracer::x86_writer out(dir / "t", no_disassembler());
    for (const place& p : all) static_cast<void>(out.row(p.ip, p.code));
  };
  grows_with_size("rows", 4000, colliding, rows, {.bytes = 20 * sizeof(place)});
}

#if defined(TRACECODEC_WITH_PUGIXML)
TEST_CASE("UMTracer: many or nested elements in trace.xml take linear time") {
  pugi::set_memory_management_functions([](std::size_t n) { return operator new(n); },
                                        [](void* p) { operator delete(p); });
  const auto text = [](const char* front, const char* each, const char* behind) {
    return [=](std::size_t n) {
      std::string all = front;
      for (std::size_t i = 0; i < n; ++i) all += each;
      return all + behind;
    };
  };
  const auto parse = [](const std::string& all) {
    (void)error_of([&] { (void)umtracer::parse_metadata(all, "trace.xml"); });
  };
  constexpr growth_limits of_xml{.bytes = 80};
  grows_with_size("elements", 20000, text("<a>", "<b/>", "</a>"), parse, of_xml);
  grows_with_size("nested", 20000, text("", "<b>", ""), parse, of_xml);
  grows_with_size("texts", 20000, text("<a>", "t<b/>", "</a>"), parse, of_xml);
  grows_with_size("attributes", 20000, text("<a", " b='1'", "/>"), parse, of_xml);
  grows_with_size("entities", 20000, text("<a>", "&amp;", "</a>"), parse, of_xml);
  // The longest XML that is accepted, and one that is too long.
  const auto elements = text("<a>", "<b/>", "</a>");
  const std::string longest = elements((umtracer::largest_xml - 7) / 4);
  CHECK(longest.size() + 4 > umtracer::largest_xml);
  CHECK(!error_of([&] { (void)umtracer::parse_metadata(longest, "trace.xml"); }));
  CHECK(peak_of([&] { parse(longest); }) < 80 * mebibyte);
  const std::string longer = elements(16 * mebibyte);
  CHECK(error_of([&] { (void)umtracer::parse_metadata(longer, "trace.xml"); }));
  CHECK(peak_of([&] { parse(longer); }) < mebibyte);
}
#endif
