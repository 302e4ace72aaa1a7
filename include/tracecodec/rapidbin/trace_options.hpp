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

// Option with the path of the metadata file. An empty path means no metadata. Without this
// option the file beside the trace is read if it exists: x.json beside x.data or x.data.xz.
struct metadata_file {
  std::string path = {};
};

// Option that reads STD text with std_options::strict.
struct strict_text {};

// Returns the metadata of the trace `name`, or nullopt if there is none. Throws trace_error:
// - whatever read_metadata() throws.
// - system if the path is not that of a file.
// - unsupported if the option names a file and this build lacks simdjson.
TRACECODEC_FUNC std::optional<metadata> metadata_of(const std::string& name,
                                                    const format::open_options& o);

// Returns the metadata of the trace `in`, or nullopt if there is none. `in` must be at its
// first byte, and `text` is true for STD text. Calls warn() if the metadata seems to belong to
// another trace. For STD text the names are dropped, because they belong to the ids of the
// RapidBin file beside it.
TRACECODEC_FUNC std::optional<metadata> metadata_of(io::input& in, bool text,
                                                    const format::open_options& o);

// Returns the id if `text` is a bare number. Returns nullopt for anything that may be a name,
// such as T2 or any location.
TRACECODEC_FUNC std::optional<std::uint64_t> plain_id(id_kind kind, const std::string& text);

// Returns the selection that `o` contains, including its `thread`.
TRACECODEC_FUNC selection wanted_events(const format::open_options& o);

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::strict_text> = true;

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::metadata_file> = true;

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_options.ipp"
#endif
