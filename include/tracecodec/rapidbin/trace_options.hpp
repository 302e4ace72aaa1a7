// Options for reading RapidBin traces, stored in format::open_options::own, and functions that
// evaluate them.
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

// Option with the path of the metadata file. If the path is empty, no metadata is read. Without
// this option, the metadata file beside the trace is read if it exists, such as x.json for x.data
// or x.data.xz.
struct metadata_file {
  std::string path = {};
};

// Option that sets std_options::strict for STD text.
struct strict_text {};

// Returns the metadata of the trace `name`. Returns nullopt if metadata_file has an empty path, or
// if it is not set and no metadata file is beside the trace. Throws trace_error:
// - whatever read_metadata() throws.
// - system if the path is not a file.
// - unsupported if metadata_file has a path and this build lacks simdjson.
TRACECODEC_FUNC std::optional<metadata> metadata_of(const std::string& name,
                                                    const format::open_options& o);

// Returns the metadata of the trace `in` like the function above. `in` must be at its first byte,
// and `text` is true for STD text. Calls warn() if the metadata seems to belong to another trace.
// For STD text the names are dropped, because they belong to the ids of the RapidBin file. If the
// metadata contains only names, the result is then nullopt.
TRACECODEC_FUNC std::optional<metadata> metadata_of(io::input& in, bool text,
                                                    const format::open_options& o);

// Returns the id if `text` is a bare number. Returns nullopt for other texts and for all
// locations, because they may be names.
TRACECODEC_FUNC std::optional<std::uint64_t> plain_id(id_kind kind, const std::string& text);

// Returns the selection in `o.own`, extended by the thread of `o`.
TRACECODEC_FUNC selection wanted_events(const format::open_options& o);

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::strict_text> = true;

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::metadata_file> = true;

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_options.ipp"
#endif
