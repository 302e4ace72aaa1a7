// The functions of include/tracecodec/x86/, compiled once. The disassembler is there if TRACECODEC_WITH_ZYDIS is
// defined.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/x86/impl/spellings.ipp>
#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/x86/impl/zydis.ipp>
#endif
