// Reads the header of an x64dbg trace. Keys may come in any order, and unknown ones are kept.
// The header is JSON, so reading it needs TRACECODEC_WITH_SIMDJSON and -lsimdjson.
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
  std::string field = {};  // the key, or "json"
  std::string message = {};
};

struct parsed_header {
  trace_header header = {};
  bool arch_known = false;
  // Problems in file order, then missing keys. Empty if the header is sound.
  std::vector<header_problem> problems = {};
};

// Parses the text that follows magic and length. NUL bytes may follow the JSON. Never throws
// trace_error: errors are listed in `problems`. Without TRACECODEC_WITH_SIMDJSON the only problem
// listed is unsupported, field json.
TRACECODEC_FUNC parsed_header parse_header(std::string text);

// Reads magic and length, then returns that many bytes. Afterwards `in` is at the first block.
// Throws trace_error: not_a_trace (empty, or another magic), bad_value (field length: more than
// largest_header), truncated, or an error of the input.
TRACECODEC_FUNC std::string read_header_text(io::window& in);

// Reads the header at the front of `in`, which is then at the first block. Throws trace_error
// as read_header_text() does, and also:
// - bad_value: the text is not JSON (field json), or a key is missing or of the wrong type
//   (field: the key)
// - unsupported: ver is not 1, arch is neither x86 nor x64, compression is not empty, or
//   TRACECODEC_WITH_SIMDJSON is not defined (field json)
TRACECODEC_FUNC trace_header read_header(io::window& in);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_header.ipp"
#endif
