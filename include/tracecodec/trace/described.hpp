// Reads records that a table describes (file/record_table.hpp), with all their fields. The
// records need not be convertible to instructions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"
#include "../file/record_table.hpp"
#include "../file/table_reader.hpp"
#include "../format/open_options.hpp"

namespace tracecodec::trace {

// Returns the names of the tables that the library contains.
TRACECODEC_FUNC std::vector<std::string_view> known_tables();
// Reads the built-in table `name`, or the file `name` if there is no such table. Throws like
// file::read_record_table().
TRACECODEC_FUNC file::record_table read_table(const std::string& name);

// Opens the records that the table `o.record` describes. `o.record` must not be null. If the file
// is a tracepack, opens the records in the tracepack. If `o.thread` is set, selects only the
// records of that thread. Throws trace_error like io::open_input() and tracepack::reader. Throws
// trace_error(refused) if a thread is selected but the table has no column `asid`, or if `o.repair`
// is set but the file is not a tracepack.
TRACECODEC_FUNC file::table_reader open_described(const std::string& path,
                                                  const format::open_options& o);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/described.ipp"
#endif
