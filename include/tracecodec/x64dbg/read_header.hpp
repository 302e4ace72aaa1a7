// Reads the header of an x64dbg trace. Keys may be in any order, and unknown keys are preserved.
// The header is JSON, so reading it requires TRACECODEC_WITH_SIMDJSON and -lsimdjson.
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
  // Problems in file order, followed by missing keys. The list is empty if the header has no
  // problems.
  std::vector<header_problem> problems = {};
};

// Parses the text after the magic number and the length. NUL bytes may follow the JSON. Never
// throws trace_error, but lists errors in `problems`. Without TRACECODEC_WITH_SIMDJSON, the only
// problem is `unsupported`, with the field `json`.
TRACECODEC_FUNC parsed_header parse_header(std::string text);

// Reads the magic number, the length and the text of the header, and returns the text. Moves `in`
// to the first block. Throws trace_error:
// - not_a_trace if the input is empty or begins with another magic number.
// - bad_value, with the field `length`, if the text is longer than largest_header.
// - truncated if the input ends inside the header.
// - any error that the input throws.
TRACECODEC_FUNC std::string read_header_text(io::window& in);

// Reads the header at the beginning of `in`, and moves `in` to the first block. Throws the errors
// of read_header_text(), and also trace_error:
// - bad_value, with the field `json`, if the text is not a JSON object.
// - bad_value, with the key in the field, if a key is missing or its value has the wrong type.
// - unsupported, with the key in the field, if `ver` is not 1, `arch` is neither x86 nor x64, or
//   `compression` is not empty.
// - unsupported, with the field `json`, if TRACECODEC_WITH_SIMDJSON is not defined.
TRACECODEC_FUNC trace_header read_header(io::window& in);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_header.ipp"
#endif
