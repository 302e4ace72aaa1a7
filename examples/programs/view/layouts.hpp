// Printing of the record layouts of each format in one of several forms.
#pragma once
#include <tracecodec/trace/source.hpp>

#include <string>
#include <string_view>

#include "../common/command_line.hpp"

namespace view {

// Returns the names of the forms: text, json, markdown, c, numpy, kaitai and imhex.
examples::choices layout_forms();

// Returns a format's layouts for 64-bit programs in form `form`, one of layout_forms(). Throws
// usage_error if the form cannot express the layouts.
std::string print_layouts(const tracecodec::format::facts& f, std::string_view form);
// Returns the layouts of an open trace's format. The layouts are for 32-bit programs if the trace
// is of a 32-bit program, otherwise for 64-bit programs. Throws any trace_error of the trace's
// reader.
std::string print_layouts(tracecodec::trace::source from, std::string_view form);

}  // namespace view
