// The options --maps and --symbols, and the texts for an address that they resolve:
// "ls+0x4a10", "main+0x4".
#pragma once
#include <tracecodec/program/map.hpp>

#include <string>

#include "reading.hpp"

namespace examples {

void add_places(command_line& line, reading& as);

// Returns the module and offset, "ls+0x4a10"; empty if the module is unknown.
std::string module_text(const tracecodec::program_place& p);
// Returns the symbol and offset, "main+0x4"; empty if the symbol is unknown.
std::string symbol_text(const tracecodec::program_place& p);
// Returns the known ones of module and symbol, separated by a space and escaped for a
// terminal.
std::string place_text(const tracecodec::program_place& p);

}  // namespace examples
