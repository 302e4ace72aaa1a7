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

using reading = tracecodec::trace::visit_options;

// An option that takes a size in bytes, or in K, M or G.
void add_size(command_line& line, const char* name, std::uint64_t& to, const char* help);
// --codec, of an output.
void add_output_codec(command_line& line, std::optional<tracecodec::io::codec>& to);
// --format, its short form, --record, --record-offset, --map-registers, --input-codec and --memory-limit. And
// the program prints what is doubtful in a trace.
void add_format(command_line& line, reading& as);
// --metadata and --no-metadata, for RapidBin.
void add_metadata(command_line& line, reading& as);
// --variable, --lock and --location: which events of a RapidBin trace.
void add_events(command_line& line, reading& as);
// --thread and --repair, for the formats that have them, and the metadata.
void add_reading(command_line& line, reading& as);
// Throws usage_error if `as` chooses events, which only RapidBin traces have.
void require_no_events(const reading& as);
// Returns the thread of as.thread as the command line has it.
std::string chosen_thread(const reading& as);
// Throws usage_error for the first name of an event's id that known(kind, name) does not accept.
void refuse_unknown_names(
    const reading& as,
    const std::function<bool(tracecodec::rapidbin::id_kind, const std::string&)>& known);
// The tables of an UMTracer trace that have rows.
choices umtracer_tables();
// The trace, whatever its compression.
option add_trace(command_line& line, std::string& path);

}  // namespace examples
