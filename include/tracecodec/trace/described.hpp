// Records that a table describes (file/record_table.hpp), with all their fields: they need not make an instruction.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"
#include "../file/record_table.hpp"
#include "../file/table_reader.hpp"
#include "../format/open_options.hpp"

namespace tracecodec::trace {

// Returns the names of the tables that the library knows.
TRACECODEC_FUNC std::vector<std::string_view> known_tables();
// Reads the known table `name`, or else the one in the file of that name. Throws as file::read_record_table().
TRACECODEC_FUNC file::record_table read_table(const std::string& name);

// Opens the records that `o.record` describes, which must not be null; of a tracepack its content. Keeps those of
// `o.thread`. Throws trace_error: as io::open_input() and tracepack::reader; refused for a thread if the table has no
// column `asid`, and for `repair` unless the file is a tracepack.
TRACECODEC_FUNC file::table_reader open_described(const std::string& path,
                                                  const format::open_options& o);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/described.ipp"
#endif
