// Compiles the functions of include/tracecodec/x86/ once. TRACECODEC_WITH_ZYDIS enables the
// disassembler.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/x86/impl/decode_flow.ipp>
#include <tracecodec/x86/impl/make_disassembler.ipp>
#include <tracecodec/x86/impl/spellings.ipp>
#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/x86/impl/zydis.ipp>
#endif
