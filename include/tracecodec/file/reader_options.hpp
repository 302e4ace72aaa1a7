// Options for reading a file.
#pragma once

namespace tracecodec::file {

struct reader_options {
  // True to deliver all whole records, whatever number the file states. The writer may have
  // given up, and the file may be truncated or have bytes after the last record.
  bool lenient = false;
};

}  // namespace tracecodec::file
