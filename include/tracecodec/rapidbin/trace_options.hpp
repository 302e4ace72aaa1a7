// Options of a trace of any format that only RapidBin's traces have (format::open_options::own), and what comes of them.
#pragma once
#include <optional>
#include <string>

#include "../config.hpp"
#include "../format/open_options.hpp"
#include "../io/open.hpp"
#include "metadata.hpp"
#include "reader/selection.hpp"

namespace tracecodec::rapidbin {

// The file of the metadata. Without this option the one beside the trace is taken, if it exists: x.json of x.data or
// x.data.xz. An empty path: none.
struct metadata_file {
  std::string path = {};
};

// STD text is read as std_options::strict says.
struct strict_text {};

// Returns the metadata of the trace `name`. Throws trace_error: as read_metadata(); system if what is there, or is
// demanded, is no file; unsupported if this build reads none and it is demanded.
TRACECODEC_FUNC std::optional<metadata> metadata_of(const std::string& name,
                                                    const format::open_options& o);

// Returns the same of the trace `in`, which is at its first byte, and is STD `text` or not; warns if they
// seem to be another trace's. Of text without names: those are its own, and the metadata's are of the ids in a RapidBin
// file that lies there, too.
TRACECODEC_FUNC std::optional<metadata> metadata_of(io::input& in, bool text,
                                                    const format::open_options& o);

// Returns the events that `o` chooses: by a selection, and by `thread`.
TRACECODEC_FUNC selection wanted_events(const format::open_options& o);

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::strict_text> = true;

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::metadata_file> = true;

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_options.ipp"
#endif
