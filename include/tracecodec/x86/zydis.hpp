// The disassembler of x86 with Zydis (4.0 and later): the only header to include for it, as nothing
// else in the library reaches Zydis. Link with -lZydis.
#pragma once
#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "disassembler.hpp"
#include "zydis/translation.hpp"

namespace tracecodec::x86 {

// Models disassembler. May be copied, and used by several threads at once.
class zydis_disassembler {
 public:
  explicit zydis_disassembler(target t) noexcept : mode_(t) {
    const bool wide = t == target::x64;
    ZydisDecoderInit(&decoder_, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                     wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  }

  // The instruction at the front of `code`; one of length 0 if Zydis knows none there.
  [[nodiscard]] instruction decode(std::span<const std::byte> code) const noexcept {
    ZydisDecodedInstruction z;
    operands all;
    if (!decode(code, z, all)) return {};
    return detail::zydis_translation(z, std::span(all).first(z.operand_count))();
  }
  [[nodiscard]] target mode() const noexcept { return mode_; }

  // The instruction in Intel's syntax, as it reads at address `ip`: "call 0x0000000000401005".
  // "(bad)" if there is none. For viewers: it allocates, and costs more than decoding.
  [[nodiscard]] std::string text(std::span<const std::byte> code, std::uint64_t ip) const {
    ZydisDecodedInstruction z;
    operands all;
    ZydisFormatter formatter;
    std::array<char, 256> out;
    if (!decode(code, z, all) ||
        !ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &z, all.data(),
                                                      z.operand_count_visible, out.data(),
                                                      out.size(), ip, nullptr)))
      return "(bad)";
    return out.data();
  }

 private:
  using operands = std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT>;

  bool decode(std::span<const std::byte> code, ZydisDecodedInstruction& z,
              operands& all) const noexcept {
    return ZYAN_SUCCESS(
        ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &z, all.data()));
  }

  ZydisDecoder decoder_;
  target mode_;
};
static_assert(disassembler<zydis_disassembler>);

}  // namespace tracecodec::x86
