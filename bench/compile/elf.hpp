// What the two parsers of ELF files compute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace elf {

// Total size in bytes of the sections, and the number of those that contain code.
struct summary {
  std::uint64_t bytes = 0;
  std::size_t code = 0;
};

// Adds the sections of a whole file to `s`. Returns false if the file is not valid.
bool sum_up(std::span<const std::byte> file, summary& s);

}  // namespace elf
