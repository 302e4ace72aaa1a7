// The disassembler of x86 with Zydis (4.0 and later). Link with -lZydis.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "disassembler.hpp"

namespace tracecodec::x86 {

// A mnemonic of Zydis, or a prefix that its texts show.
struct zydis_mnemonic {
  std::uint32_t number = 0;  // a ZydisMnemonic; 0: none, or of what is no instruction
  std::uint64_t prefix = 0;  // ZydisInstructionAttributes; 0: it is no prefix
};

// The one with this name, in any case of letters and any of spellings_of(): "jz" or "je", "lock", "repz";
// "(bad)" for what is no instruction. nullopt if Zydis has no such.
TRACECODEC_FUNC std::optional<zydis_mnemonic> zydis_mnemonic_named(std::string_view name);

// Models disassembler. May be copied, and used by several threads at once.
class zydis_disassembler {
 public:
  explicit zydis_disassembler(target t) noexcept : mode_(t) {}

  // The instruction at the front of `code`; one of length 0 if Zydis knows none there.
  [[nodiscard]] instruction decode(std::span<const std::byte> code) const noexcept;
  [[nodiscard]] target mode() const noexcept { return mode_; }

  // Whether the instruction at the front of `code` has this mnemonic or prefix. Costs less than
  // decoding, which looks at its operands too.
  [[nodiscard]] bool is_called(std::span<const std::byte> code,
                               const zydis_mnemonic& what) const noexcept;

  // The instruction in Intel's syntax, as it reads at address `ip`: "call 0x0000000000401005".
  // "(bad)" if there is none. For viewers: it allocates, and costs more than decoding.
  [[nodiscard]] std::string text(std::span<const std::byte> code, std::uint64_t ip) const;

 private:
  target mode_;
};

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zydis.ipp"
#endif
