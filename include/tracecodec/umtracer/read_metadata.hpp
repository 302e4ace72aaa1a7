// Reads trace.xml in the form of 2015 and in the older form.
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

// Size limit of trace.xml in bytes. Larger files are rejected, because the format intends trace.xml
// for small amounts of data.
inline constexpr std::size_t largest_xml = std::size_t{1} << 20;

// Parses the text of a trace.xml. `name` appears in error messages. Accepts the form of 2015, with
// the root TraceMetaData. Also accepts the older form, which has several top-level elements and is
// therefore not well-formed XML. Elements may be at any depth, and attributes are ignored. The
// encoding is UTF-8, UTF-16 or, if the text declares it, Latin-1. If the text is empty, the result
// is empty metadata. Throws trace_error(bad_value) with the offset (for Latin-1, the offset in its
// UTF-8 form):
// - if tags do not match or are not closed
// - if the text contains a null character
// - if the text has more than largest_xml bytes
//
// Needs memory for three copies of the text, and about 150 bytes for each element.
metadata parse_metadata(std::span<const std::byte> text, const std::string& name);
metadata parse_metadata(std::string_view text, const std::string& name);

// Reads the metadata of a trace. Throws the errors of parse_metadata(), and
// trace_error(not_a_trace) if trace.xml is missing.
metadata read_metadata(const trace_files& files);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/read_metadata.ipp"
#endif
