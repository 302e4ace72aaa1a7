// How a trace is opened and read, as the command line says it: one set of options for all programs.
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

// An option that takes a size in bytes, or in K, M or G.
void add_size(command_line& line, const char* name, std::uint64_t& to, const char* help);
// --codec, of an output.
void add_output_codec(command_line& line, std::optional<tracecodec::io::codec>& to);
// Adds --format and its short form, --record, --record-offset, --input-codec, --memory-limit, and the options of single
// formats for the content. The program then also prints warnings and notes about a trace.
void add_format(command_line& line, reading& as);
using tracecodec::format::option_use;
// Adds the options with this use that only some formats have, from their descriptors.
void add_own_options(command_line& line, reading& as, option_use use);
void add_own_options(command_line& line, tracecodec::format::own_options& to, option_use use);
// Throws usage_error if an option of this use is in `given` that format `f` does not have. `what` names the trace: "OUT".
void require_own_options(const tracecodec::format::own_options& given, option_use use,
                         const tracecodec::format::facts& f, std::string_view what);
// Adds --thread, --threads and --repair, and the options of single formats for instructions and for files beside a trace.
void add_reading(command_line& line, reading& as);
// Returns whether `as` has an option that chooses which records are read, besides the thread.
bool has_choices(const reading& as);
// Throws usage_error if it has one that format `f` does not have.
void require_choices(const reading& as, const tracecodec::format::facts& f);
// Returns the thread of as.thread as the command line has it.
std::string chosen_thread(const reading& as);
// The trace, whatever its compression.
option add_trace(command_line& line, std::string& path);

}  // namespace examples
