// Options for opening and reading a trace, common to all programs.
#pragma once
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "command_line.hpp"

namespace examples {

using reading = tracecodec::format::open_options;

// Adds an option that takes a size in bytes, optionally with K, M or G.
void add_size(command_line& line, const char* name, std::uint64_t& to, const char* help);
// Adds --codec, the compression of an output.
void add_output_codec(command_line& line, std::optional<tracecodec::io::codec>& to);
// Adds --format and its short forms, --record, --record-offset, --input-codec, --memory-limit
// and format-specific options for the content. Also makes the program print warnings and notes
// about a trace.
void add_format(command_line& line, reading& as);
using tracecodec::format::option_use;
// Adds the format-specific options whose use is `use`, according to the format descriptors.
void add_own_options(command_line& line, reading& as, option_use use);
void add_own_options(command_line& line, tracecodec::format::own_options& to, option_use use);
// Throws usage_error if `given` contains an option whose use is `use` and that format `f` lacks.
// `what` is the name of the trace in the message, such as "OUT".
void require_own_options(const tracecodec::format::own_options& given, option_use use,
                         const tracecodec::format::facts& f, std::string_view what);
// Adds --thread, --threads, --repair, and the format-specific options for instructions and for
// further files of a trace.
void add_reading(command_line& line, reading& as);
// Returns true if `as` has options that select records. The thread option is not considered.
bool has_choices(const reading& as);
// Throws usage_error if `as` has an option that selects records and that format `f` lacks.
void require_choices(const reading& as, const tracecodec::format::facts& f);
// Returns the thread id of as.thread as the user typed it on the command line.
std::string chosen_thread(const reading& as);
// Adds the positional argument TRACE, which may be compressed.
option add_trace(command_line& line, std::string& path);

}  // namespace examples
