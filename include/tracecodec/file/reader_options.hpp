// Options for reading a file.
#pragma once

namespace tracecodec::file {

struct reader_options {
  // True to return all complete records, whatever number of records the file states. For example,
  // the writer may not have finished, the file may be truncated, or bytes may follow the last
  // record.
  bool lenient = false;
};

}  // namespace tracecodec::file
