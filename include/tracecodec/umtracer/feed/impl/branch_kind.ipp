// The functions of umtracer/feed/branch_kind.hpp.
#pragma once
#include "../branch_kind.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::optional<x86::kind> kind_of(const decoded_instruction& d, const names& n) {
  return kind_of(n.categories.name(d.category), n.mnemonics.name(d.mnemonic),
                 d.operand_count != 0 && is_constant(d.operands[0].before_slot));
}

}  // namespace tracecodec::umtracer
