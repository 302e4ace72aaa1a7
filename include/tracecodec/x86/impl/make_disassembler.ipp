// Implementation of x86/make_disassembler.hpp.
#pragma once
#include "../make_disassembler.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include "../zydis.hpp"
#endif

namespace tracecodec::x86 {

TRACECODEC_FUNC std::optional<any_disassembler> make_disassembler(target mode) {
#if defined(TRACECODEC_WITH_ZYDIS)
  return any_disassembler(zydis_disassembler(mode));
#else
  static_cast<void>(mode);
  return std::nullopt;
#endif
}

}  // namespace tracecodec::x86
