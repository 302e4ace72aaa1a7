// Wraps the code of docs/into-champsim.md in the declarations that ChampSim provides.
#include "../tests/docs/champsim_declarations.h"

#include <tracecodec/champsim.hpp>
#include <tracecodec/feed/adaptors.hpp>
#include <tracecodec/trace/open.hpp>

champsim::tracereader get_tracereader(const std::string& fname, std::uint8_t cpu,
                                      bool is_cloudsuite, bool repeat) {
  // (the block of the page)
}

#include "../tests/docs/champsim_reads.cpp"
