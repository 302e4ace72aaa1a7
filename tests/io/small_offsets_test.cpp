// Tests a 32-bit program without -D_FILE_OFFSET_BITS=64: the error for a large file contains
// the remedy.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "files.hpp"
#include "tracecodec/io/open.hpp"

static_assert(sizeof(off_t) == 4);

TEST_CASE("refuses a file of more than 2 GiB with the reason") {
  const test::folder dir;
  const std::string path = dir.file("t", {});
  std::filesystem::resize_file(path, std::uint64_t{1} << 31);
  try {
    tracecodec::io::open_input(path);
    FAIL("was opened");
  } catch (const tracecodec::trace_error& e) {
    CHECK(e.code() == tracecodec::trace_errc::system);
    CHECK(std::string(e.what()).find("_FILE_OFFSET_BITS=64") != std::string::npos);
  }
}
