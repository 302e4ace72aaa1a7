// Where records go: into the file that OUT names, plain, compressed or packed.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include <tracecodec/io/output/sink.hpp>
#include <tracecodec/tracepack/layout.hpp>

#include "options.hpp"

namespace record {

// Whether a file called `path` is tracepack.
bool is_packed(const std::string& path);

// The bytes of records become those of another file called `path`, which go to `file`: as its name says.
std::unique_ptr<tracecodec::io::sink> as_named(std::unique_ptr<tracecodec::io::sink> file,
                                               const std::string& path);

// Records of `record_size` bytes, ChampSim's or CloudSuite's, become a tracepack, with what is known of their
// instructions (examples::write_packed); their code is for `whose`.
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> file,
                                           const std::string& path, std::size_t record_size,
                                           tracecodec::tracepack::processor whose,
                                           const options& o);

}  // namespace record
