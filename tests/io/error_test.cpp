// Tests the text of errors.
#include "tracecodec/io/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace tracecodec;

TEST_CASE("a message with quoted NUL characters is not truncated") {
  using namespace std::string_view_literals;
  const trace_error e(trace_errc::bad_value, {.file = "t", .offset = 3, .field = "thread"},
                      std::string("'T\0_\0_' is no thread"sv));
  CHECK(e.what() == "t: offset 3, field thread: 'T?_?_' is no thread"sv);
  CHECK(e.message() == "'T?_?_' is no thread");
}
