// Compiles the functions of include/tracecodec/trace/ once. These functions depend on all formats,
// so the TRACECODEC_WITH_... macros must be the same for this file and for the program.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/trace/impl/about.ipp>
#include <tracecodec/trace/impl/check.ipp>
#include <tracecodec/trace/impl/cursor.ipp>
#include <tracecodec/trace/impl/described.ipp>
#include <tracecodec/trace/impl/input_files.ipp>
#include <tracecodec/trace/impl/instruction_source.ipp>
#include <tracecodec/trace/impl/layouts.ipp>
#include <tracecodec/trace/impl/open.ipp>
#include <tracecodec/trace/impl/places.ipp>
#include <tracecodec/trace/impl/reader.ipp>
#include <tracecodec/trace/impl/records.ipp>
#include <tracecodec/trace/impl/source.ipp>
