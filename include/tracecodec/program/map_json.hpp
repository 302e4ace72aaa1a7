// A program's map as JSON, which read_map.hpp and other programs read.
#pragma once
#include <string>

#include "../config.hpp"
#include "map.hpp"

namespace tracecodec {

// Appends
//   {"version":1,
//   "modules":[{"base":"0x555555554000","size":"0x5000","path":"/usr/bin/true","build_id":"5f..."}],
//   "symbols":[{"address":"0x555555555139","size":"0x2e","name":"main"}]}
// a module or a symbol a line. Without a build id there is none; nor a size, where it is not known;
// "from" is there if it is not 0.
TRACECODEC_FUNC void add_program_map(std::string& out, const program_map& map);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/map_json.ipp"
#endif
