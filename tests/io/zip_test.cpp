// Tests zip.hpp and zip_members.hpp on archives of Python's zipfile: in files and pipes, truncated,
// damaged, with members in any order; members by name; skipping.
#include "tracecodec/io/compression/zip_members.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../files.hpp"
#include "containers.hpp"
#include "sanitized.hpp"
#include "support.hpp"
#include "tracecodec/io/input/file.hpp"
#include "tracecodec/io/open.hpp"
#ifdef TRACECODEC_WITH_ZIP
#include "tracecodec/io/compression/zip.hpp"
#endif

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

std::vector<zip_member> members_of(const bytes& file) {
  memory_source from(file);
  return zip_members(from, "file");
}

// Returns the offset of the `n`th occurrence of `magic`, from 0.
std::size_t offset_of(const bytes& file, std::string_view magic, std::size_t n = 0) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  std::size_t at = text.find(magic);
  while (n-- != 0) at = text.find(magic, at + 1);
  REQUIRE(at != text.npos);
  return at;
}
constexpr std::string_view local_header = "PK\3\4", directory_entry = "PK\1\2";

void put(bytes& file, std::size_t at, std::uint64_t value, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) file[at + i] = static_cast<std::byte>(value >> (8 * i));
}

// Checks that the members of `file` cannot be listed, for a reason that contains `message`.
void check_no_list(const bytes& file, trace_errc code, std::string_view message) {
  CAPTURE(message);
  try {
    (void)members_of(file);
    FAIL("no error");
  } catch (const trace_error& e) {
    CAPTURE(e.what());
    CHECK(e.code() == code);
    CHECK(e.message().find(message) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("zip: lists members") {
  for (const std::string_view hex : {containers::zip_two, containers::zip_zip64,
                                     containers::zip_descriptors, containers::zip_stored}) {
    const bytes file = from_hex(hex);
    const auto all = members_of(file);
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "chunk.0000");
    CHECK(all[0].at == 0);
    CHECK(all[0].size == lines(1, 50).size());
    CHECK(all[1].name == "chunk.0001");
    CHECK(all[1].at == offset_of(file, local_header, 1));
    CHECK(all[1].size == lines(51, 100).size());
    if (hex == containers::zip_stored) CHECK(all[1].packed == all[1].size);
  }
  const auto decor = members_of(from_hex(containers::zip_decor));
  REQUIRE(decor.size() == 1);
  CHECK(decor[0].name == "ls/ls.champsim");
  CHECK(members_of(from_hex(containers::zip_none)).empty());
  CHECK(members_of(from_hex(containers::zip_reverse)).front().name == "chunk.0002");
}

TEST_CASE("zip: numbers of chunks") {
  CHECK(zip_chunk_number("chunk.0000") == 0U);
  CHECK(zip_chunk_number("chunk.12345") == 12345U);
  for (const char* other : {"", "chunk", "chunk.", "chunk.1a", "chunk.-1", "Chunk.0001", "0001",
                            "chunk.1234567890123456789", "a/chunk.0001"})
    CHECK_FALSE(zip_chunk_number(other).has_value());
}

TEST_CASE("zip: a directory that does not fit into the file is refused before it is read") {
  const bytes file = from_hex(containers::zip_two);
  const std::size_t directory = offset_of(file, directory_entry), end = offset_of(file, "PK\5\6");
  const auto changed = [&](std::size_t at, std::uint64_t value, std::size_t n) {
    bytes other = file;
    put(other, at, value, n);
    return other;
  };
  using enum trace_errc;
  check_no_list(changed(end + 10, 0xFFFE, 2), corrupt, "too small for its members");
  check_no_list(changed(end + 10, 1, 2), corrupt, "more entries than its end states");
  check_no_list(changed(end + 12, 0xFFFFFF00, 4), corrupt, "does not end where");
  check_no_list(changed(end + 16, 0xFFFFFF00, 4), corrupt, "does not end where");
  check_no_list(changed(end + 4, 3, 2), unsupported, "in several files");
  check_no_list(changed(end + 6, 3, 2), unsupported, "in several files");
  check_no_list(changed(directory + 34, 1, 2), unsupported, "in several files");
  // The last disk of an archive that `zip -s` splits has the directory, too.
  bytes last_disk = changed(end + 4, 4, 2);
  last_disk[end + 6] = std::byte{4};
  check_no_list(last_disk, unsupported, "in several files");
  check_no_list(changed(end + 20, 1, 2), truncated, "the directory at the end is missing");
  check_no_list(changed(directory, 0, 4), corrupt, "expected a directory entry");
  check_no_list(changed(directory + 28, 0xFFFF, 2), corrupt, "longer than the directory");
  check_no_list(changed(directory + 20, 0xFFFFFF00, 4), corrupt, "does not fit into the file");
  check_no_list(changed(directory + 42, 0xFFFFFF00, 4), corrupt, "does not fit into the file");
  const std::size_t second = offset_of(file, directory_entry, 1);
  check_no_list(changed(second + 42, 1, 4), corrupt, "members overlap");
  for (std::size_t n = 0; n < file.size(); ++n)
    check_no_list({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n)}, truncated, "");
  check_no_list(file + file, corrupt, "");

  test_source pipe(file);
  CHECK(code_of([&] { (void)zip_members(pipe, "pipe"); }) == refused);
}

TEST_CASE("zip: a zip64 record that does not fit into the file is refused") {
  // Replace the end of an archive by one with the zip64 record.
  const bytes file = from_hex(containers::zip_two);
  const std::size_t directory = offset_of(file, directory_entry), end = offset_of(file, "PK\5\6");
  const bytes front(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(end));
  bytes record(56), locator(20), last(22);
  put(record, 0, 0x06064B50, 4);
  put(record, 32, 2, 8);
  put(record, 40, end - directory, 8);
  put(record, 48, directory, 8);
  put(locator, 0, 0x07064B50, 4);
  put(locator, 8, end, 8);
  put(locator, 16, 1, 4);
  put(last, 0, 0x06054B50, 4);
  put(last, 10, 0xFFFF, 2);
  put(last, 12, 0xFFFFFFFF, 4);
  put(last, 16, 0xFFFFFFFF, 4);
  CHECK(members_of(front + record + locator + last).size() == 2);
  using enum trace_errc;
  put(record, 32, ~std::uint64_t{0}, 8);
  check_no_list(front + record + locator + last, corrupt, "too small for its members");
  put(record, 48, ~std::uint64_t{0}, 8);
  check_no_list(front + record + locator + last, corrupt, "does not end where");
  put(locator, 8, ~std::uint64_t{0}, 8);
  check_no_list(front + record + locator + last, corrupt, "zip64 record does not fit");
  put(locator, 8, 0, 8);
  check_no_list(front + record + locator + last, corrupt, "expected the zip64 record");
}

#ifdef TRACECODEC_WITH_ZIP
namespace {

constexpr std::string_view whole[] = {containers::zip_two,         containers::zip_zip64,
                                      containers::zip_descriptors, containers::zip_stored,
                                      containers::zip_three,       containers::zip_descriptors64,
                                      containers::zip_one,         containers::zip_decor};

drained from_file(const bytes& file, std::size_t chunk = 100'000, const zip_options& o = {}) {
  zip_source from(std::make_unique<memory_source>(file), "file", o);
  const drained result = drain(from, chunk);
  const drained again = drain(from, chunk);
  CHECK(again.data.empty());
  CHECK(again.error.has_value() == result.error.has_value());
  return result;
}

drained from_pipe(const bytes& file, std::size_t chunk = 100'000, const zip_options& o = {},
                  std::size_t in_chunk = SIZE_MAX) {
  zip_source from(std::make_unique<test_source>(file, in_chunk), "file", o);
  return drain(from, chunk);
}

void check_error(const drained& result, trace_errc code, std::string_view message) {
  CAPTURE(message);
  REQUIRE(result.error.has_value());
  CAPTURE(result.error->what());
  CHECK(result.error->code() == code);
  CHECK(result.error->file() == "file");
  CHECK(result.error->message().find(message) != std::string::npos);
}

}  // namespace

TEST_CASE("zip: reads chunks as one stream, in pieces of any size, from a file and from a pipe") {
  for (const std::string_view& hex : whole) {
    const bytes file = from_hex(hex);
    for (const std::size_t chunk : {1U, 7U, 292U, 293U, 100'000U}) {
      CAPTURE(chunk);
      drained result = from_file(file, chunk);
      CHECK_FALSE(result.error.has_value());
      CHECK(result.data == lines(1, 100));
      for (const std::size_t in_chunk : {std::size_t{1}, std::size_t{5}, SIZE_MAX}) {
        result = from_pipe(file, chunk, {}, in_chunk);
        if (result.error) MESSAGE(result.error->what());
        CHECK_FALSE(result.error.has_value());
        CHECK(result.data == lines(1, 100));
      }
    }
  }
}

TEST_CASE("zip: the order is that of the numbers") {
  const bytes file = from_hex(containers::zip_reverse);
  CHECK(from_file(file).data == lines(1, 100));
  CHECK_FALSE(from_file(file).error.has_value());
  const drained piped = from_pipe(file);
  CHECK(piped.data == lines(61, 100));
  check_error(piped, trace_errc::corrupt,
              "the member chunk.0001 follows chunk.0002, but chunks must have consecutive numbers");
  for (const drained& gap :
       {from_file(from_hex(containers::zip_gap)), from_pipe(from_hex(containers::zip_gap))}) {
    CHECK(gap.data == lines(1, 30));
    check_error(gap, trace_errc::corrupt, "the member chunk.0002 follows chunk.0000");
  }
}

TEST_CASE("zip: a truncated archive delivers every byte before the end") {
  for (const std::string_view& hex : whole) {
    const bytes file = from_hex(hex);
    const auto members = members_of(file);
    for (std::size_t n = 0; n < file.size(); ++n) {
      CAPTURE(n);
      const bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n));
      std::size_t least = 0;  // content of the members that end before the next one begins
      for (std::size_t i = 0; i + 1 < members.size() && members[i + 1].at <= n; ++i)
        least += members[i].size;
      if (n >= offset_of(file, directory_entry)) least = lines(1, 100).size();
      for (const drained& result : {from_file(cut), from_pipe(cut), from_file(cut, 10)}) {
        REQUIRE(result.error.has_value());
        CAPTURE(result.error->what());
        CHECK(result.error->code() == trace_errc::truncated);
        CHECK(result.error->offset() == n);
        CHECK(result.error->file() == "file");
        CHECK(is_prefix(result.data, lines(1, 100)));
        CHECK(result.data.size() >= least);
      }
    }
  }
}

TEST_CASE("zip: any flipped bit causes an error or the correct bytes") {
  for (const std::string_view& hex : whole) {
    CAPTURE(&hex - whole);
    const bytes file = from_hex(hex);
    for (std::size_t at = 0; at < file.size(); ++at)
      // Sanitizers make each archive slow to open, so fewer bits are tested.
      for (unsigned bit = 0; bit < 8; bit += ::test::sanitized ? 5 : 1) {
        CAPTURE(at);
        CAPTURE(bit);
        bytes damaged = file;
        damaged[at] ^= static_cast<std::byte>(1U << bit);
        bool piped = true;
        for (const drained& result : {from_file(damaged), from_pipe(damaged)}) {
          piped = !piped;
          CAPTURE(piped);
          CAPTURE(result.data.size());
          if (!result.error) CHECK(result.data == lines(1, 100));
          if (result.error && result.error->code() != trace_errc::unsupported) {
            REQUIRE(result.error->offset().has_value());
            CHECK(*result.error->offset() <= file.size());
          }
        }
      }
  }
}

TEST_CASE("zip: a wrong checksum is reported after all bytes of the member") {
  bytes file = from_hex(containers::zip_stored);
  file[members_of(file)[1].at + 30 + 10 + 5] ^= std::byte{1};
  for (const drained& result : {from_file(file), from_pipe(file)}) {
    CHECK(result.data.size() == lines(1, 100).size());
    CHECK(is_prefix(lines(1, 50), result.data));
    check_error(result, trace_errc::corrupt, "CRC");
  }
  const drained longer = from_file(from_hex(containers::zip_wrong_size));
  CHECK(longer.data == lines(1, 50));
  check_error(longer, trace_errc::corrupt, "is shorter than the directory states");
}

TEST_CASE("zip: an archive of several files is refused with their names") {
  const bytes file = from_hex(containers::zip_several);
  check_error(from_file(file), trace_errc::unsupported,
              "a zip archive of several files (0, 11, a.txt): unpack it, or select one "
              "(zip_options::member)");
  CHECK(from_file(file).data.empty());
  const drained piped = from_pipe(file);
  CHECK(piped.data == lines(1, 10));
  check_error(
      piped, trace_errc::unsupported,
      "a zip archive of several files (0, 11): unpack it, or select one (zip_options::member)");
  for (const drained& result :
       {from_file(from_hex(containers::zip_none)), from_pipe(from_hex(containers::zip_none))})
    check_error(result, trace_errc::unsupported, "a zip archive without members");
}

TEST_CASE("zip: reads a member by name, or all members") {
  const bytes file = from_hex(containers::zip_several);
  bytes all;
  for (const char* member : {"0", "11", "a.txt"}) {
    const bytes one = from_file(file, 1000, {.member = member}).data;
    all.insert(all.end(), one.begin(), one.end());
  }
  for (const std::size_t chunk : {1U, 1000U}) {
    CHECK(from_file(file, chunk, {.all = true}).data == all);
    CHECK(from_pipe(file, chunk, {.all = true}).data == all);
  }
  for (const std::size_t chunk : {1U, 1000U}) {
    CHECK(from_file(file, chunk, {.member = "11"}).data == lines(1, 100));
    CHECK(from_pipe(file, chunk, {.member = "11"}).data == lines(1, 100));
    CHECK(from_file(file, chunk, {.member = "0"}).data == lines(1, 10));
    CHECK(from_file(from_hex(containers::zip_two), chunk, {.member = "chunk.0001"}).data ==
          lines(51, 100));
  }
  check_error(from_file(file, 100, {.member = "12"}), trace_errc::unsupported,
              "this zip archive has no member 12, only 0, 11, a.txt");
  check_error(from_pipe(file, 100, {.member = "12"}), trace_errc::unsupported,
              "this zip archive has no member 12");
}

TEST_CASE("zip: refuses other methods and encryption") {
  for (const drained& result : {from_file(from_hex(containers::zip_bzip2_method)),
                                from_pipe(from_hex(containers::zip_bzip2_method))})
    check_error(result, trace_errc::unsupported, "is neither stored nor deflated");
  for (const drained& result : {from_file(from_hex(containers::zip_encrypted)),
                                from_pipe(from_hex(containers::zip_encrypted))})
    check_error(result, trace_errc::unsupported, "is encrypted");
}

TEST_CASE("zip: jumps to members") {
  const bytes file = from_hex(containers::zip_three);
  const bytes all = lines(1, 100);
  const std::uint64_t second = lines(1, 30).size(), fourth = lines(1, 60).size();
  for (std::uint64_t n = 0; n < all.size() + 10; ++n) {
    CAPTURE(n);
    zip_source from(std::make_unique<memory_source>(file), "file");
    CHECK(from.entry_before(n) == (n < second ? 0 : n < fourth ? second : fourth));
    const std::uint64_t skipped = from.skip(n);
    CHECK(skipped == (n < second ? 0 : n < fourth ? second : fourth));
    CHECK(drain(from).data == tail(all, skipped));
  }
  // Damage to a skipped member remains undetected.
  bytes damaged = file;
  damaged[members_of(file)[1].at + 45] ^= std::byte{1};
  zip_source from(std::make_unique<memory_source>(damaged), "file");
  bytes first(10);
  CHECK(from.read(first) == 10);
  CHECK(from.skip(fourth) == fourth - 10);
  const drained rest = drain(from);
  CHECK(rest.data == lines(61, 100));
  CHECK_FALSE(rest.error.has_value());
  // A pipe is read in order.
  zip_source pipe(std::make_unique<test_source>(file), "pipe");
  CHECK(pipe.skip(fourth) == 0);
  CHECK(pipe.entry_before(fourth) == 0);
  CHECK(drain(pipe).data == all);
}

TEST_CASE("zip: opens by content, rewinds, and opens again") {
  const temp_folder dir;
  const std::string path = dir.path("t");
  write_file(path, from_hex(containers::zip_three));
  const bytes all = lines(1, 100);
  input in = open_input(path);
  CHECK(in.compression() == codec::zip);
  CHECK_FALSE(in.mapped());
  CHECK(in.content_size() == all.size());
  CHECK(drain(in).data == all);
  in.rewind();
  CHECK(in.skip(200) == 200);
  input again = in.again();
  CHECK(drain(in).data == tail(all, 200));
  CHECK(drain(again).data == all);

  write_file(path, from_hex(containers::zip_several));
  open_options o;
  o.zip.member = "11";
  in = open_input(path, o);
  CHECK(drain(in).data == all);
  in.rewind();
  CHECK(drain(in).data == all);
  again = in.again();
  CHECK(drain(again).data == all);
  in = open_input(path);
  (void)in.peek(1);
  CHECK(code_of([&] { in.check_ahead(); }) == trace_errc::unsupported);
}

TEST_CASE("zip: passes on a disk error unchanged, after the preceding bytes") {
  bytes file = from_hex(containers::zip_two);
  file.resize(members_of(file)[1].at + 20);
  zip_source from(std::make_unique<test_source>(file, 64, true), "f");
  const drained result = drain(from, 10);
  CHECK(result.data == lines(1, 50));
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == trace_errc::system);
  CHECK(result.error->file() == "disk");
}

// Sizes of the content of drmemtrace's samples: 12 bytes for each record, 32 bytes for each entry
// of a schedule. The numbers of records are those of DynamoRIO's tools.
TEST_CASE("zip: reads the samples of drmemtrace") {
  const std::filesystem::path dir = ::test::external_sample("industry/drmemtrace");
  if (dir.empty()) return;
  const auto size = [](const std::filesystem::path& p) {
    input in = open_input(p.string());
    const drained result = drain(in);
    CHECK_FALSE(result.error.has_value());
    CHECK(in.content_size() == result.data.size());
    return result.data.size();
  };
  CHECK(size(dir / "drmemtrace.allasm_x86_64.trace.zip") == 329U * 12);
  const auto sum_of = [&](const std::string& folder) {
    std::size_t sum = 0;
    for (const auto& e : std::filesystem::directory_iterator(dir / folder))
      if (e.path().string().ends_with(".trace.zip")) sum += size(e.path());
    return sum;
  };
  CHECK(sum_of("drmemtrace.threadsig.x64.tracedir") == 975332U * 12);
  CHECK(sum_of("drmemtrace.threadsig-core-sharded.x64.tracedir") == 3993517U * 12);
  const std::string schedule =
      (dir / "drmemtrace.threadsig.x64.tracedir/cpu_schedule.bin.zip").string();
  file_source from(schedule);
  for (const zip_member& m : zip_members(from, schedule)) {
    open_options o;
    o.zip.member = m.name;
    input in = open_input(schedule, o);
    CHECK(drain(in).data.size() == m.size);
    CHECK(m.size % 32 == 0);
  }
}
#endif
