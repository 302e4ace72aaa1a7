// Classifies branches by the names of the instruction's category and mnemonic.
#pragma once
#include <optional>
#include <string_view>

#include "../../x86/instruction.hpp"
#include "../layout/instruction.hpp"
#include "../layout/names.hpp"

namespace tracecodec::umtracer {

// Returns the kind of branch for two names that XED defines: a `category` such as "COND_BR" or
// "RET", and a `mnemonic` such as "JNZ" or "CALL_NEAR". `direct` is true if the first explicit
// operand is a constant. Returns nullopt if both names are empty, that is, unknown. The mnemonic
// takes precedence, because XED's category COND_BR also contains XBEGIN and XEND.
constexpr std::optional<x86::kind> kind_of(std::string_view category, std::string_view mnemonic,
                                           bool direct) {
  using x86::kind;
  const auto one_of = [](std::string_view s, auto... all) { return ((s == all) || ...); };
  if (category.empty() && mnemonic.empty()) return std::nullopt;
  if (one_of(mnemonic, "XBEGIN", "XEND", "XABORT", "RSM", "UIRET") ||
      mnemonic.starts_with("SYSRET") || mnemonic == "SYSEXIT" || category == "SYSRET")
    return kind::other;
  if (one_of(mnemonic, "SYSCALL", "SYSCALL_AMD", "SYSENTER", "INT", "INT1", "INT3", "INTO") ||
      one_of(category, "SYSCALL", "INTERRUPT"))
    return kind::system;
  if (one_of(mnemonic, "RET_NEAR", "RET_FAR", "IRET", "IRETD", "IRETQ") || category == "RET")
    return kind::return_;
  if (one_of(mnemonic, "CALL_NEAR", "CALL_FAR") || category == "CALL")
    return direct ? kind::direct_call : kind::indirect_call;
  if (one_of(mnemonic, "JMP", "JMP_FAR") || category == "UNCOND_BR")
    return direct ? kind::direct_jump : kind::indirect_jump;
  if (category == "COND_BR" ||
      (category.empty() && (mnemonic.starts_with('J') || mnemonic.starts_with("LOOP"))))
    return kind::conditional;
  return kind::not_branch;
}

// Returns the kind of `d` according to the names of its category and mnemonic, or nullopt if `n`
// contains neither name.
std::optional<x86::kind> kind_of(const decoded_instruction& d, const names& n);

inline std::optional<x86::kind> kind_of(const decoded_instruction& d, const names& n) {
  return kind_of(n.categories.name(d.category), n.mnemonics.name(d.mnemonic),
                 d.operand_count != 0 && is_constant(d.operands[0].before_slot));
}

}  // namespace tracecodec::umtracer
