// The functions of an ELF file, and its build id, by elfutils' libdw (TRACECODEC_WITH_LIBDW, -ldw).
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "../config.hpp"
#include "map.hpp"

namespace tracecodec {

// Adds what the file at the module's path says: the module's build id, and to `to` those of its
// symbols that are functions or have no type, where they lay, if wanted(address, size). Separate
// debug information is found as debuggers find it; on servers only if DEBUGINFOD_URLS names them.
// Nothing is added for what is no ELF file.
TRACECODEC_FUNC void read_elf_symbols(
    program_module& m, const std::function<bool(std::uint64_t, std::uint64_t)>& wanted,
    std::vector<program_symbol>& to);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/elf_symbols.ipp"
#endif
