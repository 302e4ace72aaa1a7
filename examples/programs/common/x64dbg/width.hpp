// Width of an x64dbg trace, 32 or 64 bits, derived from the trace's name.
#pragma once
#include <string>

#include "../output_name.hpp"

namespace examples::x64dbg {

// Returns the width of the traced program, 32 or 64 bits. Returns 0 if the suffix is neither
// .trace32 nor .trace64.
inline int width_of_name(const std::string& path) {
  const output_name name(path);
  if (is_suffix(name.suffix, ".trace32")) return 32;
  return is_suffix(name.suffix, ".trace64") ? 64 : 0;
}

}  // namespace examples::x64dbg
