// Records of CVP-1 and CBP2025 traces: instructions of AArch64 programs with the values of the
// registers that they write. All numbers are little-endian, and records are not aligned. CVP-1 is
// the first Championship Value Prediction, CBP2025 a Championship Branch Prediction.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "../arm/registers.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/layout/laid_out_as.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/constant.hpp"
#include "../wire/rules/when.hpp"
#include "../wire/types/view.hpp"

namespace tracecodec::cvp {

enum class dialect : std::uint8_t { cvp1, cbp2025 };

// Class of an instruction. The classes from direct_call on exist only in CBP2025. Calls and
// returns of CVP-1 have the classes direct_jump and indirect_jump.
enum class instruction_class : std::uint8_t {
  alu = 0,
  load = 1,
  store = 2,
  conditional = 3,
  direct_jump = 4,
  indirect_jump = 5,
  fp = 6,
  slow_alu = 7,
  undefined = 8,
  direct_call = 9,
  indirect_call = 10,
  return_ = 11
};
constexpr std::string_view name(instruction_class c) noexcept {
  constexpr std::array<std::string_view, 12> names{
      "alu", "load",     "store",     "conditional", "direct_jump",   "indirect_jump",
      "fp",  "slow_alu", "undefined", "direct_call", "indirect_call", "return"};
  const auto n = static_cast<std::size_t>(c);
  return n < names.size() ? names[n] : "";
}

// Numbers of registers are the indices of arm/registers.hpp.
using arm::first_vector, arm::flags_register, arm::link_register, arm::stack_register;
// Register 65 is the zero register, which only CBP2025 stores.
inline constexpr std::uint8_t zero_register = 65;
inline constexpr std::uint8_t no_register = 255;
template <dialect D> inline constexpr std::uint8_t last_register = D == dialect::cvp1 ? 64 : 65;

constexpr bool is_vector(std::uint8_t r) noexcept {
  return r >= first_vector && r < flags_register;
}

// Wire type of a register's number. The number of an output register determines the size of its
// value, so that decode rejects numbers that are not those of a register.
template <dialect D> struct register_number : wire::u8 {
  static constexpr bool refuses = true;
  static constexpr bool object_bytes = false;
  static constexpr bool fits(std::uint8_t r) noexcept { return r <= last_register<D>; }
  static constexpr wire::errc accepts(const std::byte* p) noexcept {
    return fits(load(p)) ? wire::errc::ok : wire::errc::invalid_value;
  }
};
template <dialect D> using registers = wire::array_view<register_number<D>>;

template <dialect D> struct instruction {
  std::uint64_t pc;
  instruction_class what;
  std::uint64_t address;  // first byte that a load reads or a store writes
  // Size of the access in bytes. CVP-1 stores the size for one register, CBP2025 the total.
  std::uint8_t size;
  bool base_update;      // CBP2025: the instruction also writes the register of its address
  bool register_offset;  // CBP2025: the address of a store is the sum of two registers
  bool taken;
  std::uint64_t target;  // 0 if the branch is not taken
  registers<D> inputs, outputs;
  // Value of each output register, in the order of `outputs`. A vector register has two elements,
  // the lower half first.
  wire::array_view<wire::u64le> values;

  [[nodiscard]] constexpr bool accesses() const noexcept {
    return what == instruction_class::load || what == instruction_class::store;
  }
  [[nodiscard]] constexpr bool stores() const noexcept { return what == instruction_class::store; }
  [[nodiscard]] constexpr bool branches() const noexcept {
    return (what >= instruction_class::conditional && what <= instruction_class::indirect_jump) ||
           what >= instruction_class::direct_call;
  }
  // Returns the address of the next instruction.
  [[nodiscard]] constexpr std::uint64_t next_pc() const noexcept { return taken ? target : pc + 4; }
  // Returns true if an AArch64 instruction can have these values. Used for recognition.
  [[nodiscard]] constexpr bool is_plausible() const noexcept {
    return pc != 0 && pc % 4 == 0 && inputs.size() <= 16 && outputs.size() <= 16 &&
           (!accesses() || size <= 128) &&
           (taken || !branches() || what == instruction_class::conditional);
  }
  // Returns the number of elements of `values`.
  [[nodiscard]] constexpr std::size_t words() const noexcept {
    std::size_t n = outputs.size();
    for (const std::uint8_t r : outputs) n += is_vector(r);
    return n;
  }
  // Returns the new value of register `r`, or the lower half of a vector. `r` must be an output.
  [[nodiscard]] constexpr std::uint64_t value_of(std::uint8_t r) const noexcept {
    std::size_t at = 0;
    for (auto out = outputs.begin(); *out != r; ++out) at += is_vector(*out) ? 2 : 1;
    return values[at];
  }
};

namespace detail {
template <dialect D, class InCbp2025, auto Member> using in_cbp2025 =
    std::conditional_t<D == dialect::cbp2025, InCbp2025, wire::not_on_wire<Member>>;
}  // namespace detail

template <dialect D> using codec = wire::record<wire::in_struct_order<
    instruction<D>,
    wire::in_range<&instruction<D>::what, instruction_class::alu,
                   D == dialect::cvp1 ? instruction_class::undefined : instruction_class::return_>,
    wire::when<&instruction<D>::accesses, wire::address_field<&instruction<D>::address>,
               wire::field<&instruction<D>::size>>,
    detail::in_cbp2025<
        D, wire::when<&instruction<D>::accesses, wire::field<&instruction<D>::base_update>>,
        &instruction<D>::base_update>,
    detail::in_cbp2025<
        D, wire::when<&instruction<D>::stores, wire::field<&instruction<D>::register_offset>>,
        &instruction<D>::register_offset>,
    wire::when<&instruction<D>::branches, wire::field<&instruction<D>::taken>,
               wire::when<&instruction<D>::taken, wire::address_field<&instruction<D>::target>>>,
    wire::prefixed<&instruction<D>::inputs, std::uint8_t>,
    wire::prefixed<&instruction<D>::outputs, std::uint8_t>,
    wire::counted<&instruction<D>::values, &instruction<D>::words>>>;

// The records of CVP-1 lack base_update and register_offset.
static_assert(wire::is_laid_out_as<codec<dialect::cbp2025>, R"(
Offset  Size          Field
------  ------------  ---------------
0       8             pc
8       1             what
9       0 or 8        address          of a load or a store
17      0 or 1        size             of the whole access
varies  0 or 1        base_update      of a load or a store
varies  0 or 1        register_offset  of a store
varies  0 or 1        taken            of a branch
varies  0 or 8        target           of a taken branch
varies  u8 + 1 x it   inputs
varies  u8 + 1 x it   outputs
varies  8 x computed  values
)">);

}  // namespace tracecodec::cvp
