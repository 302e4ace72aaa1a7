// Decompresses and compresses ZSTF files, in which RISC-V traces are stored: zstd frames with an
// index of records. Link with -lzstd.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../options.hpp"
#include "../output/sink.hpp"
#include "decompressor.hpp"
#include "zstd_block.hpp"

namespace tracecodec::io {

// Number of records in a chunk of the files that stf_lib writes. Records of traces are instructions.
inline constexpr std::uint64_t usual_zstf_chunk = 100000;

// Decompressing source for .zstf files. All integers are little-endian:
//
//   4   "ZSTF"
//   8   number of records in each chunk but the last one
//   8   offset of the index
//   ... chunks, one zstd frame each
//   8   number of chunks
//   for each chunk:
//     8  offset of the chunk in the file
//     8  address of the instruction with which the chunk begins; 0 for the first chunk
//     8  size of the content
//
// In a seekable file, skip() jumps to the start of a chunk, and entry_of_record() returns the chunk
// of a record. Both use the index only if it fits the file. read() compares the offsets and sizes in
// the index with the chunks that it has decompressed, and throws trace_error(corrupt) after the last
// chunk if they differ. For other errors, see zstd_source. The source stores 16 bytes for each
// chunk that it decompresses, and 32 bytes for each chunk in the index that it uses.
class zstf_source final : public decompressor {
 public:
  explicit zstf_source(std::unique_ptr<source> compressed, std::string name,
                       const zstd_options& options = {});
};

// Sink that writes a ZSTF file. A chunk ends with every `records`th call of end_record(). A chunk is
// compressed as a whole, so the sink needs memory for its content and for the compressed frame.
// Throws the errors of the sink below, and trace_error(refused) for a level outside 1 to 22.
class zstf_sink final : public sink {
 public:
  // `records` is the number of records in each chunk, which must not be 0. If `out` cannot be
  // patched, a temporary file stores the output until finish().
  TRACECODEC_FUNC explicit zstf_sink(std::unique_ptr<sink> out,
                                     std::uint64_t records = usual_zstf_chunk,
                                     const output_options& options = {});

  void end_record(std::uint64_t offset, std::uint64_t state) override {
    if (++in_chunk_ == records_) end_chunk(offset, state);
  }

  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  TRACECODEC_FUNC void finish() override;

 private:
  struct chunk {
    std::uint64_t at = 0, state = 0, size = 0;
  };
  struct end {
    std::uint64_t offset = 0, state = 0;
  };
  void finish_chunk(std::uint64_t state);
  void pack();
  TRACECODEC_FUNC void end_chunk(std::uint64_t offset, std::uint64_t state);
  static std::array<std::byte, 8> bytes_of(std::uint64_t value);
  void put(std::uint64_t value);

  std::unique_ptr<sink> out_;
  zstd_packer packer_;
  std::uint64_t records_, in_chunk_ = 0;
  std::deque<end> ends_ = {};  // ends of chunks that were not reached yet
  std::vector<std::byte> content_ = {}, packed_ = {};
  std::uint64_t written_ = 0;  // bytes of content
  std::uint64_t at_ = 0;       // bytes of the file
  std::uint64_t state_ = 0;    // state of the current chunk
  std::vector<chunk> chunks_ = {};
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zstf.ipp"
#endif
