// Options --maps and --symbols, and the text that describes a resolved address, such as "ls+0x4a10"
// or "main+0x4".
#pragma once
#include <tracecodec/program/map.hpp>

#include <string>

#include "reading.hpp"

namespace examples {

void add_places(command_line& line, reading& as);

// Returns the module and the offset in the module, such as "ls+0x4a10"; empty if the module is
// unknown.
std::string module_text(const tracecodec::program_place& p);
// Returns the symbol and the offset from the symbol, such as "main+0x4"; empty if the symbol is
// unknown.
std::string symbol_text(const tracecodec::program_place& p);
// Returns the module text and the symbol text, separated by a space and escaped for a terminal.
// Unknown parts are omitted.
std::string place_text(const tracecodec::program_place& p);

}  // namespace examples
