// Built-in descriptions of the records of ChampSim's relatives: named tables, in the form of
// file/record_table.hpp.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::file {
class record_table;
}

namespace tracecodec::champsim {

struct known_table {
  std::string_view name = {};  // name such as "champsim2"
  std::string_view text = {};
};

TRACECODEC_FUNC std::span<const known_table> known_tables() noexcept;

// Returns the table that matches `bytes`, the beginning of a file. A table is recognised by the
// header of its files, or by the values of fields that only its records have. Returns nullptr
// if no table matches.
TRACECODEC_FUNC const known_table* recognise_table(std::span<const std::byte> bytes);

// Returns the known table `name`, or reads the table in the file `name` if there is no such
// known table. Throws what file::read_record_table() throws.
TRACECODEC_FUNC file::record_table read_table(const std::string& name);

}  // namespace tracecodec::champsim

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/known_tables.ipp"
#endif
