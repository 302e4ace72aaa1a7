// Parser of lines of Tarmac text, in the styles of Fast Models (IT), of processors (ES) and of gem5.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../config.hpp"
#include "../io/text/kept_text.hpp"
#include "../io/text/lines.hpp"

namespace tracecodec::tarmac {

// Units of time stamps.
inline constexpr std::array<std::string_view, 7> units{"clk", "cs", "cyc", "ns", "ps", "tic", "us"};

// Instruction sets. Those of x86 are not in the traces of Arm's tools.
enum class state : char { none, a32 = 'A', t32 = 'T', a64 = 'O', x64 = 'X', x86 = 'Y' };
constexpr bool is_x86(state s) noexcept { return s == state::x64 || s == state::x86; }

enum class line_kind : std::uint8_t { blank, instruction, reg, read, write, event };
constexpr std::string_view name(line_kind k) noexcept {
  constexpr std::array<std::string_view, 6> names{"blank", "instruction", "register",
                                                  "read",  "write",       "event"};
  return names[static_cast<std::size_t>(k)];
}

// Line, or a part of it: the bytes of a register or of memory that are adjacent and known.
struct line {
  line_kind kind = line_kind::blank;
  std::uint8_t unit = 0;    // index in `units`
  bool has_source = false;  // true if the line names a processor
  bool executed = true;     // false if the condition of the instruction was not met
  bool known = true;        // false for bytes with unknown values
  bool whole = true;        // false for a part of a register
  tarmac::state state = {};
  std::uint16_t offset = 0;  // of the part of a register
  std::uint32_t source = 0;  // number of the processor
  std::uint64_t time = 0;
  std::uint64_t address = 0;  // of the instruction or of memory
  std::uint64_t start = 0;    // place of the first text of the line
  std::uint64_t number = 0;   // of the instruction in the trace, or 0 if the line has none
  // Disassembly, name of a register, or text of an event; mode of an instruction; physical address and
  // attributes of memory.
  io::kept_piece text = {}, mode = {}, note = {};
  io::kept_piece bytes = {};  // code or value, in the order of the addresses, or little-endian
};

struct content {
  std::vector<line> lines = {};
  io::kept_text text = {};
};

// Parser with the state that lines leave out: the time, and the address of a diagram that goes on.
class line_parser {
 public:
  // Adds the parts of a line to `to`, and returns their kind. An instruction is one part. Throws
  // trace_error(bad_value) for a malformed line of `from`, which is null for a line of another text.
  TRACECODEC_FUNC line_kind parse(std::string_view text, content& to, const io::lines* from);

 private:
  struct words;

  line last_ = {};          // time and unit of the previous line
  std::size_t column_ = 0;  // column of the address in a diagram, or 0
  line_kind diagram_ = {};
};

}  // namespace tracecodec::tarmac

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/line.ipp"
#endif
