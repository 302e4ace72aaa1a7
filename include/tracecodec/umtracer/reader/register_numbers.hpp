// Maps the registers of a trace to the numbers that simulators use (x86/registers.hpp).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "../../x86/registers.hpp"
#include "context_map.hpp"

namespace tracecodec::umtracer {

namespace detail {
// Parses the number after a prefix, such as 12 in "XMM12". Returns nullopt if the name does not
// consist of the prefix and a number below `count`.
constexpr std::optional<std::size_t> numbered(std::string_view name, std::string_view prefix,
                                              std::size_t count) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return std::nullopt;
  std::size_t n = 0;
  for (const char c : name.substr(prefix.size())) {
    if (c < '0' || c > '9' || n >= count) return std::nullopt;
    n = 10 * n + static_cast<std::size_t>(c - '0');
  }
  return n < count ? std::optional(n) : std::nullopt;
}

// General registers with traditional names. The table contains the names of the lower 16 bits.
inline constexpr std::array<std::pair<std::string_view, x86::reg>, 8> legacy_registers{
    {{"AX", x86::reg::rax},
     {"CX", x86::reg::rcx},
     {"DX", x86::reg::rdx},
     {"BX", x86::reg::rbx},
     {"SP", x86::reg::rsp},
     {"BP", x86::reg::rbp},
     {"SI", x86::reg::rsi},
     {"DI", x86::reg::rdi}}};

// Returns the general register called `name`, such as "AX", "EAX", "RAX", "AL", "AH", "SPL", "R8"
// or "R8D". Returns reg::none for other names.
constexpr x86::reg general_register(std::string_view name) {
  using x86::reg;
  std::string_view s = name;
  if (s.size() == 3 && (s[0] == 'E' || s[0] == 'R')) s.remove_prefix(1);
  for (const auto& [two, r] : legacy_registers) {
    if (s == two || (name.size() == 3 && name.starts_with(two) && name[2] == 'L')) return r;
    if (name.size() == 2 && two[1] == 'X' && name[0] == two[0] &&
        (name[1] == 'L' || name[1] == 'H'))
      return r;
  }
  if (!name.starts_with('R')) return reg::none;
  if (name.ends_with('W') || name.ends_with('D') || name.ends_with('B')) name.remove_suffix(1);
  const auto n = numbered(name, "R", 16);
  return n && *n >= 8 ? x86::row(reg::r8, *n - 8) : reg::none;
}
}  // namespace detail

// Returns the register with the XED name `name`, such as "EAX", "XMM3" or "FSBASE". The name must
// be in upper case. Returns reg::none for pseudo registers and other names.
constexpr x86::reg register_of(std::string_view name) {
  using x86::reg;
  constexpr std::array<std::pair<std::string_view, reg>, 27> single{
      {{"FLAGS", reg::flags},
       {"EFLAGS", reg::flags},
       {"RFLAGS", reg::flags},
       {"IP", reg::ip},
       {"EIP", reg::ip},
       {"RIP", reg::ip},
       {"CS", reg::cs},
       {"SS", reg::ss},
       {"DS", reg::ds},
       {"ES", reg::es},
       {"FS", reg::fs},
       {"GS", reg::gs},
       {"FSBASE", reg::fs},
       {"GSBASE", reg::gs},
       {"MXCSR", reg::mxcsr},
       {"X87CONTROL", reg::x87_control},
       {"X87STATUS", reg::x87_status},
       {"X87TAG", reg::x87_tag},
       {"BNDCFGU", reg::bound_config},
       {"BNDSTATUS", reg::bound_status},
       {"GDTR", reg::gdtr},
       {"LDTR", reg::ldtr},
       {"IDTR", reg::idtr},
       {"TR", reg::task},
       {"PKRU", reg::pkru},
       {"XCR0", reg::xcr0},
       {"UIF", reg::user_interrupt}}};
  struct numbered_row {
    std::string_view prefix;
    reg first;
    std::size_t count;
  };
  constexpr std::array<numbered_row, 10> rows{{{"XMM", reg::vector0, 32},
                                               {"YMM", reg::vector0, 32},
                                               {"ZMM", reg::vector0, 32},
                                               {"K", reg::mask0, 8},
                                               {"MMX", reg::mmx0, 8},
                                               {"ST", reg::x87_0, 8},
                                               {"BND", reg::bound0, 4},
                                               {"TMM", reg::tile0, 8},
                                               {"CR", reg::control0, 16},
                                               {"DR", reg::debug0, 16}}};
  if (const reg r = detail::general_register(name); r != reg::none) return r;
  for (const auto& [s, r] : single)
    if (name == s) return r;
  for (const numbered_row& row : rows)
    if (const auto n = detail::numbered(name, row.prefix, row.count))
      return x86::row(row.first, *n);
  return reg::none;
}

// Mapping from each register of a trace to the simulator's register. The mapping uses the common
// name in the context map, or the register's own name if the common name has no simulator register.
class register_numbers {
 public:
  register_numbers() = default;
  explicit register_numbers(const context_map& map);
  // Returns the simulator's register for register `id`, or reg::none if `id` is not a register of
  // the trace.
  [[nodiscard]] x86::reg operator[](std::uint16_t id) const noexcept {
    return id < numbers_.size() ? numbers_[id] : x86::reg::none;
  }

 private:
  std::array<x86::reg, context_registers> numbers_ = {};
};

static_assert(register_of("AH") == x86::reg::rax && register_of("SPL") == x86::reg::rsp);
static_assert(register_of("R15B") == x86::reg::r15 && register_of("R7") == x86::reg::none);

inline register_numbers::register_numbers(const context_map& map) {
  for (std::uint16_t id = 0; id < map.size(); ++id) {
    const x86::reg common = register_of(map.name(map.common_name(id)));
    numbers_[id] = common != x86::reg::none ? common : register_of(map.name(id));
  }
}

}  // namespace tracecodec::umtracer
