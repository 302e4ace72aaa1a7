// Disassembler of x86 code with Zydis (4.0 and later). Link with -lZydis.
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

// Mnemonic of Zydis, or a prefix that its texts show.
struct zydis_mnemonic {
  // A ZydisMnemonic; 0 for a prefix, or for bytes that are not an instruction.
  std::uint32_t number = 0;
  std::uint64_t prefix = 0;  // a bit of ZydisInstructionAttributes; 0 for a mnemonic
};

// Returns the mnemonic or prefix called `name`, in any letter case and in any of
// spellings_of(): "jz" or "je", "lock", "repz". "(bad)" stands for bytes that are not an
// instruction. Returns nullopt if Zydis does not have the name.
TRACECODEC_FUNC std::optional<zydis_mnemonic> zydis_mnemonic_named(std::string_view name);

// Disassembler with Zydis, which models disassembler. Copyable and thread-safe.
class zydis_disassembler {
 public:
  explicit zydis_disassembler(target t) noexcept : mode_(t) {}

  // Returns the instruction at the front of `code`; one of length 0 if Zydis finds none there.
  [[nodiscard]] instruction decode(std::span<const std::byte> code) const noexcept;
  [[nodiscard]] target mode() const noexcept { return mode_; }

  // Returns true if the instruction at the front of `code` has this mnemonic or prefix. Costs
  // less than decode(), which also examines the operands.
  [[nodiscard]] bool is_called(std::span<const std::byte> code,
                               const zydis_mnemonic& what) const noexcept;

  // Returns the text in Intel's syntax of an instruction at `ip`: "call
  // 0x0000000000401005". Returns "(bad)" if there is none. Meant for viewers: it allocates,
  // and costs more than decode().
  [[nodiscard]] std::string text(std::span<const std::byte> code, std::uint64_t ip) const;

 private:
  target mode_;
};

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zydis.ipp"
#endif
