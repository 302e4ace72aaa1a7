// Where the parts of a record lie that the model of tracepack predicts, one by one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout.hpp"

namespace tracecodec::tracepack {

// The offset of no address: such records are not modelled.
inline constexpr std::uint16_t no_ip = 0xFFFF;

// Of a record of `size` bytes: the instruction's address, the addresses of memory, and the bytes that name registers
// which these may be relative to. All other bytes are static: they belong to the instruction, not to its execution.
struct shape {
  std::uint16_t size = 0;
  std::uint16_t ip = 0;                   // offset of 8 bytes
  std::vector<std::uint16_t> slots = {};  // offsets of 8 bytes each, ascending
  std::vector<std::uint16_t> bases = {};  // offsets of bytes
  std::vector<std::uint16_t> flags = {};  // offsets of bytes that are 0 or 1; only a writer asks
  friend bool operator==(const shape&, const shape&) = default;
};

// Whether the model takes such records: a size that is a multiple of 8, up to most_record; ip and up to most_slots
// slots at multiples of 8, ascending, apart from each other, and within; bases and flags within.
TRACECODEC_FUNC bool modelled(const shape& s);

// ChampSim's and CloudSuite's records.
TRACECODEC_FUNC shape champsim_shape();
TRACECODEC_FUNC shape cloudsuite_shape();

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/shape.ipp"
#endif
