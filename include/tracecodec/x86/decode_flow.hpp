// Derives the flow of data from the code of an instruction.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "../config.hpp"
#include "data_flow.hpp"
#include "disassembler.hpp"

namespace tracecodec::x86 {

// Returns the flows of the instruction at the front of `code`. Returns nullopt if the bytes are not
// an instruction, or if the build has no disassembler.
TRACECODEC_FUNC std::optional<instruction_flow> flow_of(target mode,
                                                        std::span<const std::byte> code);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decode_flow.ipp"
#endif
