// The functions of include/tracecodec/umtracer/, compiled once, and what its descriptions are asserted to be.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/umtracer/layout/impl/common.ipp>
#include <tracecodec/umtracer/layout/impl/context.ipp>
#include <tracecodec/umtracer/layout/impl/decoded.ipp>
#include <tracecodec/umtracer/layout/impl/exec.ipp>
#include <tracecodec/umtracer/layout/impl/instruction.ipp>
#include <tracecodec/umtracer/layout/impl/syscall.ipp>
