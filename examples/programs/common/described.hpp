// Iteration over records with a record table (--record), restricted by the command-line options.
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
// Sets as.record to the record table stored in a tracepack of described records, so that
// --record is not needed. Does nothing if `as` already has a format or a table.
void take_own_table(const std::string& path, reading& as);

// Maximum number of damaged tracepack frames that are reported individually, one per line. For the
// remaining frames, only their number is reported.
inline constexpr std::uint64_t most_named_frames = 5;

// Callback for the damaged frames of a tracepack.
using told_of_lost = std::function<void(const tracecodec::tracepack::lost_records&)>;
// Wraps a callback so that it is called once per frame, even if the trace is opened several
// times.
told_of_lost once_each(told_of_lost lost);

// Opens the records of `path`, which the table `as.record` describes, and unpacks a tracepack.
// Throws usage_error if a thread is selected and the records have no thread id (asid). Throws
// trace_error like trace::open_described().
tracecodec::file::table_reader open_described(const std::string& path, const reading& as);

// Calls each(index, bytes) for up to `limit` records of `trace` that `part` selects. Returns the
// error that stopped the iteration early, or null. Exceptions from each() and io::interruption
// propagate.
std::exception_ptr for_each_described(
    tracecodec::file::table_reader& trace, const reading& as, pipeline part, std::uint64_t limit,
    const std::function<void(std::uint64_t, const std::byte*)>& each);

}  // namespace examples
