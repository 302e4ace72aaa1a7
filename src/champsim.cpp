// Compiles the functions of include/tracecodec/champsim/ that are not templates once. Also
// instantiates the templates for ChampSim and CloudSuite records.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif
#include <tracecodec/champsim/impl/descriptor.ipp>
#include <tracecodec/champsim/impl/known_tables.ipp>
#include <tracecodec/champsim/impl/recognise.ipp>
#include <tracecodec/champsim/impl/record_regions.ipp>
#include <tracecodec/champsim/impl/record_size.ipp>
#include <tracecodec/champsim/impl/register_numbers.ipp>
#include <tracecodec/champsim/impl/require_records.ipp>
#include <tracecodec/champsim/impl/thread_records.ipp>
