// Tests walk: the members' own names in wire order, with their values, const and mutable.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>

#include <string>

#include "support.hpp"
#include "x64dbg_block.hpp"

using namespace wire_test;
using tracecodec::champsim::instruction;
using tracecodec::champsim::instruction_codec;

namespace {

template <class Codec, class S> std::string names(S&& s) {
  std::string all;
  Codec::walk(s, [&](std::string_view name, const auto&) { (all += name) += ' '; });
  return all;
}

TEST_CASE("walks a plain struct's members in order") {
  CHECK(names<instruction_codec>(instruction{}) ==
        "ip is_branch branch_taken destination_registers source_registers destination_memory "
        "source_memory ");
}

constexpr std::uint64_t sum_of_members() {
  std::uint64_t sum = 0;
  const instruction i{1, 2, 3, {4, 5}, {6, 7, 8, 9}, {10, 11}, {12, 13, 14, 15}};
  instruction_codec::walk(i, [&](std::string_view, const auto& v) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(v)>>)
      sum += v;
    else
      for (const auto e : v) sum += e;
  });
  return sum;
}
static_assert(sum_of_members() == 120);

TEST_CASE("a mutable walk changes the members") {
  instruction i{};
  instruction_codec::walk(i, [](std::string_view name, auto& v) {
    if constexpr (std::is_integral_v<std::remove_reference_t<decltype(v)>>)
      v = static_cast<std::remove_reference_t<decltype(v)>>(name.size());
  });
  CHECK(i.ip == 2);
  CHECK(i.is_branch == 9);
  CHECK(i.branch_taken == 12);
  CHECK(i.source_memory[0] == 0);
}

TEST_CASE("walk skips absent fields and padding, and visits bit slices") {
  using codec = block_codec<wire::target::x64>;
  block<wire::target::x64> b{};
  CHECK(names<codec>(b) ==
        "type registers accesses has_thread reserved opcode_length "
        "opcode positions values flags addresses old_values new_values ");
  b.has_thread = true;
  CHECK(names<codec>(b) ==
        "type registers accesses has_thread reserved opcode_length thread "
        "opcode positions values flags addresses old_values new_values ");
}

struct described {
  std::uint16_t cache;
  std::uint8_t second;
  std::uint8_t first;
};
using described_codec = wire::record<wire::fields<
    wire::padding<2>, wire::field<&described::first>, wire::not_on_wire<&described::cache>,
    wire::bit_slices<std::uint16_t, wire::unused_bits<8>, wire::bits<&described::second, 8>>>>;

TEST_CASE("walks an explicit description in wire order") {
  CHECK(names<described_codec>(described{}) == "first second ");
}

// Tests walk_fields: names, meanings, and the presence of fields.
struct meant {
  std::uint64_t address;
  std::uint32_t narrow;
  std::uint64_t time;
  std::int64_t count;
  std::uint64_t slice;
  std::array<std::uint64_t, 2> pair;
  std::uint8_t flag;
  std::uint64_t maybe;
  double ratio;
};
using meant_codec = wire::record<wire::fields<
    wire::section<wire::field<&meant::address>, wire::address_field<&meant::narrow, wire::u32be>,
                  wire::number_field<&meant::time>, wire::field<&meant::count>,
                  wire::bit_slices<std::uint64_t, wire::bits<&meant::slice, 64>>,
                  wire::field<&meant::pair>, wire::field<&meant::flag>>,
    wire::section<wire::when<&meant::flag, wire::field<&meant::maybe>>,
                  wire::field<&meant::ratio>>>>;

TEST_CASE("walk_fields passes each field's meaning and presence") {
  const auto told = [](const meant& m) {
    std::string all;
    meant_codec::walk_fields(m, [&](auto info, const auto&, bool present) {
      static_assert(info.name.size() > 3);
      constexpr bool address = info.says == wire::meaning::address;
      (all += info.name) += address ? "@" : "#";
      all += present ? " " : "? ";
    });
    return all;
  };
  meant m{};
  CHECK(told(m) == "address@ narrow@ time# count# slice# pair@ flag# maybe@? ratio# ");
  CHECK(names<meant_codec>(m) == "address narrow time count slice pair flag ratio ");
  m.flag = 1;
  CHECK(told(m) == "address@ narrow@ time# count# slice# pair@ flag# maybe@ ratio# ");
  // The meanings change nothing on the wire.
  CHECK(meant_codec::front_size == 53);
  CHECK(meant_codec::offset_of<&meant::time> == 12);
  std::array<std::byte, 69> out{};
  m.narrow = 0x01020304;
  CHECK(meant_codec::encode(m, out).used == 69);
  CHECK(out[8] == std::byte{1});
}

// Member names with digits and underscores, in templates, local structs and anonymous namespaces.
template <class T> struct odd {
  T a1_;
  T _b;
  T x_2y;
};
TEST_CASE("names members of templates and local structs") {
  struct local {
    std::uint8_t inside;
    std::uint8_t function_;
  };
  CHECK(names<wire::record<odd<std::array<std::uint8_t, 2>>>>(odd<std::array<std::uint8_t, 2>>{}) ==
        "a1_ _b x_2y ");
  CHECK(names<wire::record<local>>(local{}) == "inside function_ ");
  static_assert(wire::name_of<&odd<int>::x_2y> == "x_2y");
  static_assert(wire::member_name<odd<int>, 1> == "_b");
  static_assert(wire::same_member<&odd<int>::_b, &odd<int>::_b>());
  static_assert(!wire::same_member<&odd<int>::_b, &odd<int>::a1_>());
  static_assert(!wire::same_member<&odd<int>::_b, &described::first>());
}

}  // namespace
