// The disassembler of this build.
#pragma once
#include <optional>

#include "../config.hpp"
#include "any_disassembler.hpp"

namespace tracecodec::x86 {

// Returns the disassembler for code of `mode`, or nullopt if the build has no library that
// disassembles.
TRACECODEC_FUNC std::optional<any_disassembler> make_disassembler(target mode);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/make_disassembler.ipp"
#endif
