// Built-in tables that describe record formats related to ChampSim's format. Each table has a name,
// and the form that file/record_table.hpp defines.
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

// Returns the table that matches `bytes`, the beginning of a file. A table matches if the file has
// the table's header, or if the values of some fields occur only in the table's records. Returns
// nullptr if no table matches.
TRACECODEC_FUNC const known_table* recognise_table(std::span<const std::byte> bytes);

// Returns the known table called `name`. If no known table has this name, reads a table from the
// file `name`. Throws the errors of file::read_record_table().
TRACECODEC_FUNC file::record_table read_table(const std::string& name);

}  // namespace tracecodec::champsim

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/known_tables.ipp"
#endif
