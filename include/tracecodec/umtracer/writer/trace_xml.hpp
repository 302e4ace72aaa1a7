// Makes the text of trace.xml (13).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "../../io/error.hpp"

namespace tracecodec::umtracer {

// What a trace says of its program. Texts are UTF-8; empty ones are left out.
struct trace_description {
  std::string_view os_name = {};
  std::string_view xed_version = {};  // "20150121"
  std::string_view command_line = {};
  std::optional<unsigned> bitness = {};  // 32 or 64
  std::optional<std::uint64_t> process_id = {};
};

// Text as the content of an XML element, in which it keeps its white space. Throws
// trace_error(refused), with the field, for control characters, which XML 1.0 cannot hold.
std::string escape_xml(std::string_view text, const char* field);

// trace.xml as the tracers of 2015 write it, with the elements that are known.
std::string make_trace_xml(const trace_description& d);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_xml.ipp"
#endif
