// Where records go: into the file that OUT names, plain, compressed or packed.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include <tracecodec/io/sink.hpp>

#include "options.hpp"

namespace record {

// Records of `record_size` bytes, ChampSim's or CloudSuite's, become the bytes of a file called `path`, which go to
// `file`: as its name says.
std::unique_ptr<tracecodec::io::sink> as_named(std::unique_ptr<tracecodec::io::sink> file,
                                               const std::string& path, std::size_t record_size,
                                               const options& o);

}  // namespace record
