// Finds a number, a text or bytes in the memory and the registers of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"

namespace tracecodec::analysis {

enum class value_order : std::uint8_t { none, little, big };  // byte order of a number

// Bytes to look for. `order` is none for text, for bytes, and for a number of one byte.
struct value_pattern {
  std::vector<std::byte> bytes = {};
  bool is_number = false;
  value_order order = value_order::none;
  // True if a number counts only as a whole value, and not as a part of a larger one.
  bool only_whole = false;
};

// Returns the patterns of a number: each width of 1, 2, 4 and 8 bytes that can hold it, in both byte
// orders. A negative number is `number` as 64 bits with `negative` set. Widths of less than 4 bytes
// are found only as whole values, because a few bytes are often equal by chance. With `width`, only
// that width is looked for, in any part of a value. Returns no patterns if `width` cannot hold the
// number.
TRACECODEC_FUNC std::vector<value_pattern> number_patterns(std::uint64_t number, bool negative,
                                                           std::optional<unsigned> width = {});

enum class value_place : std::uint8_t { read, written, register_before, register_after };

struct found_value {
  std::size_t row = 0;  // in the last batch
  value_place place = value_place::read;
  std::uint64_t address = 0;         // of the first byte; in a register, the offset
  std::uint8_t register_number = 0;  // x86::reg, or a number of the format
  std::size_t pattern = 0;           // index
  // True if the value is put together from accesses of several instructions or operands.
  bool put_together = false;
};

// Search for values. It is an analysis (run.hpp).
//
// A value is found in each instruction that reads or writes it, or that has it in a register. If the
// format stores all registers, only registers that an instruction changes are searched, and in the
// first instruction all. A value in memory is also found if its bytes come from several accesses: by
// the access that sets its last byte. Patterns that are found only as whole values must be all that
// an operand, or a register, has.
//
// A number that is found in several widths at one place is found only in the widest one.
class value_search {
 public:
  static constexpr std::size_t longest = 4096;  // maximum length of a pattern in bytes

  // Prepares a search of `trace`. Throws trace_error(refused) if the trace has neither values of
  // memory nor of registers.
  value_search(std::vector<value_pattern> patterns, const feed::column_source& trace);
  value_search(value_search&&) noexcept;
  value_search& operator=(value_search&&) noexcept;
  ~value_search();

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  void add(const feed::columns& batch);
  // Returns the values found in the last batch, in the order of the instructions.
  [[nodiscard]] std::span<const found_value> result() const noexcept { return found_; }

 private:
  struct state;
  // Value of a register at a row. `found_before` is the number of values found before the row's
  // registers.
  struct register_at {
    std::size_t row;
    std::uint8_t number;
    std::size_t offset;
    bool after;
    std::size_t found_before;
  };
  void add_memory(std::size_t row, std::uint64_t address, std::span<const std::byte> bytes,
                  bool write);
  void add_register(const register_at& r, std::span<const std::byte> bytes);

  feed::column_set columns_ = {};
  std::vector<found_value> found_ = {};
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/value_search.ipp"
#endif
