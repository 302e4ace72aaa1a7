// Disassembler for x86 code that uses Zydis 4.0 or later. Programs must link with -lZydis.
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

// Zydis mnemonic, or a prefix that Zydis includes in the text of an instruction.
struct zydis_mnemonic {
  // Value of ZydisMnemonic, or 0 for a prefix and for bytes that are not an instruction.
  std::uint32_t number = 0;
  std::uint64_t prefix = 0;  // bit of ZydisInstructionAttributes; 0 for a mnemonic
};

// Returns the mnemonic or prefix called `name`, such as "jz" or "lock". Ignores case, and accepts
// every spelling that spellings_of() returns. "(bad)" stands for bytes that are not an instruction.
// Returns nullopt if Zydis has no such name.
TRACECODEC_FUNC std::optional<zydis_mnemonic> zydis_mnemonic_named(std::string_view name);

// Disassembler that uses Zydis. It models disassembler, and is copyable and thread-safe.
class zydis_disassembler {
 public:
  explicit zydis_disassembler(target t) noexcept : mode_(t) {}

  // Returns the instruction at the front of `code`. The instruction's length is 0 if Zydis cannot
  // decode it.
  [[nodiscard]] instruction decode(std::span<const std::byte> code) const noexcept;
  [[nodiscard]] target mode() const noexcept { return mode_; }

  // Returns true if the instruction at the front of `code` has the mnemonic or prefix `what`. This
  // function is faster than decode(), which also examines the operands.
  [[nodiscard]] bool has_mnemonic(std::span<const std::byte> code,
                                  const zydis_mnemonic& what) const noexcept;

  // Returns the text of the instruction at `ip` in Intel syntax, such as "call 0x0000000000401005".
  // Returns "(bad)" if Zydis cannot decode the bytes. This function allocates memory and takes more
  // time than decode(), so it is intended only for viewers.
  [[nodiscard]] std::string text(std::span<const std::byte> code, std::uint64_t ip) const;

 private:
  target mode_;
};

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zydis.ipp"
#endif
