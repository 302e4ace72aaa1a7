// Tests file.hpp, mapped_file.hpp and source.hpp: files, pipes, paths that cannot be opened,
// lookahead.
#include "tracecodec/io/input/file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>

#include "support.hpp"
#include "tracecodec/io/input/lookahead.hpp"
#include "tracecodec/io/input/mapped_file.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("reads a file in pieces of any size") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  write_file(path, lines(1, 1000));
  for (const std::size_t chunk : {1U, 1000U, 100'000U}) {
    file_source from(path);
    CHECK(from.regular());
    CHECK(from.size() == lines(1, 1000).size());
    CHECK(drain(from, chunk).data == lines(1, 1000));
    CHECK(from.offset() == lines(1, 1000).size());
    const auto again = from.restart();
    CHECK(again->offset() == 0);
    CHECK(drain(*again).data == lines(1, 1000));
  }
  CHECK(mapped_file(path).bytes().size() == lines(1, 1000).size());
  CHECK(std::ranges::equal(mapped_file(path).bytes(), lines(1, 1000)));
}

TEST_CASE("an empty file has no bytes, mapped or streamed") {
  const temp_folder folder;
  write_file(folder.path("f"), {});
  file_source from(folder.path("f"));
  CHECK(drain(from).data.empty());
  CHECK(mapped_file(folder.path("f")).bytes().empty());
}

TEST_CASE("reports missing files, directories and unreadable files") {
  const temp_folder folder;
  const std::string missing = folder.path("missing");
  CHECK(system_error_of([&] { file_source f(missing); }) ==
        missing + ": No such file or directory");
  CHECK(system_error_of([&] { mapped_file f(missing); }) ==
        missing + ": No such file or directory");
  CHECK(system_error_of([&] { file_source f(folder.path()); }) ==
        folder.path() + ": is a directory, expected a file");
  CHECK(system_error_of([&] { mapped_file f(folder.path()); }) != "no error");
}

TEST_CASE("a mapped file can be moved without moving its bytes") {
  static_assert(std::is_nothrow_move_constructible_v<mapped_file>);
  const temp_folder folder;
  write_file(folder.path("f"), lines(1, 100));
  mapped_file first(folder.path("f"));
  const std::byte* const at = first.bytes().data();
  const mapped_file second(std::move(first));
  CHECK(second.bytes().data() == at);
}

TEST_CASE("look-ahead consumes nothing and defers errors") {
  lookahead_source from(std::make_unique<test_source>(lines(1, 100), SIZE_MAX, true));
  CHECK(std::ranges::equal(from.peek(4), lines(1, 2)));
  CHECK(from.peek(1).size() == 1);
  CHECK(std::ranges::equal(from.peek(10'000), lines(1, 100)));
  bytes two(4);
  CHECK(from.read(two) == 4);
  CHECK(two == lines(1, 2));
  CHECK(from.peek(10'000).size() == lines(3, 100).size());
  const drained rest = drain(from, 17);
  CHECK(rest.data == lines(3, 100));
  REQUIRE(rest.error.has_value());
  CHECK(rest.error->file() == "disk");
  CHECK_THROWS_AS(from.read(two), trace_error);
  CHECK(from.peek(10).empty());
}
