// The layout of each format's records, printed from their descriptors in a form that is asked for.
#pragma once
#include <tracecodec/trace/source.hpp>

#include <string>
#include <string_view>

#include "../common/command_line.hpp"

namespace view {

// text, json, markdown, c, numpy, kaitai, imhex.
examples::choices layout_forms();

// The tables of a format in a form of layout_forms(); x64dbg's are those of 64-bit programs. Throws
// usage_error if the form cannot hold them.
std::string print_layouts(const tracecodec::format::facts& f, std::string_view form);
// Of the format of a trace that is open. Throws trace_error as its reader.
std::string print_layouts(tracecodec::trace::source from, std::string_view form);

}  // namespace view
