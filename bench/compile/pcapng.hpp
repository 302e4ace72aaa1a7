// What the two parsers of pcapng files compute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace pcapng {

struct summary {
  std::size_t packets = 0, options = 0;
  std::uint64_t bytes = 0;  // of the packets
};

// Adds the blocks of a little-endian section to `s`. Returns false if a block is not valid.
bool sum_up(std::span<const std::byte> file, summary& s);

}  // namespace pcapng
