// Reads the names of the functions in a WebAssembly module. Locations in RapidBin traces can refer
// to these functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../config.hpp"
#include "../io/open.hpp"

namespace tracecodec {

struct wasm_function {
  std::uint32_t index = 0;  // index among all functions, with imported functions first
  std::string name = {};    // UTF-8, as stored in the module
  friend bool operator==(const wasm_function&, const wasm_function&) = default;
};

// Returns true if `front` begins with the magic number of a WebAssembly module.
bool begins_like_wasm(std::span<const std::byte> front) noexcept;

// Returns the function names in the custom section "name" (subsection 1), by ascending index.
//
// Throws trace_error(not_a_trace) if the input is not a module, or is a module without such names.
// Throws trace_error(truncated) or trace_error(bad_value), with the offset, for damaged sections.
// Throws trace_error(unsupported) if the names need more than `memory` bytes. Errors of the input
// propagate.
//
// Uses up to `memory` bytes for the names, in addition to the memory of io::window.
TRACECODEC_FUNC std::vector<wasm_function> read_wasm_names(io::input in,
                                                           std::uint64_t memory = std::uint64_t{1}
                                                                                  << 30);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/wasm_names.ipp"
#endif
