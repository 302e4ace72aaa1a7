// Tests files that are larger than the address space of a 32-bit host. Such a host streams these
// files instead of mapping them.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "support.hpp"
#include "tracecodec/io/input/mapped_file.hpp"
#include "tracecodec/io/open.hpp"
#include "tracecodec/io/os/os.hpp"
#include "tracecodec/io/window.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {
constexpr std::uint64_t large_size = (std::uint64_t{1} << 32) + 64;
constexpr bool fits_memory = sizeof(void*) == 8;

// Makes a sparse file: zeros that occupy no disk space, followed by "end".
std::string large_file(const temp_folder& dir) {
  const std::string path = dir.path("t");
  write_file(path, {});
  std::filesystem::resize_file(path, large_size);
  os::write_at(os::open(path, O_WRONLY), large_size - 3, to_bytes("end"), path);
  return path;
}
}  // namespace

TEST_CASE("reads a file of more than 4 GiB to its end") {
  const temp_folder dir;
  const std::string path = large_file(dir);
  CHECK(os::facts_of(path).size == large_size);
  input in = open_input(path, {.compression = codec::none});
  CHECK(in.mapped() == fits_memory);
  CHECK(in.size() == large_size);
  window at(std::move(in));
  CHECK(at.has(large_size) == true);
  CHECK(at.has(large_size + 1) == false);
  CHECK(at.seek(large_size - 3));
  CHECK(at.offset() == large_size - 3);
  const auto rest = at.look(4);
  REQUIRE(rest.size() == 3);
  CHECK(bytes(rest.begin(), rest.end()) == to_bytes("end"));
  at.consume(3);
  CHECK(at.progress() == 1.0);
  CHECK_FALSE(at.seek(large_size + 1));
}

TEST_CASE("reports a file that does not fit into the address space" * doctest::skip(fits_memory)) {
  const temp_folder dir;
  const std::string path = large_file(dir);
  try {
    mapped_file map(path);
    FAIL("was mapped");
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::system);
    CHECK(std::string(e.what()) == path + ": too large to be mapped");
  }
}
