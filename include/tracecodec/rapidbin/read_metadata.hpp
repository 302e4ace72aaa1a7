// Reads the metadata that Wasmgrind writes beside a trace. Both versions of the metadata format are
// supported.
#pragma once
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../io/open.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// Reads the metadata from `in` in pieces. Keys and records may be in any order. Unknown keys are
// ignored, and missing lists are empty. If an object contains a key twice, the first value is used.
// Trace ids must not exceed largest_decor.
// Throws trace_error:
// - bad_value for a value that is missing, of the wrong type, negative or too large, and for a
//   duplicate trace id, name or shared variable. The field is the path of the value, such as
//   "memory_records[3].wasm_id.address" or "shared_variables.7[0]".
// - bad_value without a field if the text is not JSON, is nested deeper than io::deepest_json, or
//   contains a number of more than 64 bits.
// - not_a_trace if the text contains none of the known keys.
// - unsupported if the metadata needs more memory than the options allow, or if a record is longer
//   than io::largest_json_value.
// - any error that the input throws.
// The records need up to options.memory bytes. Reading needs another 2 MiB, or up to 20 MiB for the
// longest values.
metadata read_metadata(io::input in, const metadata_options& options = {});

// Parses metadata from text in memory. Results and errors are the same as for read_metadata().
// `name` is the file name in error messages.
metadata parse_metadata(std::string_view text, const std::string& name,
                        const metadata_options& options = {});

// Reads the metadata from the file `path`, which may be compressed. The path "-" stands for
// standard input.
metadata read_metadata(const std::string& path, const metadata_options& options = {});

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_metadata.ipp"
#endif
