// Instruction that is being executed: the state before it, and its effects.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tracecodec/x64dbg/writer.hpp>
#include <tracecodec/x86/accesses.hpp>
#include <tracecodec/x86/zydis.hpp>
#include <vector>

#include "../ending.hpp"
#include "machine.hpp"
#include "regdump.hpp"
#include "special.hpp"

namespace record {

template <x64dbg::target T> class step {
  using word = wire::scalar<wire::word_t<T>, wire::order::little>;

 public:
  // Captures the instruction that `thread` of `process` is about to execute. Returns false if the
  // thread has ended. After this call, narrow() returns true if the thread executes 32-bit code.
  bool prepare(pid_t process, pid_t thread) {
    process_ = process;
    if (!registers_.read(thread)) return false;
    std::array<std::byte, x64dbg::largest_opcode> code{};
    const std::size_t n = read_memory(process, registers_.general.rip, code);
    what_ = disassembler_.decode(std::span<const std::byte>(code).first(n));
    // Invalid code gets length 0. It is not recorded, because it raises a signal.
    size_ = what_.length;
    code_ = code;
    accesses_.clear();
    // List the words of a repeated instruction even if its count is 0. x64dbg also lists them.
    x86::instruction one = what_;
    one.repeated = false;
    complete_ = x86::accesses(one, registers_, [this](const x86::memory_access& a) { list(a); });
    for (x64dbg::memory_access& a : accesses_) a.old_value = load(a.address).value_or(0);
    return true;
  }
  // Writes the instruction, which was executed or at least begun. `done` is true if the effects of
  // the instruction are visible. If a signal has ended the recording and the program in the
  // meantime, writes nothing and returns false.
  bool write(std::uint32_t thread, bool done, x64dbg::writer<T>& out) {
    to_state<T>(registers_, state_);
    if (done)
      for (x64dbg::memory_access& a : accesses_) {
        const auto now = load(a.address);
        if (now && *now != a.old_value) a.new_value = *now;
      }
    if (done && ended_by != 0) return false;
    out.write(thread, state_, std::span<const std::byte>(code_).first(size_), accesses_);
    return true;
  }

  [[nodiscard]] const registers& before() const { return registers_; }
  [[nodiscard]] std::span<const std::byte> code() const {
    return std::span<const std::byte>(code_).first(size_);
  }
  [[nodiscard]] bool narrow() const { return registers_.narrow(); }
  [[nodiscard]] bool decoded() const { return size_ != 0; }
  // Returns true if the list contains all memory operands. It is incomplete for gathers and similar
  // instructions.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  // Adds the words of an operand to the list, without duplicates. If the instruction saves an area
  // as a whole, adds only the first word of the area.
  void list(const x86::memory_access& a) {
    constexpr unsigned largest_vector = 64;
    const std::size_t n = a.size > largest_vector ? 1 : (a.size + word::size - 1) / word::size;
    for (std::size_t i = 0; i < n && accesses_.size() < x64dbg::largest_accesses; ++i) {
      const auto address = static_cast<wire::word_t<T>>(a.address + i * word::size);
      bool there = false;
      for (const x64dbg::memory_access& have : accesses_) there |= have.address == address;
      if (!there) accesses_.push_back({.address = address});
    }
  }
  // Returns the word at `address`, or nullopt if the word cannot be read.
  [[nodiscard]] std::optional<std::uint64_t> load(std::uint64_t address) const {
    std::array<std::byte, word::size> bytes{};
    if (read_memory(process_, address, bytes) != bytes.size()) return std::nullopt;
    return word::load(bytes.data());
  }

  pid_t process_ = 0;
  registers registers_ = {};
  x86::zydis_disassembler disassembler_{T};
  x86::instruction what_ = {};
  std::array<std::byte, x64dbg::largest_opcode> code_ = {};
  std::size_t size_ = 0;
  bool complete_ = true;
  std::vector<x64dbg::memory_access> accesses_ = {};
  x64dbg::register_state<T> state_ = {};
};

}  // namespace record
