// Writes zip archives with libarchive. Link with -larchive.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../options.hpp"
#include "../output/sink.hpp"

namespace tracecodec::io {

// Sink that writes a .zip file of deflated members. The sizes follow each member (data
// descriptors), and each member may exceed 4 GiB (zip64). The file contains no time, so equal input
// produces equal output. The sink below receives all bytes in order, so it may be an atomic_file or
// a pipe. Throws trace_error(refused) for a level outside 0 to 9; level 0 stores the content.
// write(), start_member() and finish() throw the errors of the sink below. After an error, the sink
// can only be destroyed.
class zip_sink final : public sink {
 public:
  explicit zip_sink(std::unique_ptr<sink> out, const output_options& options = {});
  TRACECODEC_FUNC ~zip_sink() override;

  // Ends the current member, and starts the member `name`. Names should be unique and in ASCII.
  // Throws trace_error(refused) if `name` is empty.
  void start_member(const std::string& name);
  // Ends the current member, and starts the next chunk: chunk.0000, chunk.0001 and so on. Returns
  // true.
  TRACECODEC_FUNC bool start_chunk() override;

  // Appends to the current member. If there is no member yet, starts the first chunk.
  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  // Also throws trace_error(refused) if no member was started.
  TRACECODEC_FUNC void finish() override;

 private:
  struct writer;
  std::unique_ptr<writer> writer_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zip_sink.ipp"
#endif
