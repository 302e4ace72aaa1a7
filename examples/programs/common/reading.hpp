// Options for opening and reading a trace, which all programs share.
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

// Adds an option whose value is a size in bytes, optionally followed by K, M or G.
void add_size(command_line& line, const char* name, std::uint64_t& to, const char* help);
// Adds --codec, which selects the compression of an output.
void add_output_codec(command_line& line, std::optional<tracecodec::io::codec>& to);
// Adds --format and its short forms, --record, --record-offset, --input-codec and --memory-limit.
// Also adds the format-specific options that concern a trace's content. Makes the program print
// warnings and notes about a trace.
void add_format(command_line& line, reading& as);
using tracecodec::format::option_use;
// Adds the format-specific options with purpose `use`, according to the format descriptors.
void add_own_options(command_line& line, reading& as, option_use use);
void add_own_options(command_line& line, tracecodec::format::own_options& to, option_use use);
// Throws usage_error if `given` sets an option with purpose `use` that format `f` does not support.
// `what` is the name of the trace in the message, such as "OUT".
void require_own_options(const tracecodec::format::own_options& given, option_use use,
                         const tracecodec::format::facts& f, std::string_view what);
// Adds --thread, --threads and --repair. Also adds the format-specific options that concern
// instructions or further files of a trace.
void add_reading(command_line& line, reading& as);
// Returns true if `as` sets an option that selects records, other than the thread option.
bool has_choices(const reading& as);
using tracecodec::format::changes_reading;
// Throws usage_error if `as` sets a record-selecting option that format `f` does not support.
void require_choices(const reading& as, const tracecodec::format::facts& f);
// Returns as.thread as the user typed it on the command line.
std::string chosen_thread(const reading& as);
// Adds the positional argument TRACE, which may be compressed.
option add_trace(command_line& line, std::string& path);

}  // namespace examples
