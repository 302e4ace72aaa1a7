// Selects the records of one thread, for traces with records that store an address space.
#pragma once
#include <cstdint>
#include <memory>

#include "../config.hpp"
#include "../file/record_table.hpp"
#include "../io/open.hpp"

namespace tracecodec::champsim {

// Returns the table of CloudSuite's records.
TRACECODEC_FUNC file::record_table cloudsuite_table();

// Returns the records of `in` with the value `thread` in the column `asid`, in order. `table`
// describes the records. The thread is the low 32 bits of the column. The first element of an array
// is in the lowest bits. In the result, a branch is followed by the next record of the same thread.
// Bytes before the first record are left out. The result can be rewound if `in` can be rewound.
//
// Throws trace_error(refused) for a table without the column `asid`. Reading the result throws the
// trace_error of file::table_reader, with the offset and the record in `in`. Reading also throws
// trace_error(refused) if `in` has records, but none of them belongs to `thread`.
TRACECODEC_FUNC io::input keep_thread(io::input in, std::shared_ptr<const file::record_table> table,
                                      std::uint32_t thread);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/thread_records.ipp"
#endif
