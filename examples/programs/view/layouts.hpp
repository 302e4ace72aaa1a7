// The layouts of each format's records, printed in one of several forms.
#pragma once
#include <tracecodec/trace/source.hpp>

#include <string>
#include <string_view>

#include "../common/command_line.hpp"

namespace view {

// text, json, markdown, c, numpy, kaitai, imhex.
examples::choices layout_forms();

// Returns the layouts of a format in a form of layout_forms(), those for 64-bit programs. Throws usage_error if the form
// cannot hold them.
std::string print_layouts(const tracecodec::format::facts& f, std::string_view form);
// Returns those of an open trace's format, for its kind of program. Throws trace_error as its reader.
std::string print_layouts(tracecodec::trace::source from, std::string_view form);

}  // namespace view
