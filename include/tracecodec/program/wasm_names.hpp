// Reads the names of the functions of a WebAssembly module, which the locations of RapidBin
// traces refer to.
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
  std::uint32_t index = 0;  // among all functions of the module, imported ones first
  std::string name = {};    // UTF-8, as stored in the module
  friend bool operator==(const wasm_function&, const wasm_function&) = default;
};

// Returns true if a file that begins with `front` is, or claims to be, a WebAssembly module.
bool begins_like_wasm(std::span<const std::byte> front) noexcept;

// Returns the function names of the custom section "name" (subsection 1), by ascending index.
// Throws trace_error: (not_a_trace) if the input is not a module, or one without such names;
// (truncated) and (bad_value), with the offset, for damaged sections; (unsupported) if the
// names need more than `memory` bytes; errors of the input. Memory: at most `memory` for the
// names, and the memory of io::window.
TRACECODEC_FUNC std::vector<wasm_function> read_wasm_names(io::input in,
                                                           std::uint64_t memory = std::uint64_t{1}
                                                                                  << 30);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/wasm_names.ipp"
#endif
