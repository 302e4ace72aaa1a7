// Reads trace.xml, in both forms that occur.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../io/error.hpp"
#include "files.hpp"
#include "metadata.hpp"

namespace tracecodec::umtracer {

// A trace.xml of more bytes is refused; it is meant for small amounts of data.
inline constexpr std::size_t largest_xml = std::size_t{1} << 20;

// The metadata in the text of a trace.xml; `name` is for errors. The form of 2015 with its root
// TraceMetaData, or the older one with several elements at the top, which is no well-formed XML:
// parts are found at any depth, attributes are ignored. UTF-8 or UTF-16, or Latin-1 if it says so.
// An empty text is one that lacks everything.
// Throws trace_error(bad_value) with the offset (for Latin-1, in its UTF-8 form): tags that do not
// match or end, a character 0, more than largest_xml bytes.
// Memory: some 150 bytes for each element, and the text three times.
metadata parse_metadata(std::span<const std::byte> text, const std::string& name);
metadata parse_metadata(std::string_view text, const std::string& name);

// The metadata of a trace. Throws trace_error as parse_metadata(); not_a_trace if it has no
// trace.xml.
metadata read_metadata(const trace_files& files);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/read_metadata.ipp"
#endif
