// Options in format::open_options::own for RapidBin's traces, and what the readers make of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "../config.hpp"
#include "../format/open_options.hpp"
#include "../io/open.hpp"
#include "metadata.hpp"
#include "reader/selection.hpp"

namespace tracecodec::rapidbin {

// The file of the metadata; an empty path: none. Without this option the file beside the trace is read, if it exists:
// x.json beside x.data or x.data.xz.
struct metadata_file {
  std::string path = {};
};

// Read STD text as with std_options::strict.
struct strict_text {};

// Returns the metadata of the trace `name`. Throws trace_error: as read_metadata(); system if the path leads to something
// other than a file; unsupported if the option names a file and this build lacks simdjson.
TRACECODEC_FUNC std::optional<metadata> metadata_of(const std::string& name,
                                                    const format::open_options& o);

// Returns the metadata of the trace `in`, which is at its first byte, and is STD `text` or not. Calls warn() if they seem
// to belong to another trace. For text leaves out the names, which belong to the ids of the RapidBin file beside it.
TRACECODEC_FUNC std::optional<metadata> metadata_of(io::input& in, bool text,
                                                    const format::open_options& o);

// Returns the id that `text` is, a number alone. Returns nullopt for what may be a name, as T2 and every location may.
TRACECODEC_FUNC std::optional<std::uint64_t> plain_id(id_kind kind, const std::string& text);

// Returns the events that `o` selects: by a selection, and by `thread`.
TRACECODEC_FUNC selection wanted_events(const format::open_options& o);

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::strict_text> = true;

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::metadata_file> = true;

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_options.ipp"
#endif
