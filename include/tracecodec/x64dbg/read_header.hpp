// Reads the header of an x64dbg trace: any order of keys, unknown ones kept. It is JSON: needs
// TRACECODEC_WITH_SIMDJSON and -lsimdjson.
#pragma once
#include <string>
#include <vector>

#include "../config.hpp"
#include "../io/error.hpp"
#include "../io/window.hpp"
#include "header.hpp"

namespace tracecodec::x64dbg {

// What is wrong with a header.
struct header_problem {
  trace_errc code = trace_errc::bad_value;
  std::string field = {};  // the key
  std::string message = {};
};

struct parsed_header {
  trace_header header = {};
  bool arch_known = false;
  std::vector<header_problem> problems = {};  // in the order of importance; none: it is sound
};

// The fields in `text`, the bytes of the header's length; NUL bytes may stand behind the JSON.
// Never throws trace_error: what is wrong is in `problems`; without TRACECODEC_WITH_SIMDJSON the
// header is (unsupported, field json).
TRACECODEC_FUNC parsed_header parse_header(std::string text);

// Reads magic, length and that many bytes, which it returns; `in` then stands at the first block.
// Throws trace_error: not_a_trace (empty, other magic), bad_value (field length: over
// largest_header), truncated, or what the input throws.
TRACECODEC_FUNC std::string read_header_text(io::window& in);

// The header at the front of `in`, which then stands at the first block. Throws trace_error as
// read_header_text(), and bad_value (field json: no JSON; a key: missing or of the wrong kind) or
// unsupported (ver is not 1, arch is neither x86 nor x64, compression is not empty;
// field json: without TRACECODEC_WITH_SIMDJSON).
TRACECODEC_FUNC trace_header read_header(io::window& in);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_header.ipp"
#endif
