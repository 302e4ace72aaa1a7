// Reads the header of an x64dbg trace. Keys may be in any order, and unknown keys are kept. The
// header is JSON, so reading it needs TRACECODEC_WITH_SIMDJSON and -lsimdjson.
#pragma once
#include <string>
#include <vector>

#include "../config.hpp"
#include "../io/error.hpp"
#include "../io/window.hpp"
#include "header.hpp"

namespace tracecodec::x64dbg {

// Problem in a header.
struct header_problem {
  trace_errc code = trace_errc::bad_value;
  std::string field = {};  // key with the problem, or "json"
  std::string message = {};
};

struct parsed_header {
  trace_header header = {};
  bool arch_known = false;
  // Problems in file order, then missing keys. Empty if the header has no problems.
  std::vector<header_problem> problems = {};
};

// Parses the text that follows the magic number and the length. NUL bytes may follow the JSON.
// Never throws trace_error, but lists errors in `problems`. Without TRACECODEC_WITH_SIMDJSON the
// only problem is `unsupported`, with field `json`.
TRACECODEC_FUNC parsed_header parse_header(std::string text);

// Reads the magic number and the length, then returns the text of the header. Afterwards `in` is
// at the first block. Throws trace_error:
// - not_a_trace: the input is empty or has another magic number
// - bad_value, with field `length`: the text is longer than largest_header
// - truncated: the input ends inside the header
// - whatever the input throws
TRACECODEC_FUNC std::string read_header_text(io::window& in);

// Reads the header at the front of `in`. Afterwards `in` is at the first block. Throws what
// read_header_text() throws, and also trace_error:
// - bad_value, with field `json`: the text is not a JSON object
// - bad_value, with the key as field: a key is missing or has the wrong type
// - unsupported, with the key as field: `ver` is not 1, `arch` is neither x86 nor x64, or
//   `compression` is not empty
// - unsupported, with field `json`: TRACECODEC_WITH_SIMDJSON is not defined
TRACECODEC_FUNC trace_header read_header(io::window& in);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_header.ipp"
#endif
