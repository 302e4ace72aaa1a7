// The names of functions in a WebAssembly module, which the locations of RapidBin traces are of.
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
  std::uint32_t index = 0;  // among the functions of the module, imported ones first
  std::string name = {};    // UTF-8, as the module has it
  friend bool operator==(const wasm_function&, const wasm_function&) = default;
};

// Whether a file that begins so is a WebAssembly module, or claims to be one.
bool begins_like_wasm(std::span<const std::byte> front) noexcept;

// The functions that the custom section "name" names (subsection 1), by ascending index. Throws
// trace_error: not_a_trace for what is no module, and for a module without such names; truncated and
// bad_value, with the offset, for sections that are damaged; unsupported if the names need more than
// `memory`; what the input throws. Memory: that of the names, at most `memory`, and that of
// io::window.
TRACECODEC_FUNC std::vector<wasm_function> read_wasm_names(io::input in,
                                                           std::uint64_t memory = std::uint64_t{1}
                                                                                  << 30);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/wasm_names.ipp"
#endif
