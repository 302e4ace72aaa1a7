// The width of an x64dbg trace, by its name.
#pragma once
#include <string>

#include "../output_name.hpp"

namespace examples::x64dbg {

// Returns 32 or 64, the bits of the program whose trace has this name; 0 if the name is not an x64dbg trace's.
inline int width_of_name(const std::string& path) {
  const output_name name(path);
  if (is_suffix(name.suffix, ".trace32")) return 32;
  return is_suffix(name.suffix, ".trace64") ? 64 : 0;
}

}  // namespace examples::x64dbg
