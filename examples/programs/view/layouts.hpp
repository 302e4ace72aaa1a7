// Prints the record layouts of a format, in one of several forms.
#pragma once
#include <tracecodec/trace/source.hpp>

#include <string>
#include <string_view>

#include "../common/command_line.hpp"

namespace view {

// Returns the names of the forms: text, json, markdown, c, numpy, kaitai and imhex.
examples::choices layout_forms();

// Returns a format's layouts for 64-bit programs. `form` must be one of layout_forms(). Throws
// usage_error if that form cannot express the layouts.
std::string print_layouts(const tracecodec::format::facts& f, std::string_view form);
// Returns the layouts of an open trace's format. Selects the layouts for the width of the traced
// program (32 or 64 bits). Throws any trace_error of the trace's reader.
std::string print_layouts(tracecodec::trace::source from, std::string_view form);

}  // namespace view
