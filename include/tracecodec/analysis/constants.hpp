// Finds tables and initial values of known algorithms in the memory and the registers of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "known_constants.hpp"

namespace tracecodec::analysis {

struct found_constant {
  const known_constant* table = nullptr;
  bool big = false;  // true if the bytes of each entry are in the order of big-endian numbers
  // Address of the table's first entry, or nullopt if the entries are in registers.
  std::optional<std::uint64_t> address = {};
  std::uint8_t register_number = 0;  // register of the first entry
  std::uint64_t first = 0, ip = 0;   // number and address of the first instruction with an entry
  std::uint64_t times = 0;           // accesses with entries; in registers, instructions
  std::size_t entries = 0;           // number of different entries
};

// Search for the tables of known_constants(). It is an analysis (run.hpp).
//
// A table need not be read whole, nor in order: each access of an entry shows where the table would
// begin. The table is found once known_constant::least different entries agree, and no byte that is
// known from an access contradicts. Of an access, each 4 bytes from its address on can be an entry
// or half of an entry of 8 bytes, and each 8 bytes an entry. Bytes count if they are the whole
// access, or if all of the access is part of the table. Words of 4 bytes that use only
// their upper or lower 16 bits, and entries of 8 bytes below 2^32, do not count.
//
// A table of one entry is not found within another table.
//
// In registers, each 4 bytes and each 8 bytes of a value can be an entry, of tables whose entries
// have at least 4 bytes. If the format stores all registers, only registers that an instruction
// changes are searched, and in the first instruction all.
//
// Memory is bounded: tables that have not been found are among the 65,536 most frequent candidates
// (frequent.hpp), and up to `most_found` are found.
class constant_search {
 public:
  static constexpr std::size_t most_found = std::size_t{1} << 16;

  // Prepares a search of `trace`. Throws trace_error(refused) if the trace has neither values of
  // memory nor of registers.
  explicit constant_search(const feed::column_source& trace);
  constant_search(constant_search&&) noexcept;
  constant_search& operator=(constant_search&&) noexcept;
  ~constant_search();

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  void add(const feed::columns& batch);
  // Returns the tables found so far, sorted by `first`.
  [[nodiscard]] std::vector<found_constant> result() const;

 private:
  struct state;
  feed::column_set columns_ = {};
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/constants.ipp"
#endif
