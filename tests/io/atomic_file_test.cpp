// Tests atomic_file.hpp: a name appears only with the complete file, and some files are not
// replaced.
#include "tracecodec/io/output/atomic_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "support.hpp"
#include "tracecodec/io/open.hpp"

namespace fs = std::filesystem;
using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("the complete file appears with finish(), and no other file remains") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  const bytes data = sample(200'000);
  {
    atomic_file to(path);
    CHECK_FALSE(fs::exists(path));
    for (std::size_t at = 0; at < 100'000; at += 100) to.write(std::span(data).subspan(at, 100));
    to.write(std::span(data).subspan(100'000));
    CHECK_FALSE(fs::exists(path));
    to.finish();
    CHECK(read_file(path) == data);
    CHECK_THROWS_AS(to.finish(), trace_error);
    CHECK_THROWS_AS(to.write(data), trace_error);
  }
  CHECK(read_file(path) == data);
  CHECK(folder.count() == 1);
}

TEST_CASE("without finish() no file remains, and the old file is kept") {
  const temp_folder folder;
  { atomic_file(folder.path("new")).write(lines(1, 100'000)); }
  CHECK(folder.count() == 0);
  write_file(folder.path("old"), lines(1, 3));
  { atomic_file(folder.path("old")).write(lines(1, 100'000)); }
  CHECK(read_file(folder.path("old")) == lines(1, 3));
  CHECK(folder.count() == 1);
}

TEST_CASE("reports a path that cannot be written immediately, by its final name") {
  const temp_folder folder;
  CHECK(error_of([&] { atomic_file f(folder.path()); }) ==
        folder.path() + ": is a directory, expected a file");
  const std::string lost = folder.path("missing/f");
  CHECK(error_of([&] { atomic_file f(lost); }) == lost + ": No such file or directory");
  CHECK(error_of([&] { atomic_file f(""); }) == "No such file or directory");
}

TEST_CASE("an output does not appear if it exceeds its limit of bytes") {
  const temp_folder folder;
  const bytes data = sample(200'000);
  const auto write = [&](codec how, std::uint64_t most) {
    const auto to = open_output(folder.path("f"), how, {.most_bytes = most});
    to->write(std::span(data).first(1000));
    to->write(std::span(data).subspan(1000));
    to->finish();
  };
  CHECK_NOTHROW(write(codec::none, data.size()));
  CHECK(read_file(folder.path("f")) == data);
  fs::remove(folder.path("f"));
  try {
    write(codec::none, data.size() - 1);
    FAIL("it has all");
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::refused);
    CHECK(e.file() == folder.path("f"));
    CHECK(e.message() == "would exceed its limit of 199999 bytes");
  }
  CHECK(folder.count() == 0);
}
