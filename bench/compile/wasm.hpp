// What the parser of WebAssembly modules computes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace wasm {

struct summary {
  std::size_t imports = 0;
  std::uint64_t code = 0;  // bytes
};

// Adds the sections of a module to `s`. Returns false if the module is not valid.
bool sum_up(std::span<const std::byte> file, summary& s);

}  // namespace wasm
