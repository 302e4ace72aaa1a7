// Tests spool.hpp: output that is held back can be patched, and no temporary file remains.
#include "tracecodec/io/output/spool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "support.hpp"

namespace fs = std::filesystem;
using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("the beginning can be patched last, and the output appears at once") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{300'000}}) {
    bytes got;
    bool finished = false;
    spool to(std::make_unique<vector_sink>(got, &finished));
    bytes data = sample(size);
    to.write(data);
    if (size != 0) {
      to.patch(1, lines(1, 2));
      std::ranges::copy(lines(1, 2), data.begin() + 1);
    }
    to.write(lines(5, 9));
    CHECK(got.empty());
    CHECK_FALSE(finished);
    to.finish();
    CHECK(got == data + lines(5, 9));
    CHECK(finished);
    CHECK_THROWS_AS(to.finish(), trace_error);
  }
}

#ifndef _WIN32
TEST_CASE("a killed process leaves no temporary file, because the file has no name") {
  const temp_folder folder;
  const char* const former = std::getenv("TMPDIR");
  const std::string before = former != nullptr ? former : "";
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  bytes got;
  {
    spool to(std::make_unique<vector_sink>(got));
    to.write(sample(300'000));
    CHECK(folder.count() == 0);
    to.finish();
    CHECK(folder.count() == 0);
  }
  if (former != nullptr)
    ::setenv("TMPDIR", before.c_str(), 1);
  else
    ::unsetenv("TMPDIR");
  CHECK(got == sample(300'000));
}
#endif
