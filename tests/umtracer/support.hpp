// Helpers for the tests of umtracer/: the samples, and the bytes of operand values.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../bytes.hpp"
#include "tracecodec/umtracer/reader.hpp"

namespace test {

namespace umtracer = tracecodec::umtracer;

inline constexpr std::array<const char*, 4> umtracer_samples{"plain32", "plain64", "awkward32",
                                                             "awkward64"};
inline std::string umtracer_sample(const std::string& name) { return data("umtracer/" + name); }

// Formats bytes like the samples' expected values, such as "00ff".
inline std::string to_hex(std::span<const std::byte> in) {
  std::string s;
  s.reserve(2 * in.size());
  for (const std::byte b : in) {
    s += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    s += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15U];
  }
  return s;
}

// Returns the bytes of an explicit operand as specified (7.3.3, expOper): `offset` bytes after
// the start of slot `index` of the values, or in a constant.
inline std::string operand_hex(const umtracer::decoded_instruction& d, std::uint8_t index,
                               std::size_t offset, std::size_t size,
                               std::span<const std::byte> values) {
  if (index == umtracer::slot_constant0 || index == umtracer::slot_constant1) {
    std::array<std::byte, 8> constant{};
    tracecodec::wire::u64le::store(d.constants[index - umtracer::slot_constant0], constant.data());
    return to_hex(std::span(constant).first(size));
  }
  return to_hex(values.subspan(d.slots[index].offset + offset, size));
}

}  // namespace test
