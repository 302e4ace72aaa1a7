// Options for reading a file.
#pragma once
#include "../config.hpp"

namespace tracecodec::file {

struct reader_options {
  // True to return all complete records, even if the file states a different number of records. The
  // numbers differ if the writer did not finish, if the file was truncated, or if bytes follow the
  // last record.
  bool lenient = false;
};

}  // namespace tracecodec::file
