// Implementation of x86/zydis.hpp, which includes Zydis.
#pragma once
#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../spellings.hpp"
#include "../zydis.hpp"
#include "zydis_translation.hpp"

namespace tracecodec::x86 {

static_assert(disassembler<zydis_disassembler>);
static_assert(ZYDIS_MNEMONIC_INVALID == 0);

namespace detail {
using zydis_operands = std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT>;

inline ZydisDecoder zydis_decoder_of(target t) noexcept {
  const bool wide = t == target::x64;
  ZydisDecoder d;
  ZydisDecoderInit(&d, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                   wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  return d;
}
// Returns the decoder for a target. Each decoder is created once and never changes.
TRACECODEC_FUNC const ZydisDecoder& zydis_decoder(target t) noexcept {
  static const ZydisDecoder narrow = zydis_decoder_of(target::x86);
  static const ZydisDecoder wide = zydis_decoder_of(target::x64);
  return t == target::x64 ? wide : narrow;
}

TRACECODEC_FUNC bool zydis_decode(target t, std::span<const std::byte> code,
                                  ZydisDecodedInstruction& z, zydis_operands& all) noexcept {
  return ZYAN_SUCCESS(
      ZydisDecoderDecodeFull(&zydis_decoder(t), code.data(), code.size(), &z, all.data()));
}
}  // namespace detail

TRACECODEC_FUNC std::optional<zydis_mnemonic> zydis_mnemonic_named(std::string_view name) {
  struct prefix {
    std::string_view name;
    ZydisInstructionAttributes attribute;
  };
  static constexpr std::array<prefix, 10> prefixes{{{"lock", ZYDIS_ATTRIB_HAS_LOCK},
                                                    {"rep", ZYDIS_ATTRIB_HAS_REP},
                                                    {"repe", ZYDIS_ATTRIB_HAS_REPE},
                                                    {"repz", ZYDIS_ATTRIB_HAS_REPE},
                                                    {"repne", ZYDIS_ATTRIB_HAS_REPNE},
                                                    {"repnz", ZYDIS_ATTRIB_HAS_REPNE},
                                                    {"bnd", ZYDIS_ATTRIB_HAS_BND},
                                                    {"notrack", ZYDIS_ATTRIB_HAS_NOTRACK},
                                                    {"xacquire", ZYDIS_ATTRIB_HAS_XACQUIRE},
                                                    {"xrelease", ZYDIS_ATTRIB_HAS_XRELEASE}}};
  const auto spellings = spellings_of(name);
  if (spellings.front() == "(bad)") return zydis_mnemonic{};
  for (const prefix& p : prefixes)
    if (spellings.front() == p.name) return zydis_mnemonic{.prefix = p.attribute};
  for (const std::string& lower : spellings)
    for (int n = ZYDIS_MNEMONIC_INVALID + 1; n <= ZYDIS_MNEMONIC_MAX_VALUE; ++n)
      if (lower == ZydisMnemonicGetString(static_cast<ZydisMnemonic>(n)))
        return zydis_mnemonic{.number = static_cast<std::uint32_t>(n)};
  return std::nullopt;
}

TRACECODEC_FUNC instruction
zydis_disassembler::decode(std::span<const std::byte> code) const noexcept {
  ZydisDecodedInstruction z;
  detail::zydis_operands all;
  if (!detail::zydis_decode(mode_, code, z, all)) return {};
  return detail::zydis_translation(z, std::span(all).first(z.operand_count))();
}

TRACECODEC_FUNC bool zydis_disassembler::has_mnemonic(std::span<const std::byte> code,
                                                      const zydis_mnemonic& what) const noexcept {
  ZydisDecodedInstruction z;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&detail::zydis_decoder(mode_), nullptr,
                                                  code.data(), code.size(), &z)))
    return what.prefix == 0 && what.number == ZYDIS_MNEMONIC_INVALID;
  return what.prefix != 0 ? (z.attributes & what.prefix) != 0
                          : static_cast<std::uint32_t>(z.mnemonic) == what.number;
}

TRACECODEC_FUNC std::string zydis_disassembler::text(std::span<const std::byte> code,
                                                     std::uint64_t ip) const {
  ZydisDecodedInstruction z;
  detail::zydis_operands all;
  ZydisFormatter formatter;
  std::array<char, 256> out;
  if (!detail::zydis_decode(mode_, code, z, all) ||
      !ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)) ||
      !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &z, all.data(),
                                                    z.operand_count_visible, out.data(), out.size(),
                                                    ip, nullptr)))
    return "(bad)";
  return out.data();
}

}  // namespace tracecodec::x86
