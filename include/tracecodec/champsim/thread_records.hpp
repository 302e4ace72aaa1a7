// The records of one thread, of traces whose records name the address space that each belongs to.
#pragma once
#include <cstdint>
#include <memory>

#include "../config.hpp"
#include "../file/record_table.hpp"
#include "../io/open.hpp"

namespace tracecodec::champsim {

// The table of CloudSuite's records.
TRACECODEC_FUNC file::record_table cloudsuite_table();

// Returns those records of `in`, which `table` describes, whose column `asid` is `thread` (its low 32 bits; of an
// array the first element is the low one), in their order: after a branch comes what the thread itself does next.
// What the file has before its records is left out. The result can be rewound if `in` can.
// Throws trace_error(refused) for a table without the column. Reading the result throws trace_error: as
// file::table_reader, with offset and record of `in`; refused if `in` has records, but none of this thread.
TRACECODEC_FUNC io::input keep_thread(io::input in, std::shared_ptr<const file::record_table> table,
                                      std::uint32_t thread);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/thread_records.ipp"
#endif
