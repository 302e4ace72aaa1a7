// Tests the recognition of traces by their content, with generated files of other formats and with
// short traces.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/trace/source.hpp"

namespace champsim = tracecodec::champsim;
namespace trace = tracecodec::trace;
namespace io = tracecodec::io;
using tracecodec::trace_errc;
using tracecodec::trace_error;
using namespace std::string_view_literals;

namespace {

using bytes = std::vector<std::byte>;

// Random numbers that are equal on every host. The standard distributions differ.
class numbers {
 public:
  explicit numbers(std::uint64_t seed) : engine_(seed) {}
  std::size_t operator()(std::size_t below) { return static_cast<std::size_t>(engine_() % below); }
  std::uint64_t word() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

void put(bytes& out, std::uint64_t value, std::size_t size = 8) {
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// Returns the message with which content is refused. Empty if the content is recognised as a trace.
std::string refusal(const bytes& content, const io::open_options& o = {}) {
  io::input in = io::open_bytes(content, "t", o);
  try {
    (void)trace::recognise(in);
    return {};
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::not_a_trace);
    return e.what();
  }
}
std::string refusal(std::string_view content, const io::open_options& o = {}) {
  const auto all = std::as_bytes(std::span(content));
  return refusal(bytes(all.begin(), all.end()), o);
}
// Returns the name of the format. Empty if the content is refused.
std::string_view format_of(const bytes& content) {
  io::input in = io::open_bytes(content, "t");
  try {
    return trace::recognise(in).name;
  } catch (const trace_error& e) {
    MESSAGE(e.what());
    return {};
  }
}

// ---- Files of other formats

// Returns the trace of a random program in records of CVP-1 or CBP2025.
bytes cvp(numbers& random, std::size_t records, bool newer) {
  struct instruction {
    unsigned kind, in, out;
    std::uint64_t target;
  };
  std::vector<std::optional<instruction>> code(256);
  const std::uint64_t base = random(2) == 0 ? 0x400000 : 0xffffff8008080000;
  std::size_t at = random(code.size());
  bytes out;
  for (std::size_t n = 0; n != records; ++n) {
    if (!code[at]) {
      constexpr unsigned kinds[]{0, 0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 6, 7, 8};
      const unsigned kind = kinds[random(std::size(kinds))];
      const auto outputs = kind == 2 || kind == 3 || kind == 4 || kind == 8 ? 0 : 1 + random(2);
      code[at] = {kind, static_cast<unsigned>(random(4)), static_cast<unsigned>(outputs),
                  random(code.size())};
    }
    const instruction i = *code[at];
    put(out, base + 4 * at);
    put(out, i.kind, 1);
    if (i.kind == 1 || i.kind == 2) {
      put(out, 0x7ffff000 + 8 * random(4096));
      put(out, 8, 1);
      if (newer) put(out, 0, i.kind);
    }
    const bool taken = i.kind == 4 || (i.kind == 3 && random(2) == 1);
    if (i.kind == 3 || i.kind == 4) {
      put(out, taken, 1);
      if (taken) put(out, base + 4 * i.target);
    }
    put(out, i.in, 1);
    for (unsigned r = 0; r != i.in; ++r) put(out, random(31), 1);
    put(out, i.out, 1);
    const unsigned first = i.kind == 6 ? 32 : 0;
    for (unsigned r = 0; r != i.out; ++r) put(out, first + random(31), 1);
    for (unsigned r = 0; r != i.out * (first != 0 ? 2 : 1); ++r)
      put(out, random(2) == 0 ? random(256) : random.word() >> 20);
    at = taken ? static_cast<std::size_t>(i.target) : (at + 1) % code.size();
  }
  return out;
}

// Returns an offline trace of DynamoRIO: entries of 12 bytes, with the header or from the middle of
// the trace.
bytes drmemtrace(numbers& random, std::size_t instructions, bool header) {
  bytes out;
  const auto entry = [&](unsigned type, unsigned size, std::uint64_t value) {
    put(out, type, 2), put(out, size, 2), put(out, value);
  };
  if (header) {
    entry(25, 0, 5), entry(28, 12, 5), entry(28, 9, 0xe40), entry(22, 4, 4711), entry(24, 4, 4711);
    entry(28, 2, 13386385969691570), entry(28, 3, 2);
  }
  std::uint64_t pc = random(2) == 0 ? 0x401000 : 0x7f8588000c50;
  for (std::size_t i = 0; i != instructions; ++i) {
    const std::uint64_t size = 1 + random(7);
    entry(random(8) == 0 ? 48 : 10, static_cast<unsigned>(size), pc);
    if (random(3) == 0)
      entry(static_cast<unsigned>(random(2)), 8, 0x7ffffffde000 + 8 * random(999));
    pc += random(8) == 0 ? random(200) : size;
  }
  return out;
}

// Returns words of one of several kinds: random, mostly zeros, small numbers, pointers, an
// index with flags, doubles.
bytes words(numbers& random, unsigned kind, std::size_t count) {
  bytes out;
  const std::uint64_t heap = 0x555555554000;
  for (std::size_t i = 0; i != count; ++i) switch (kind) {
      case 0:
        put(out, random.word());
        break;
      case 1:
        put(out, random(10) == 0 ? random.word() : 0);
        break;
      case 2:
        put(out, random(4));
        break;
      case 3:
        put(out, random(1000));
        break;
      case 4:
        put(out, heap + 16 * random(65536));
        break;
      case 5:
        put(out, heap + 16 * i);
        break;
      case 6:
        put(out, i % 8 == 0       ? 1000 + i / 8
                 : i % 8 == 1     ? random(2)
                 : random(3) == 0 ? heap + i
                                  : 0);
        break;
      case 7:
        put(out, i % 8 == 0   ? heap + 0x1000 + 8 * random(9)
                 : i % 8 == 2 ? heap + 64 * random(99)
                              : 0);
        break;
      case 8:
        put(out, 5000 + random(12));
        break;
      case 9:
        put(out, random(2) | std::uint64_t{random(2)} << 32);
        break;
      case 10:
        put(out, 0x3fe0000000000000 + (random.word() >> 12));
        break;
      default:
        put(out, i % 8 == 0 ? random(1 << 20) : 0);
    }
  return out;
}
constexpr unsigned kinds_of_words = 12;

// ---- Traces

bytes records_at(const bytes& all, std::size_t from, std::size_t n) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from * 64);
  return {begin, begin + static_cast<std::ptrdiff_t>(n * 64)};
}

template <class Codec> bytes encoded(const std::vector<typename Codec::value_type>& records) {
  bytes out(records.size() * Codec::size);
  for (std::size_t i = 0; i != records.size(); ++i)
    Codec::encode(records[i], std::span(out).subspan(i * Codec::size));
  return out;
}

bytes as_cloudsuite(const bytes& standard) {
  std::vector<test::cloudsuite_instruction> all(standard.size() / 64);
  for (std::size_t i = 0; i != all.size(); ++i) {
    const auto r = champsim::instruction_codec::load(standard.data() + i * 64);
    all[i] = {r.ip, r.is_branch, r.branch_taken, {}, {}, {}, {}, {1, 0}};
    std::copy(r.destination_registers.begin(), r.destination_registers.end(),
              all[i].destination_registers.begin());
    all[i].source_registers = r.source_registers;
    std::copy(r.destination_memory.begin(), r.destination_memory.end(),
              all[i].destination_memory.begin());
    all[i].source_memory = r.source_memory;
  }
  return encoded<champsim::cloudsuite_codec>(all);
}

}  // namespace

TEST_CASE("recognises traces of CVP-1 and CBP2025") {
  numbers random(1);
  for (const bool newer : {false, true})
    for (const std::size_t n : {4U, 20U, 100U, 400U})
      for (unsigned i = 0; i != 12; ++i) {
        bytes all = cvp(random, n, newer);
        CAPTURE(n);
        // A few instructions without accesses to memory belong to both formats.
        if (n > 4) CHECK(format_of(all) == (newer ? "cbp2025" : "cvp1"));
        CHECK((format_of(all) == "cvp1" || format_of(all) == "cbp2025"));
        // Truncate to whole records, like those of ChampSim or CloudSuite.
        for (const std::size_t size : {64U, 96U})
          if (all.size() >= 4 * size) {
            all.resize(all.size() / size * size);
            CHECK((format_of(all) == "cvp1" || format_of(all) == "cbp2025"));
          }
      }
}

TEST_CASE("recognises traces of drmemtrace by their header, and refuses their middle") {
  numbers random(2);
  for (const std::size_t n : {5U, 50U, 400U})
    for (unsigned i = 0; i != 8; ++i) {
      const bytes whole = drmemtrace(random, n, true);
      CHECK(format_of(whole) == "drmemtrace");
      bytes middle = drmemtrace(random, n, false);
      middle.resize(middle.size() / 64 * 64);
      CHECK(!refusal(middle).empty());
    }
}

TEST_CASE("refuses words of any kind") {
  numbers random(3);
  for (unsigned kind = 0; kind != kinds_of_words; ++kind)
    for (const std::size_t count : {24U, 80U, 240U, 960U})
      for (unsigned i = 0; i != 4; ++i) {
        CAPTURE(kind);
        CAPTURE(count);
        bytes all = words(random, kind, count);
        CHECK(!refusal(all).empty());
        all.resize(all.size() + 64 * random(40));  // padded with zeros
        CHECK(!refusal(all).empty());
      }
}

TEST_CASE("refuses a mark followed by zeros") {
  for (const std::string_view mark :
       {"ABCD"sv, "TRC1"sv, "data"sv, "magic"sv, "ABCD\2"sv, "CTRL\1\0\0\0"sv, "HEADER"sv})
    for (std::size_t size = 64; size <= 192; ++size) {
      CAPTURE(mark);
      CAPTURE(size);
      std::string content(mark);
      content.resize(size);
      CHECK(!refusal(content).empty());
    }
  // After any other word, content is refused only if zeros follow the first record.
  bytes one;
  put(one, 0x8F123456);
  one.resize(64);
  CHECK(refusal(one).empty());
  for (const std::size_t size : {65U, 80U, 95U, 100U}) {
    one.resize(size);
    CHECK(!refusal(one).empty());
  }
}

TEST_CASE("refuses table rows with an increasing first member") {
  // Content of a row of `words` words after its first member.
  enum class others : std::uint8_t { zeros, doubles, counters, flags, pointers };
  const auto other = [](others what, std::size_t row, std::size_t word) -> std::uint64_t {
    const bool first = word == 1;  // the position of a record's flags
    switch (what) {
      case others::zeros:
        return 0;
      case others::doubles:
        return first ? 0 : 0x3FF0000000000000 + (std::uint64_t{row} * word << 40);
      case others::counters:
        return first ? 0 : row;
      case others::flags:
        return first ? row % 2 : word == 2 ? row : 0;
      case others::pointers:
        return word == 2 ? 0x602000000000 + 64 * row : 0;
    }
    return 0;
  };
  for (const std::uint64_t base : {0x10000ULL, 0x400000ULL})
    for (const std::size_t row_words : {1U, 2U, 3U, 4U, 6U, 8U, 12U})
      for (const unsigned step : {1U, 2U, 4U, 7U, 8U, 15U, 16U})
        for (const others what :
             {others::zeros, others::doubles, others::counters, others::flags, others::pointers}) {
          // Single words at the distance of RISC instructions could also be the output of a tracer
          // without operands.
          const bool addresses = what == others::zeros || what == others::pointers;
          if (addresses && row_words >= 8 && (step == 2 || step == 4)) continue;
          bytes all;
          for (std::size_t row = 0; row != 64; ++row) {
            put(all, base + step * row);
            for (std::size_t w = 1; w != row_words; ++w) put(all, other(what, row, w));
          }
          CAPTURE(base);
          CAPTURE(row_words);
          CAPTURE(step);
          CAPTURE(static_cast<int>(what));
          CHECK(!refusal(all).empty());
        }
}

TEST_CASE("refuses pointers into one region, and structs of floats") {
  numbers random(7);
  for (const std::size_t row_words : {2U, 4U, 8U})
    for (const std::uint64_t base : {0x400000ULL, 0x100000000ULL}) {
      bytes pointers, floats;
      for (std::size_t row = 0; row != 200; ++row) {
        put(pointers, base + 4 * random(4096));
        pointers.resize(pointers.size() + 8 * (row_words - 1));
        put(floats, base + 4 * row);
        for (std::size_t w = 1; w != row_words; ++w) {
          put(floats, w == 1 ? 0 : 0x3F000000 + random(1 << 23), 4);
          put(floats, 0x3F000000 + random(1 << 23), 4);
        }
      }
      CAPTURE(row_words);
      CHECK(!refusal(pointers).empty());
      CHECK(!refusal(floats).empty());
    }
}

TEST_CASE("refuses a repeated record, and bytes below 2") {
  numbers random(4);
  for (const std::size_t size : {64U, 96U, 640U, 6400U})
    for (unsigned i = 0; i != 8; ++i) {
      bytes all(size);
      for (auto& b : all) b = static_cast<std::byte>(random(2));
      CHECK(!refusal(all).empty());
      CHECK(!refusal(bytes(size, static_cast<std::byte>(random(256)))).empty());
    }
}

TEST_CASE("refuses each known kind of file by name, with a remedy") {
  struct file {
    std::string_view front, name, help;
  };
  for (
      const file& f : {
          file{"PK\3\4\x14\0\0\0\x08\0"sv, "a ZIP archive", "unpack it first"},
          {"]\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0"sv, ".lzma (LZMA alone)", "xz -dc"},
          {"]\0\0\x80\0\x10\x27\0\0\0\0\0\0\0abcd"sv, ".lzma (LZMA alone)", "xz -dc"},
          {"x\x9C\xED\xC1\1\1\0\0\0"sv, "a zlib stream", "decompress it first"},
          {"\2!L\x18\x10\0\0\0abcd"sv, "LZ4's legacy frame", "lz4 -dc"},
          {"7z\xBC\xAF\x27\x1C\0\4"sv, "a 7z archive", "unpack it first"},
          {"Rar!\x1A\7\1\0"sv, "a RAR archive", "unpack it first"},
          {"!<arch>\ndebian-binary"sv, "an archive of ar", "expected a trace"},
          {"version https://git-lfs.github.com/spec/v1\noid sha256:01\nsize 1\n"sv,
           "a Git LFS pointer", "git lfs pull"},
          {"<!DOCTYPE html>\n<p>Not found"sv, "an HTML page", "expected a trace"},
          {"<html><body>404"sv, "an HTML page", "expected a trace"},
          {"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"sv, "a PNG image", "expected a trace"},
          {"\xFF\xD8\xFF\xE0\0\x10JFIF\0"sv, "a JPEG image", "expected a trace"},
          {"%PDF-1.7\n\xE2\xE3\xCF\xD3"sv, "a PDF document", "expected a trace"},
          {"\x7F"
           "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3E\0"sv,
           "an ELF file", "trace_record"},
          {"MZ\x90\0\3\0\0\0\4\0\0\0\xFF\xFF"sv, "(PE)", "expected a trace"},
          {"SQLite format 3\0\x10\0"sv, "an SQLite database", "expected a trace"},
          {"PERFILE2\x68\0\0\0\0\0\0\0"sv, "perf.data", "expected a trace"},
          {"\x25\x60\xAF\x8A\x82\x28\x7C\x67\2\0"sv, "BAP frames", "convert it"},
          {"ITRC\0\0\0\1"sv, "Frida's itrace", "convert it"},
          {"DRCOV VERSION: 2\nDRCOV FLAVOR: drcov\nBB Table: 1 bbs\n\0\0\0\0"sv, "drcov",
           "expected a trace"},
          {"# CBP\nBT9_SPA_TRACE_FORMAT\nbt9_minor_version: 0\n"sv, "a BT9 trace",
           "--format bt9 reads it"},
          {"100 clk IT (135) 00008000 d2a00028\n"sv, "Tarmac", "--format tarmac reads it"},
          {"0 ps CACHE MAINTENANCE\n"sv, "Tarmac", "--format tarmac reads it"},
          {"Tarmac Text Rev 3t\n    0 tic ES  EXC Reset\n"sv, "Tarmac", "--format tarmac reads it"},
          {"rdi=0x7ff5ffffe000,eflags=0x7,rip=0x14000419c\n"sv, "Tenet", "names"},
          {"rip=0x14000419c\nrax=0x1400041a0\n"sv, "Tenet", "each line"},
          {"boombox+3a06\nboombox+3a09\n"sv, "code coverage by module", "expected a trace"},
          {"0x14000419c\n0x1400041a0\n"sv, "a list of addresses", "convert it"},
          {"TN:\nSF:a.c\nDA:1,2\n"sv, "LCOV", "expected a trace"},
          {"T:1:6 :2:8 \n"sv, "SimPoint", "expected a trace"},
          {"I  04001000,3\n L 1ffeffe7e8,8\n"sv, "lackey", "--format lackey reads it"},
          {"3659, 1024, 7f1c2a40, 40a1b2, 0\n3671, 1100, 7f1c2a80, 40a1b2, 1\n"sv, "ML-DPC",
           "expected a trace"},
          {"2 400100\n0 7ffe1000\n"sv, "Dinero", "--format dinero reads it"},
          {"0, 0x401000, 0x4ad11491, \"add x10, x10, #1\", load, 0x7ffe10\n"sv, "execlog",
           "convert it"},
          {"[12:00:01 003][lib.so 0x10] [4ad11491] 0x40: \"add\" x1=0x1 => x1=0x2\n"sv, "unidbg",
           "convert it"},
          {"[lib.so] 0x7a00!0x10 add x0, x1; x1=0x1 -> x0=0x2\n"sv, "GumTrace", "convert it"},
          {"# an entry\n0  2  type  u16 little\n2  2  size  u16 little\n4  8  addr  u64 little\n"sv,
           "the description of a record", "option record"},
      }) {
    CAPTURE(f.name);
    const std::string message = refusal(f.front);
    CAPTURE(message);
    CHECK(message.find(f.name) != std::string::npos);
    CHECK(message.find(f.help) != std::string::npos);
    // Append more lines of the text, or zeros.
    const bool text = f.front.find('\0') == f.front.npos;
    if (text && f.front.back() != '\n') continue;
    std::string longer(f.front);
    while (longer.size() < 4096) longer += text ? std::string(f.front) : std::string(8, '\0');
    // Several lines of Lackey, Dinero and ML-DPC are a trace, which is not refused.
    const std::string again = refusal(longer);
    CHECK((again.find(f.name) != std::string::npos || (text && again.empty())));
  }
}

TEST_CASE("names a compressed file that is opened as an uncompressed file") {
  const io::open_options plain{.compression = io::codec::none};
  for (const auto& [front, name] :
       {std::pair("PK\3\4\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0A\0\0\0chunk.0000"sv,
                  "a drmemtrace trace of DynamoRIO"),
        {"\xFF\6\0\0sNaPpY\0\0"sv, "Snappy"},
        {"\x1F\x8B\x08\0\0\0\0\0"sv, "gzip"}}) {
    const std::string message = refusal(front, plain);
    CAPTURE(message);
    CHECK(message.find(name) != std::string::npos);
    CHECK(message.find("open it without naming its compression") != std::string::npos);
  }
}

TEST_CASE("accepts a trace whose first address looks like another file's mark") {
  for (const std::uint64_t mark : {0x0000000004034B50U, 0x00000000464C457FU, 0x0000000000009C78U}) {
    auto all = test::records(40);
    for (std::size_t i = 0; i != all.size(); ++i) all[i].ip = mark + 4 * i;
    CHECK(format_of(test::bytes_of(all)) == "champsim");
  }
}

TEST_CASE("refuses a tar archive that contains a trace") {
  std::string tar(512, '\0');
  tar.replace(0, 5, "trace");
  tar.replace(257, 5, "ustar");
  const auto inside = test::bytes_of(test::records(200));
  tar.append(reinterpret_cast<const char*>(inside.data()), inside.size());
  CHECK(refusal(tar).find("a tar archive: unpack it first") != std::string::npos);
}

TEST_CASE("recognises traces from any record on, even a few records") {
  numbers random(5);
  for (const char* name : {"sed64", "work32", "threads3_64"}) {
    io::input in = io::open_input(test::data(std::string(name) + ".champsimtrace.xz"));
    bytes all(30000 * 64);
    all.resize(in.read(all) / 64 * 64);
    const std::size_t records = all.size() / 64;
    REQUIRE(records > 20000);
    for (const std::size_t n : {1U, 2U, 3U, 5U, 10U, 32U, 100U, 1000U})
      for (unsigned i = 0; i != 20; ++i) {
        const std::size_t from = random(records - n);
        CAPTURE(name);
        CAPTURE(from);
        CAPTURE(n);
        const bytes part = records_at(all, from, n);
        CHECK(format_of(part) == "champsim");
        if (n > 1) CHECK(format_of(as_cloudsuite(part)) == "cloudsuite");
      }
  }
}

TEST_CASE("recognises traces without registers, with several threads and of other machines") {
  // Four alternating threads, with instruction lengths of x86.
  std::vector<test::instruction> turns(64);
  for (std::size_t i = 0; i != turns.size(); ++i)
    turns[i].ip = 0x401000 + 0x10000000 * (i % 4) + (i / 4) * 3 + (i / 8) * 2;
  CHECK(format_of(test::bytes_of(turns)) == "champsim");
  // A loop of three instructions of a machine whose branches do not write register 26.
  std::vector<test::instruction> loop(150);
  for (std::size_t i = 0; i != loop.size(); ++i) {
    loop[i].ip = 0x106c0 + 4 * (i % 3);
    loop[i].destination_registers = {12, 0};
    loop[i].source_registers = {10, 11, 0, 0};
    if (i % 3 == 2) {
      loop[i].is_branch = loop[i].branch_taken = 1;
      loop[i].destination_registers = {};
    }
  }
  CHECK(format_of(test::bytes_of(loop)) == "champsim");
  // A repeated string instruction keeps its address.
  std::vector<test::instruction> copy(50);
  for (std::size_t i = 0; i != copy.size(); ++i)
    copy[i] = {0x7ffff7d00123,        0, 0, {10, 7}, {10, 7, 4, 25}, {0x10000 + i, 0},
               {0x20000 + i, 0, 0, 0}};
  CHECK(format_of(test::bytes_of(copy)) == "champsim");
  // Events of RapidBin, which have no sequential addresses: with metadata, instruction i of
  // function f is at (f + 1) * 2^32 + 64 * f + 4 * i. Without metadata, events are at 4 MiB +
  // 4 * location.
  numbers random(6);
  for (const std::size_t n : {1U, 2U, 7U, 300U})
    for (const bool named : {false, true}) {
      std::vector<test::instruction> events(n);
      for (auto& e : events) {
        const std::uint64_t f = random(400), i = random(3000);
        e.ip = named ? ((f + 1) << 32) + 64 * f + 4 * i : 0x400000 + 4 * random(32768);
        const std::uint64_t variable =
            named ? 0x100000 + 8 * random(40) : (1ULL << 44) + 8 * random(40);
        if (random(2) == 0) e.destination_memory[0] = variable;
        if (random(2) == 0) e.source_memory[0] = variable;
      }
      CAPTURE(n);
      CHECK(format_of(test::bytes_of(events)) == "champsim");
    }
}
