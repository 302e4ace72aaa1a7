// The disassembler of x86 with Zydis (4.0 and later): the only header to include for it, as nothing
// else in the library reaches Zydis. Link with -lZydis.
#pragma once
#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "disassembler.hpp"
#include "lower_case.hpp"
#include "zydis/translation.hpp"

namespace tracecodec::x86 {

// A mnemonic of Zydis, or a prefix that its texts show.
struct zydis_mnemonic {
  ZydisMnemonic number = ZYDIS_MNEMONIC_INVALID;  // none, or of what is no instruction
  ZydisInstructionAttributes prefix = 0;          // 0: it is no prefix
};

// The one with this name, in any case of letters: "jz" (Zydis has no "je"), "lock", "repz"; "(bad)"
// for what is no instruction. nullopt if Zydis has no such.
inline std::optional<zydis_mnemonic> zydis_mnemonic_named(std::string_view name) {
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
  const std::string lower = lower_case(name);
  if (lower == "(bad)") return zydis_mnemonic{};
  for (const prefix& p : prefixes)
    if (lower == p.name) return zydis_mnemonic{.prefix = p.attribute};
  for (int n = ZYDIS_MNEMONIC_INVALID + 1; n <= ZYDIS_MNEMONIC_MAX_VALUE; ++n)
    if (lower == ZydisMnemonicGetString(static_cast<ZydisMnemonic>(n)))
      return zydis_mnemonic{.number = static_cast<ZydisMnemonic>(n)};
  return std::nullopt;
}

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

  // Whether the instruction at the front of `code` has this mnemonic or prefix. Costs less than
  // decoding, which looks at its operands too.
  [[nodiscard]] bool is_called(std::span<const std::byte> code,
                               const zydis_mnemonic& what) const noexcept {
    ZydisDecodedInstruction z;
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeInstruction(&decoder_, nullptr, code.data(), code.size(), &z)))
      return what.prefix == 0 && what.number == ZYDIS_MNEMONIC_INVALID;
    return what.prefix != 0 ? (z.attributes & what.prefix) != 0 : z.mnemonic == what.number;
  }

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
