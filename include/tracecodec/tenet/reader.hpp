// Reader of Tenet's traces. A line is the state on arrival at its instruction pointer, so that the
// registers and the memory that an instruction changes are on the next line.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"
#include "../feed/instruction.hpp"
#include "../file/made_records.hpp"
#include "../io/open.hpp"
#include "../io/text/lines.hpp"
#include "line.hpp"

namespace tracecodec::tenet {

// Instruction with the registers before it, and with the registers and the memory that the next line
// lists. The last instruction of a trace has no changes and no accesses.
struct instruction : feed::recorded_instruction<most_registers> {
  std::uint64_t target = 0;  // address of the next instruction after a branch, otherwise 0
  feed::branch_class branch = feed::branch_class::not_branch;  // see feed/recorded_branch.hpp
  // Name of a register that the next line lists several times, or empty. The last value counts.
  std::string_view repeated = {};
};

// Maximum number of memory accesses on a line.
inline constexpr std::size_t most_accesses = 1024;

// Reads instructions. next() throws trace_error:
// - bad_value, with the offset and the number of the line and the name of the item, for a malformed
//   item, an unknown name, a value that is too large, and a line without instruction pointer. Tenet
//   leaves out the rest of 65,535 lines after such a line.
// - truncated if the last line has no end.
class reader : public file::made_records<reader, instruction> {
  friend file::made_records<reader, instruction>;

 public:
  // Throws trace_error(not_a_trace) if the first line has no instruction pointer, and the errors of
  // next() for the first line.
  TRACECODEC_FUNC explicit reader(io::input in);

  [[nodiscard]] const tenet::dialect& dialect() const noexcept { return *dialect_; }
  [[nodiscard]] const feed::register_set& registers() const noexcept { return dialect_->registers; }
  // Returns the number of registers on the first line, without the instruction pointer.
  [[nodiscard]] std::size_t initial_registers() const noexcept { return initial_registers_; }
  // Returns the name of a register that the first line lists several times, or an empty text.
  [[nodiscard]] std::string_view initially_repeated() const noexcept { return initially_repeated_; }
  [[nodiscard]] std::optional<double> progress() const { return lines_.progress(); }
  [[nodiscard]] const std::string& name() const { return lines_.name(); }

 private:
  TRACECODEC_FUNC bool make(std::vector<instruction>& to);
  void restart() {
    lines_.seek(start_, 1);
    begin();
  }
  // Reads the first line, which is the state before the first instruction.
  TRACECODEC_FUNC void begin();
  // Reads the next line to state_ and ip_. The first line determines the dialect. Returns false at the end.
  TRACECODEC_FUNC bool read_line(bool first = false);
  TRACECODEC_FUNC void add_memory(const item& i);
  TRACECODEC_FUNC bool finish(std::vector<instruction>& to);
  // Ends last_, which the instruction at `next` follows.
  TRACECODEC_FUNC void complete(std::uint64_t next);
  [[noreturn, gnu::cold]] TRACECODEC_FUNC void refuse(const item& i, const char* message) const;

  io::lines lines_;
  std::uint64_t start_;  // offset of the first line
  const tenet::dialect* dialect_ = &amd64;
  feed::state_recorder<most_registers> state_{amd64.registers};
  std::uint64_t ip_ = 0;   // instruction pointer of the last line
  instruction last_ = {};  // instruction of the line before it
  bool is_open_ = false;   // true if last_ was not returned yet
  std::vector<std::byte> bytes_ = {};
  std::string_view repeated_ = {};  // register that the last line lists several times
  std::size_t initial_registers_ = 0;
  std::string_view initially_repeated_ = {};
};

}  // namespace tracecodec::tenet

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
