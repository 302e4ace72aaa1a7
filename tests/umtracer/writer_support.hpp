// Helpers for the tests of the writer: small traces with known contents.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tracecodec/umtracer/writer.hpp"
#include "umtracer/support.hpp"

namespace test {

// Returns a map for contexts of 16 bytes: rax (54) and rcx (55) in 64-bit code.
inline bytes small_map() {
  const umtracer::context_register registers[] = {
      {.id = 54, .name = "rax", .common_name = 12, .in64 = {0, 8, 54}},
      {.id = 55, .name = "rcx", .common_name = 13, .in64 = {8, 8, 55}}};
  return umtracer::make_context_map(16, registers);
}
inline const bytes small_context = from_hex("00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff");

inline bytes file_of(const std::string& folder, umtracer::file f) {
  return content(folder + '/' + std::string(umtracer::name(f)));
}

// add word ptr [esi+8], ax: figure 3 of the specification. The register numbers are not
// those of any XED.
inline constexpr std::uint16_t esi = 60, ax = 40, flags_register = 30;
inline const std::array<umtracer::slot, 5> golden_slots{{{esi, 61, 4, 10, 0},
                                                         {ax, 40, 2, 14, 0},
                                                         {umtracer::name_mem0, 0xFFFF, 2, 0, 4},
                                                         {flags_register, 30, 4, 16, 0},
                                                         {umtracer::name_mem0, 0xFFFF, 2, 20, 4}}};
inline const bytes golden_code = from_hex("66 01 46 08");
inline umtracer::instruction_info golden() {
  umtracer::instruction_info i;
  i.address = 0x401000;
  i.code = golden_code;
  i.text = "add word ptr [esi+8], ax";
  i.slots = golden_slots;
  auto& d = i.decoded;
  d.category = 6;
  d.mnemonic = 7;
  d.form = 8;
  d.flags = 0x30;
  d.operand_count = 2;
  d.operands[0] = {umtracer::name_mem0, 2, 3, 2, 4, 8, 8};
  d.operands[1] = {ax, 2, 1, 1, umtracer::slot_none, 0, 0};
  d.operand_size = 2;
  d.address_size = 4;
  d.values_size = 34;
  d.first_out_slot = 3;
  d.first_after_slot = 4;
  d.mem0_segment_slot = umtracer::slot_none;
  d.mem0_base_slot = 0;
  d.mem0_index_slot = umtracer::slot_none;
  d.mem1_base_slot = umtracer::slot_none;
  d.constants = {8, 0};
  return i;
}
// esi = 0x00200ff8; the word at 0x00201000 is 0x1234 before and 0x1235 after; ax is 1.
inline const bytes golden_operands = from_hex(
    "00 10 20 00 00 00 00 00 34 12 f8 0f 20 00 01 00 46 02 00 00"
    "00 10 20 00 00 00 00 00 35 12 06 02 00 00");

// Trace that `f` writes, in a folder that is deleted with this object.
struct written_trace {
  explicit written_trace(const std::function<void(umtracer::writer&)>& f,
                         umtracer::writer_options options = {}) {
    umtracer::writer out(path, small_map(), options);
    f(out);
    out.finish();
    in.emplace(path);
  }
  folder dir = {};
  std::string path = dir / "t";
  std::optional<umtracer::reader> in = {};
};

}  // namespace test
