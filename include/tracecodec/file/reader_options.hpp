// How a file is read.
#pragma once

namespace tracecodec::file {

struct reader_options {
  // Delivers the whole records that there are, whatever the file says of their number: of one whose
  // writer gave up, was cut, or has bytes behind the last record.
  bool lenient = false;
};

}  // namespace tracecodec::file
