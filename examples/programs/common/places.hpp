// --maps and --symbols, and what addresses are called by them: "ls+0x4a10", "main+0x4".
#pragma once
#include <tracecodec/program/map.hpp>

#include <string>
#include <vector>

#include "reading.hpp"

namespace tracecodec::umtracer {
class reader;
}

namespace examples {

void add_places(command_line& line, reading& as);

// The modules of a trace, whenever they were loaded, for symbols of options that name them.
std::vector<tracecodec::program_module> modules_of(const tracecodec::umtracer::reader& trace,
                                                   const reading& as);
// The same of the UMTracer trace in a folder, which is read for it. Throws trace_error as its reader.
std::vector<tracecodec::program_module> modules_of(const std::string& folder, const reading& as);

// "ls+0x4a10"; empty if no module is known there.
std::string module_text(const tracecodec::program_place& p);
// "main+0x4"; empty if no symbol is known there.
std::string symbol_text(const tracecodec::program_place& p);
// Both, as far as they are known, with a space between; as a terminal shows them.
std::string place_text(const tracecodec::program_place& p);

}  // namespace examples
