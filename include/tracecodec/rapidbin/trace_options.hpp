// Options for reading RapidBin traces, and functions that evaluate the options.
// format::open_options::own stores the options.
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

// Option with the path of the metadata file. If the path is empty, metadata is not read. Without
// this option, the library reads the metadata file beside the trace, if there is one, such as
// x.json for x.data or x.data.xz.
struct metadata_file {
  std::string path = {};
};

// Option that sets std_options::strict for STD text.
struct strict_text {};

// Returns the metadata of the trace `name`. Returns nullopt if metadata_file has an empty path, or
// if metadata_file is not set and there is no metadata file beside the trace. Throws trace_error:
// - any error that read_metadata() throws.
// - system if the path in metadata_file is not a file.
// - unsupported if metadata_file has a path and this build lacks simdjson.
TRACECODEC_FUNC std::optional<metadata> metadata_of(const std::string& name,
                                                    const format::open_options& o);

// Works like the function above, for the trace `in`, which must be at its first byte. `text` is
// true for STD text. Calls o.warn() if the metadata seems to belong to another trace.
// For STD text, the names in the metadata are dropped, because they refer to the ids of the
// RapidBin file. If the metadata contains only names, the function returns nullopt.
TRACECODEC_FUNC std::optional<metadata> metadata_of(io::input& in, bool text,
                                                    const format::open_options& o);

// Returns the id if `text` is a bare number, without the letter of its kind. Returns nullopt for any
// other text. Always
// returns nullopt for locations, because a number may be the name of a location.
TRACECODEC_FUNC std::optional<std::uint64_t> plain_id(id_kind kind, const std::string& text);

// Returns the selection in `o.own`, with the thread `o.thread` added.
TRACECODEC_FUNC selection wanted_events(const format::open_options& o);

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::strict_text> = true;

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::metadata_file> = true;

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_options.ipp"
#endif
