// Iterates over the records that a record table (--record) describes. Command-line options can
// restrict the selection of records.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/tracepack/about.hpp>
#include <tracecodec/tracepack/lost_records.hpp>

#include "pipeline.hpp"

namespace examples {

// Returns the metadata stored in a tracepack. Returns nullopt for names that do not end in
// .tpack, for standard input, for other formats, and for files that cannot be read.
std::optional<tracecodec::tracepack::about> about_of(const std::string& path, const reading& as);
// If `path` is a tracepack of described records, sets as.record to the record table stored in the
// tracepack, so --record is unnecessary. Does nothing if `as` already has a format or a table.
void take_own_table(const std::string& path, reading& as);

// Maximum number of damaged tracepack frames that are reported individually, one per line. Further
// frames are only counted.
inline constexpr std::uint64_t most_named_frames = 5;

// Callback that receives each damaged frame of a tracepack.
using on_lost_records = std::function<void(const tracecodec::tracepack::lost_records&)>;
// Returns a callback that passes each damaged frame to `lost` only once, even if the trace is
// opened several times.
on_lost_records once_each(on_lost_records lost);

// Opens the trace `path`, whose records the table `as.record` describes. A tracepack is unpacked.
// Throws usage_error if a thread is selected and the records have no thread id (asid). Throws
// trace_error like trace::open_described().
tracecodec::file::table_reader open_described(const std::string& path, const reading& as);

// Calls each(index, bytes) for the records of `trace` that `part` selects, but for at most `limit`
// records. Returns the error that stopped the iteration early, or null. Propagates exceptions from
// each(), and io::interruption.
std::exception_ptr for_each_described(
    tracecodec::file::table_reader& trace, const reading& as, pipeline part, std::uint64_t limit,
    const std::function<void(std::uint64_t, const std::byte*)>& each);

}  // namespace examples
