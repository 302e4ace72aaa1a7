// Compares the layouts with the tables of the specification, and with the example of its figure 3.
#include <doctest/doctest.h>

#include "umtracer/tiny_trace.hpp"

using namespace test;
namespace wire = tracecodec::wire;

namespace {
// Lists offset and size of each item of a layout, in order, like the specification's table:
// "0+4 4+4 8+8". For an array with a separate count, the size is that of one element. An array
// that follows its length has the sizes of both.
template <class Codec> std::string places() {
  std::string s;
  for (const wire::layout_row& r : wire::layout_table<Codec>) {
    if (r.name.view() == wire::padding_name) continue;
    if (!s.empty()) s += ' ';
    s += std::to_string(r.offset) + '+';
    s += r.variable_length ? std::string(r.count.view()) : std::to_string(r.size);
  }
  return s;
}
}  // namespace

TEST_CASE("layouts equal the tables of the specification") {
  CHECK(places<umtracer::table_header_codec>() == "0+4 4+4 8+8 16+8 24+8");  // 4.2.1
  CHECK(places<umtracer::c_string_codec>() == "0+u16 + 1 x it");             // 5
  CHECK(places<umtracer::u_string_codec>() == "0+u16 + 2 x it");             // 5
  CHECK(places<umtracer::exec_header_codec>() == "0+4 8+8");                 // 6.2
  CHECK(places<umtracer::neighbours_codec>() == "0+8 8+8");                  // 6.2
  CHECK(places<umtracer::exec_record_codec>() == "0+4 4+1 5+1");             // 6.4
  CHECK(places<umtracer::context_record_codec>() == "0+4 8+8");              // 6.4
  CHECK(places<umtracer::context_memory_codec>() == "0+8 8+8 16+8");         // 6.4
  CHECK(places<umtracer::extra_header_codec>() == "0+8 8+8");  // 7.3.1, starting at offset 32
  CHECK(places<umtracer::instruction_codec>() ==               // 7.3.3
        "0+8 8+1 9+1 10+1 12+4 16+8 24+15 40+8 48+8");
  CHECK(umtracer::instruction_codec::size == 64);
  CHECK(places<umtracer::decoded_codec>() ==
        "0+2 2+2 4+2 6+1 7+1 8+48 56+1 57+1 58+2 60+1 61+1 62+1 63+1 64+1 65+1 66+1 67+1 72+16 "
        "88+12");
  CHECK(places<umtracer::explicit_operand_codec>() == "0+2 2+2 4+1 5+1 6+1 7+1 8+1");
  CHECK(umtracer::explicit_operand_codec::size == 12);
  CHECK(places<umtracer::slot_codec>() == "0+2 2+2 4+2 6+2 8+1");
  CHECK(umtracer::slot_codec::size == 12);
  CHECK(places<umtracer::syscall_header_codec>() == "0+4 4+4 8+8");  // 8.4
  CHECK(places<umtracer::syscall_place_codec>() == "0+8 8+8");       // 8.4
  CHECK(places<umtracer::syscall_codec>() ==                         // 8.4
        "0+2 2+2 4+1 5+1 6+1 7+1 8+8 16+8 24+8 32+8 40+8 48+8");
  CHECK(places<umtracer::module_codec>() == "0+8 8+8 16+8 24+8 32+8 40+8");  // 9
  CHECK(umtracer::module_codec::size == 48);
  CHECK(places<umtracer::thread_codec>() == "0+4 4+4 8+8 16+8 24+8 32+8");  // 10
  CHECK(places<umtracer::context_header_codec>() == "0+2 2+2");             // 11.2
  CHECK(places<umtracer::register_info_codec>() == "0+2 2+1 4+2");          // 11.2
  CHECK(umtracer::register_info_codec::size == 8);
  CHECK(places<umtracer::address_range_codec>() == "0+8 8+8");  // 12
}

TEST_CASE("decodes the instruction of figure 3, add word ptr [esi+8], ax") {
  const bytes stored = golden_decoded();
  REQUIRE(stored.size() == 88 + 6 * 12);
  umtracer::decoded_instruction d;
  const auto r = umtracer::decoded_codec::decode(stored, d);
  REQUIRE(r);
  CHECK(r.used == stored.size());
  CHECK(d.category == 1);
  CHECK(d.mnemonic == 2);
  CHECK(d.form == 3);
  CHECK(d.flags ==
        (umtracer::decoded_flags::reads_memory | umtracer::decoded_flags::writes_memory));
  CHECK(d.operand_size == 2);
  CHECK(d.address_size == 4);
  CHECK(d.first_out_slot == 3);
  CHECK(d.first_after_slot == 4);
  CHECK(d.slot_count == 6);
  CHECK(d.values_size == 34);
  CHECK(d.mem0_segment_slot == umtracer::slot_none);
  CHECK(d.mem0_base_slot == 0);
  CHECK(d.mem0_scale == 0);
  CHECK(d.mem0_index_slot == umtracer::slot_none);
  CHECK(d.mem1_base_slot == umtracer::slot_none);
  CHECK(d.constants == std::array<std::uint64_t, 2>{8, 0});
  REQUIRE(d.operand_count == 2);
  CHECK(d.operands[0] == umtracer::explicit_operand{umtracer::name_mem0, 2, 3, 2, 4, 8, 8});
  CHECK(d.operands[1] == umtracer::explicit_operand{3, 2, 1, 1, umtracer::slot_none, 0, 0});
  REQUIRE(d.slots.size() == 6);
  CHECK(d.slots[0] == umtracer::slot{4, 4, 4, 10, 0});
  CHECK(d.slots[2] == umtracer::slot{umtracer::name_mem0, umtracer::name_mem0, 2, 0, 4});
  CHECK(d.slots[5] == umtracer::slot{5, 5, 4, 30, 0});
  // Location of each value in the 34 bytes: esi, ax, MEM0, flags; then MEM0 and flags after.
  constexpr std::array<std::uint32_t, 6> from{10, 14, 8, 16, 28, 30}, size{4, 2, 2, 4, 2, 4};
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(d.slots[i].is_memory() == (i == 2 || i == 4));
    CHECK(d.slots[i].value_offset() == from[i]);
    CHECK(d.slots[i].end() == from[i] + size[i]);
  }
}

TEST_CASE("returns the operand values of figure 3") {
  const bytes stored = golden_decoded(), values = golden_values();
  REQUIRE(values.size() == 34);
  umtracer::decoded_instruction d;
  REQUIRE(umtracer::decoded_codec::decode(stored, d));
  const auto value = [&](std::size_t slot) {
    return to_hex(umtracer::value_of(d.slots[slot], values).bytes);
  };
  CHECK(value(0) == "20002000");  // esi
  CHECK(value(1) == "2222");      // ax
  CHECK(value(2) == "1111");      // [esi+8]
  CHECK(value(3) == "46020000");  // flags
  CHECK(value(4) == "3333");
  CHECK(value(5) == "02020000");
  CHECK(umtracer::value_of(d.slots[2], values).address == 0x200028);
  CHECK(umtracer::value_of(d.slots[4], values).address == 0x200028);
  CHECK_FALSE(umtracer::value_of(d.slots[0], values).address);
  CHECK(operand_hex(d, 2, 8, 2, values) == "1111");
  // Only the low bytes of an address are used. A slot outside the values has no value.
  CHECK(umtracer::value_of({0xFFFF, 0, 2, 0, 2}, values).address == 0x28);
  CHECK(umtracer::value_of({0xFFFF, 0, 2, 0, 8}, values).address == 0x200028);
  const bytes wide = fields({{minus_one, 8}, {1, 2}});
  CHECK(umtracer::value_of({0xFFFF, 0, 2, 0, 4}, wide).address == 0xFFFFFFFF);
  CHECK(umtracer::value_of({0xFFFF, 0, 2, 0, 8}, wide).address == minus_one);
  CHECK(umtracer::value_of({0xFFFF, 0, 2, 0, 255}, wide).address == minus_one);
  CHECK(umtracer::value_of({1, 1, 4, 30, 0}, values).bytes.size() == 4);
  CHECK(umtracer::value_of({1, 1, 4, 31, 0}, values).bytes.empty());
  CHECK(umtracer::value_of({1, 1, 0xFFFF, 0xFFFF, 8}, values).bytes.empty());
  CHECK_FALSE(umtracer::value_of({1, 1, 4, 24, 4}, values).address);
}

TEST_CASE("refuses a decoded instruction that is truncated at any byte") {
  const bytes stored = golden_decoded();
  umtracer::decoded_instruction d;
  for (std::size_t n = 0; n < stored.size(); ++n)
    CHECK_FALSE(umtracer::decoded_codec::decode(std::span(stored).first(n), d));
}
