// Reader of the instructions of Tarmac text, with their registers and memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../arm/decode.hpp"
#include "../feed/composed.hpp"
#include "../feed/recorded_state.hpp"
#include "../file/made_records.hpp"
#include "../io/open.hpp"
#include "../x86/any_disassembler.hpp"
#include "line.hpp"

namespace tracecodec::tarmac {

// Instruction with the lines up to the next instruction. Lines before the first instruction belong to
// this instruction. Registers have the numbers of arm/registers.hpp or x86/registers.hpp.
class instruction : public feed::recorded_instruction<arm::word_count> {
 public:
  bool taken = false;
  feed::branch_class branch = feed::branch_class::not_branch;
  std::uint64_t target = 0;
  feed::register_operands operands = {};

  [[nodiscard]] std::span<const line> lines() const noexcept {
    return std::span(from_->lines).subspan(static_cast<std::size_t>(first_ - *dropped_), count_);
  }
  // Returns the line of the instruction. `before()` lines precede it.
  [[nodiscard]] const line& own() const noexcept { return lines()[before_]; }
  [[nodiscard]] std::size_t lines_before() const noexcept { return before_; }
  [[nodiscard]] std::uint32_t source() const noexcept { return own().source; }
  [[nodiscard]] std::string_view text(const io::kept_piece& p) const noexcept {
    return from_->text.text(p);
  }
  // Returns the bytes of the code or of a known value.
  [[nodiscard]] std::span<const std::byte> bytes(const line& l) const noexcept {
    return l.known ? from_->text.bytes(l.bytes) : std::span<const std::byte>();
  }
  // Returns no bytes for an opcode that the trace does not contain.
  [[nodiscard]] std::span<const std::byte> code() const noexcept { return bytes(own()); }
  [[nodiscard]] feed::register_numbers written_registers() const noexcept {
    return operands.written();
  }
  [[nodiscard]] feed::register_numbers read_registers() const noexcept { return operands.read(); }

 private:
  friend class trace_reader;
  const content* from_ = nullptr;
  const std::uint64_t* dropped_ = nullptr;  // number of lines that were removed from `from_`
  std::uint64_t first_ = 0;
  std::size_t count_ = 0, before_ = 0;
  std::uint64_t direct_ = 0;  // target that the code determines, or 0
  bool awaits_ = false;       // true if the processor's next instruction decides the outcome
};

// Returns the instruction set of the first instruction, or none if it is not near the beginning.
TRACECODEC_FUNC state first_state(io::input& in);

class trace_reader : public file::made_records<trace_reader, instruction> {
  friend file::made_records<trace_reader, instruction>;

 public:
  // Limits of an instruction: number of lines, and size of their texts in bytes. Batches end early after
  // so many lines.
  static constexpr std::size_t most_lines = 65536, most_text = std::size_t{16} << 20;
  static constexpr std::size_t most_processors = 4096;
  // Maximum number of instructions of other processors between a branch and the instruction that
  // decides its outcome. If there are more, the line of the branch decides.
  static constexpr std::size_t reach = 4096;

  // next() returns the instructions before an error, and then throws trace_error:
  // - bad_value, with the offset, the number and the field of the line, for a malformed line
  // - truncated if the text does not end with a line feed
  // - unsupported for more than most_lines, most_text or most_processors
  explicit trace_reader(io::input in) : trace_reader(first_state(in), std::move(in)) {}

  [[nodiscard]] const feed::register_set& registers() const noexcept { return *set_; }
  [[nodiscard]] std::optional<double> progress() const { return lines_.progress(); }
  [[nodiscard]] const std::string& name() const { return lines_.name(); }

 private:
  struct processor {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    feed::register_state<arm::word_count> registers = {};  // while another processor runs
    tarmac::state set = {};    // instruction set of the last or, before that, the first one
    unsigned conditional = 0;  // number of instructions that the last T32 instruction IT governs
    std::uint64_t awaiting = none;  // number of the last branch if its outcome is not decided
  };
  // Lines that were read, and the state at their end.
  struct progress_state {
    content text = {};
    std::uint64_t dropped = 0, first = 0;  // numbers of lines; that of the current instruction
    std::size_t before = 0;                // number of lines before the first instruction
    bool open = false;                     // true after the first instruction
    std::uint64_t made = 0;                // number of instructions that were completed
    std::vector<instruction> held = {};    // those from the first one on that awaits its outcome
    std::unordered_map<std::uint32_t, processor> processors = {};
    std::uint32_t source = 0;
    processor* own = nullptr;  // the processor with the number `source`
    [[nodiscard]] std::uint64_t end() const noexcept { return dropped + text.lines.size(); }
    // Returns true if the lines from number `from` on exceed a limit of an instruction.
    [[nodiscard]] bool is_full(std::uint64_t from) const noexcept {
      if (from == end()) return false;
      const line& one = text.lines[static_cast<std::size_t>(from - dropped)];
      return end() - from > most_lines || text.text.end() - one.start > most_text;
    }
  };

  TRACECODEC_FUNC trace_reader(state first, io::input&& in);
  TRACECODEC_FUNC bool make(std::vector<instruction>& to);
  // Reads a line. Returns false at the end of the text.
  TRACECODEC_FUNC bool read_line();
  TRACECODEC_FUNC void take(std::vector<instruction>& to, const line& l);
  TRACECODEC_FUNC void set_register(const line& l);
  // Ends the current instruction, if there is one. `follows` is true if the last line is that of the
  // next instruction.
  TRACECODEC_FUNC void complete(std::vector<instruction>& to, bool follows);
  TRACECODEC_FUNC void decode(instruction& i);
  // Decides the outcome of the processor's last branch, which the instruction at `next` follows.
  TRACECODEC_FUNC void decide(std::vector<instruction>& to, std::uint64_t next);
  TRACECODEC_FUNC void begin();
  void restart() {
    lines_.seek(0, 1);
    begin();
  }

  io::lines lines_;
  tarmac::state first_;  // instruction set of the first instruction
  line_parser parser_ = {};
  std::unique_ptr<progress_state> now_ = std::make_unique<progress_state>();  // records point to it
  const feed::register_set* set_;
  feed::state_recorder<arm::word_count> recorder_;
  std::optional<x86::any_disassembler> disassembler_ = {};
};

// Returns true if `text` begins with lines of Tarmac text, of which one is an instruction or a register
// with a time. A later line can be malformed, so that the reader names it.
TRACECODEC_FUNC bool begins_like_a_trace(std::string_view text);

}  // namespace tracecodec::tarmac

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
