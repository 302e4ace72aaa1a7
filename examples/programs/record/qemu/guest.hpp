// Processor of the emulated program, and access to the program's code through QEMU.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tracecodec/x86/zydis.hpp>

#include "api.hpp"
#include "processors.hpp"
#include "translated.hpp"

namespace record::qemu {

// Emulated processor: its decoder, and the numbers of its Linux system calls.
struct processor {
  std::string_view name;  // QEMU's name for the processor
  decode_function decode;
  bool is_x86, narrow;
  std::int64_t execve, execveat, munmap, mmap, mprotect, clone;
};
inline x86::instruction decode_x64(std::span<const std::byte> code) {
  static const x86::zydis_disassembler disassembler(x86::target::x64);
  return disassembler.decode(code);
}
inline x86::instruction decode_i386(std::span<const std::byte> code) {
  static const x86::zydis_disassembler disassembler(x86::target::x86);
  return disassembler.decode(code);
}
inline constexpr std::array processors {
  processor{"x86_64", decode_x64, true, false, 59, 322, 11, 9, 10, 56},
      processor{"i386", decode_i386, true, true, 11, 358, 91, 192, 125, 120},
#if defined(TRACECODEC_WITH_CAPSTONE)
      processor{"aarch64", decode_aarch64, false, false, 221, 281, 215, 222, 226, 220},
#endif
      processor {
    "riscv64", decode_riscv64, false, false, 221, 281, 215, 222, 226, 220
  }
};
inline const processor* here = nullptr;

// Version of the plugin interface of the running QEMU. Among the functions that the plugin uses,
// only qemu_plugin_insn_data() differs between versions 1 and 6. From version 3 on, it copies the
// instruction.
inline int interface_version = 1;
inline constexpr int copies_code = 3, newest_interface = 6;

// Returns 1 for the begin marker of roi.h, 2 for the end marker, and 0 for other code.
inline unsigned marker_in(std::span<const std::byte> code) {
  const auto is = [code](std::initializer_list<unsigned> bytes) {
    return code.size() == bytes.size() &&
           std::equal(bytes.begin(), bytes.end(), code.begin(),
                      [](unsigned a, std::byte b) { return a == std::to_integer<unsigned>(b); });
  };
  if (here->is_x86)
    return is({0x0F, 0x1F, 0x80, 0x54, 0x43, 0x52, 1})   ? 1
           : is({0x0F, 0x1F, 0x80, 0x54, 0x43, 0x52, 2}) ? 2
                                                         : 0;
  if (here->name == "aarch64")
    return is({0x3F, 0xA4, 0x8A, 0xD2}) ? 1 : is({0x5F, 0xA4, 0x8A, 0xD2}) ? 2 : 0;
  return is({0x13, 0x20, 0x10, 0x54}) ? 1 : is({0x13, 0x20, 0x20, 0x54}) ? 2 : 0;
}

// Bytes of one instruction. The buffer has room for x86 instructions, which are the longest of all
// supported processors.
class code_of {
 public:
  explicit code_of(const qemu_plugin_insn* instruction) {
    size_ = std::min(qemu_plugin_insn_size(instruction), bytes_.size());
    if (interface_version >= copies_code) {
      size_ = std::min(size_, qemu_plugin_insn_data(instruction, bytes_.data(), size_));
      return;
    }
    using older = const void*(const qemu_plugin_insn*);
    auto* const f = reinterpret_cast<older*>(reinterpret_cast<void*>(&qemu_plugin_insn_data));
    std::memcpy(bytes_.data(), f(instruction), size_);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

 private:
  std::array<std::byte, 16> bytes_ = {};
  std::size_t size_ = 0;
};

}  // namespace record::qemu
