// Encodes the output file according to OUT's name: plain, compressed, or as a tracepack.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include <tracecodec/io/output/sink.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include "options.hpp"

namespace record {

// Returns true if the file name `path` selects a tracepack.
bool is_packed(const std::string& path);

// Returns a sink that writes records to `file`. The suffix of `path` selects the compression.
std::unique_ptr<tracecodec::io::sink> as_named(std::unique_ptr<tracecodec::io::sink> file,
                                               const std::string& path);

// Returns a sink that packs records into a tracepack. `record_size` is the size of a ChampSim or
// CloudSuite record in bytes. The sink also accepts the properties of the records' instructions
// (examples::write_packed). `whose` is the type of processor that executes the code.
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> file,
                                           const std::string& path, std::size_t record_size,
                                           tracecodec::tracepack::processor whose,
                                           const options& o);

}  // namespace record
