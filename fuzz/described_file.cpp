// Tests described files (file/): the reader, the writer and the check of invented formats. In the
// first byte, bit 0 selects a mapped input, and bits 1 and 2 select the format. The remaining bits
// are the number of the record to seek to.
#include "described_file.hpp"

#include "file/support.hpp"

namespace fuzz::described_file {
namespace {
void run(view in) {
  const unsigned how = take_byte(in);
  switch (how >> 1U & 3U) {
    case 0:
      return run_as<test::step_file>(in, how);
    case 1:
      return run_as<test::tailed_file>(in, how);
    case 2:
      return run_as<test::line_file>(in, how);
    default:
      return run_as<test::plain_lines>(in, how);
  }
}
const target registered("described_file", run);
}  // namespace
}  // namespace fuzz::described_file
