// Records that a table describes (--record), one after the other: those that the options choose.
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

// What a packed trace says of itself; nullopt of others, of names that do not end in .tpack, of standard input, and if
// it cannot be read.
std::optional<tracecodec::tracepack::about> about_of(const std::string& path, const reading& as);
// Records that a packed trace describes itself need no --record: `as` has its table then, if it
// names no format.
void take_own_table(const std::string& path, reading& as);

// So many damaged frames of a packed trace are named, one in a line; of the others the number is said.
inline constexpr std::uint64_t most_named_frames = 5;

// Is told of a packed trace's damaged frames.
using told_of_lost = std::function<void(const tracecodec::tracepack::lost_records&)>;
// The same, once for each frame, though the trace is opened several times.
told_of_lost once_each(told_of_lost lost);

// Opens the records of `path`, which `as.record` describes; of a tracepack its content. Throws usage_error for a thread if
// the records name none, and trace_error as trace::open_described().
tracecodec::file::table_reader open_described(const std::string& path, const reading& as);

// Calls each(index, bytes) for the records of `trace` that `part` leaves, `limit` at most. Returns the
// error that ended it early, if one did; what each() throws is thrown.
std::exception_ptr for_each_described(
    tracecodec::file::table_reader& trace, const reading& as, pipeline part, std::uint64_t limit,
    const std::function<void(std::uint64_t, const std::byte*)>& each);

}  // namespace examples
