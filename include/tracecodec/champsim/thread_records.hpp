// Selects the records of one thread, in traces whose records store an address space.
#pragma once
#include <cstdint>
#include <memory>

#include "../config.hpp"
#include "../file/record_table.hpp"
#include "../io/open.hpp"

namespace tracecodec::champsim {

// Returns the table of CloudSuite's records.
TRACECODEC_FUNC file::record_table cloudsuite_table();

// Returns the records of `in`, described by `table`, whose column `asid` is `thread`, in their
// order. The thread is the column's low 32 bits; the first element of an array is the lowest.
// A branch is thus followed by the thread's own next record. Bytes before the first record are
// left out. The result can be rewound if `in` can.
// Throws trace_error(refused) for a table without the column. Reading the result throws the
// trace_error of file::table_reader, with offset and record of `in`. It throws refused if `in`
// has records, but none of this thread.
TRACECODEC_FUNC io::input keep_thread(io::input in, std::shared_ptr<const file::record_table> table,
                                      std::uint32_t thread);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/thread_records.ipp"
#endif
