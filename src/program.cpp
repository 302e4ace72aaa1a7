// Compiles the functions of include/tracecodec/program/ once. TRACECODEC_WITH_SIMDJSON enables
// reading map files, and TRACECODEC_WITH_LIBDW enables reading symbols of ELF files.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/program/impl/map.ipp>
#include <tracecodec/program/impl/read_symbols.ipp>
#include <tracecodec/program/impl/wasm_names.ipp>
#if defined(TRACECODEC_WITH_SIMDJSON)
#include <tracecodec/program/impl/read_map.ipp>
#endif
#if defined(TRACECODEC_WITH_LIBDW)
#endif
