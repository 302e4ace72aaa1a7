// --maps and --symbols, and what addresses are called by them: "ls+0x4a10", "main+0x4".
#pragma once
#include <tracecodec/program/map.hpp>

#include <string>

#include "reading.hpp"

namespace examples {

void add_places(command_line& line, reading& as);

// "ls+0x4a10"; empty if no module is known there.
std::string module_text(const tracecodec::program_place& p);
// "main+0x4"; empty if no symbol is known there.
std::string symbol_text(const tracecodec::program_place& p);
// Both, as far as they are known, with a space between; as a terminal shows them.
std::string place_text(const tracecodec::program_place& p);

}  // namespace examples
