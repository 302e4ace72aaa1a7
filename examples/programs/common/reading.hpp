// How a trace is opened and read, as the command line says it: one set of options for all programs.
#pragma once
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "command_line.hpp"

namespace examples {

using reading = tracecodec::format::open_options;

// An option that takes a size in bytes, or in K, M or G.
void add_size(command_line& line, const char* name, std::uint64_t& to, const char* help);
// --codec, of an output.
void add_output_codec(command_line& line, std::optional<tracecodec::io::codec>& to);
// --format, its short form, --record, --record-offset, --input-codec and --memory-limit, and formats' own options for the
// content. And
// the program prints what is doubtful in a trace.
void add_format(command_line& line, reading& as);
using tracecodec::format::option_use;
// Options of formats' own with this use, by their descriptors.
void add_own_options(command_line& line, reading& as, option_use use);
// --thread and --repair, for the formats that have them, and formats' own options for instructions.
void add_reading(command_line& line, reading& as);
// True if `as` chooses events, which only RapidBin traces have.
bool chooses_events(const reading& as);
// Throws usage_error if it does.
void require_no_events(const reading& as);
// Returns the thread of as.thread as the command line has it.
std::string chosen_thread(const reading& as);
// The tables of an UMTracer trace that have rows.
choices umtracer_tables();
// The trace, whatever its compression.
option add_trace(command_line& line, std::string& path);

}  // namespace examples
