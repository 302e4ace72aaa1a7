// Tests behaviour specific to Windows: a file in use keeps its name, so it cannot be replaced.
#include <doctest/doctest.h>

#include <string>

#include "support.hpp"
#include "tracecodec/io/input/mapped_file.hpp"
#include "tracecodec/io/output/atomic_file.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("a mapped file is not replaced, and no other file remains") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  const bytes before = lines(1, 1000);
  write_file(path, before);
  {
    const mapped_file mapped(path);
    atomic_file to(path);
    to.write(lines(1, 5));
    CHECK_THROWS_AS(to.finish(), trace_error);
    CHECK(to_bytes({reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()}) ==
          before);
  }
  CHECK(read_file(path) == before);
  CHECK(folder.count() == 1);
  // Once the file is closed, it can be replaced.
  atomic_file to(path);
  to.write(lines(1, 5));
  to.finish();
  CHECK(read_file(path) == lines(1, 5));
}
