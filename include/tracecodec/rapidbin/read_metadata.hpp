// Reads the metadata that Wasmgrind writes beside a trace: both versions, any order of keys.
#pragma once
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../io/open.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

// The metadata in a file, which is read in pieces. Keys may stand in any order, records too;
// unknown keys are ignored, missing lists are empty, of a key that stands twice in an object the
// first counts. Trace ids go up to largest_decor.
// Throws trace_error: bad_value, with the place as field, "memory_records[3].wasm_id.address" or
// "shared_variables.7[0]" (missing, of the wrong type, negative or too large; a trace id or a
// shared variable that is there twice), and without a field if it is no JSON, is nested deeper than
// io::deepest_json or a number in it has more than 64 bits; not_a_trace if none of the five keys is
// there; unsupported if it needs more memory than the options allow, or a record is longer than
// io::largest_json_value; what the input throws.
// Memory: that of the records, at most options.memory, and 2 MiB, or 20 for a value that is nearly
// too long.
metadata read_metadata(io::input in, const metadata_options& options = {});

// The same from a text in memory; `name` is for errors.
metadata parse_metadata(std::string_view text, const std::string& name,
                        const metadata_options& options = {});

// The same from the file `path`, "-" for standard input; compressed or not.
metadata read_metadata(const std::string& path, const metadata_options& options = {});

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_metadata.ipp"
#endif
