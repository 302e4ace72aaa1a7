// Compiles the functions of include/tracecodec/riscv/ once.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/riscv/impl/decode.ipp>
