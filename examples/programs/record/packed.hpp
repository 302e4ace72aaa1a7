// Encoding of the output file according to OUT's name: plain, compressed or tracepack.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include <tracecodec/io/output/sink.hpp>
#include <tracecodec/tracepack/layout.hpp>

#include "options.hpp"

namespace record {

// Returns true if a file named `path` is a tracepack.
bool is_packed(const std::string& path);

// Returns a sink that writes records to `file`, compressed as the suffix of `path` requires.
std::unique_ptr<tracecodec::io::sink> as_named(std::unique_ptr<tracecodec::io::sink> file,
                                               const std::string& path);

// Returns a sink that packs records of `record_size` bytes, the size of ChampSim or CloudSuite
// records, into a tracepack. The sink also takes the properties of the records' instructions
// (examples::write_packed). `whose` is the processor type of the code.
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> file,
                                           const std::string& path, std::size_t record_size,
                                           tracecodec::tracepack::processor whose,
                                           const options& o);

}  // namespace record
