// Implementation of x86/decode_flow.hpp, which includes Zydis if the build has it.
#pragma once
#include "../decode_flow.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include "../zydis.hpp"
#include "zydis.ipp"
#include "zydis_data_flow.hpp"
#endif

namespace tracecodec::x86 {

TRACECODEC_FUNC std::optional<instruction_flow> flow_of(target mode,
                                                        std::span<const std::byte> code) {
#if defined(TRACECODEC_WITH_ZYDIS)
  ZydisDecodedInstruction z;
  detail::zydis_operands all;
  if (!detail::zydis_decode(mode, code, z, all)) return std::nullopt;
  return detail::zydis_data_flow(z, std::span(all).first(z.operand_count))();
#else
  static_cast<void>(mode);
  static_cast<void>(code);
  return std::nullopt;
#endif
}

}  // namespace tracecodec::x86
