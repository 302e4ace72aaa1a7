// Decompresses zip archives with libarchive. Link with -larchive.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../input/source.hpp"
#include "../options.hpp"
#include "zip_members.hpp"

namespace tracecodec::io {

// Source of the content of a .zip file (APPNOTE.TXT 6.3.10), including zip64 and data descriptors.
// The members must be stored or deflated. The content is that of zip_content(): the member
// `o.member`, or all members or all chunks as one stream, or the only member.
//
// libarchive was chosen over minizip. Both decompress the chunks of the drmemtrace samples (800 MB)
// at the speed of zlib: 586 MB/s and 642 MB/s. minizip finds the members only in the directory at
// the end of a file, so it reads neither a pipe nor a truncated file. libarchive also reads members
// in sequence, and then needs only the bytes so far. The directory itself is read without a library
// (zip_members.hpp).
//
// If the file is seekable and its directory is intact, members are read in the order of
// zip_content(). Otherwise, members are read in the order of the file, which must be the order of
// their numbers, and read() throws the error in the directory after the last whole member.
//
// read() verifies the checksum of each member, and delivers every byte before an error. It throws
// trace_error, with the name of the file and the offset reached in the file:
// - trace_error(truncated) if the file ends too early
// - trace_error(corrupt) if the file is inconsistent, or if a chunk between two others is missing
// - trace_error(unsupported) for encrypted members, for other methods, and like zip_content()
//
// read() also throws the errors of the underlying source. After an error, each later read() throws
// the same error again. The source uses less than 1 MiB of memory, and the list of the members.
class zip_source final : public source {
 public:
  explicit zip_source(std::unique_ptr<source> compressed, std::string name,
                      const zip_options& o = {});
  TRACECODEC_FUNC ~zip_source() override;

  TRACECODEC_FUNC std::size_t read(std::span<std::byte> out) override;

  // Jumps to the start of the member that contains the byte `n` bytes ahead, or to the last member
  // if the content ends before that byte. Damage to the skipped members remains undetected. Does
  // not skip if the members are read in the order of the file.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  // Returns the start of the member that contains `offset`, or 0 if the start is unknown.
  TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t offset) override;

 private:
  class reader;
  std::unique_ptr<reader> reader_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zip.ipp"
#endif
