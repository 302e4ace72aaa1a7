// Reader of tracepack files. Returns the bytes of records, and the static instruction of each
// record.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../config.hpp"
#include "../io/open.hpp"
#include "about.hpp"
#include "lost_records.hpp"

namespace tracecodec::tracepack {

using marker = std::function<std::uint8_t(std::span<const std::byte>, const property&)>;

struct reader_options {
  // Callback for each damaged frame. If `lost` is set, the records of damaged frames are left out.
  // If not, the reader throws an error for a damaged frame.
  std::function<void(const lost_records&)> lost = {};
  bool statics = false;  // true to set batch::statics
  // Callback that returns a mark for a static instruction. A mark is a byte of the caller's choice.
  // The arguments are the instruction's record, with 0 for all addresses, and the instruction's
  // other properties. At the beginning of a frame, the reader calls `mark` for all static
  // instructions of the frame. batch::marks then contains the mark of each record, or is empty if
  // `mark` is not set.
  marker mark = {};
  // Number of threads, including the reader's own thread. Values above 4 are treated as 4. Each of
  // the other threads decodes a frame in advance, and the reader's thread lays out the records.
  // Decoding in advance requires a file that can be rewound. If `threads` is 0 or 1, the reader's
  // thread does all the work.
  //
  // Output and errors do not depend on the number of threads. For frames of the usual size, each
  // thread needs 20 MiB of memory. For other frames, the total is at most 320 MiB.
  unsigned threads = 0;
};

// Consecutive records of one frame. The batch is valid until the reader's next call.
struct batch {
  // Bytes of whole records. If the file's content ends inside a record, the last batch also
  // contains the incomplete record.
  std::span<const std::byte> bytes = {};
  // Numbers of the records' static instructions. The span is empty if reader_options::statics is
  // false, for a stored frame, or if the batch begins inside a record.
  std::span<const std::uint32_t> statics = {};
  // Marks of the records. The span is empty if reader_options::mark is not set, for a stored frame,
  // or if the batch begins inside a record.
  std::span<const std::uint8_t> marks = {};
};

// Reader of tracepack files. Returns every intact record before it throws trace_error. The
// constructor throws:
// - not_a_trace for files without the magic number of tracepack.
// - truncated for files that end before the first frame.
// - unsupported for a newer major version.
// - corrupt if a checksum or a consistency check fails.
//
// next() throws:
// - corrupt with the frame's number, its offset in the file, and its first record.
// - truncated for a file that ends before its index.
//
// For frames of the usual size, the reader needs 32 MiB of memory. For frames at the limits of the
// format, the reader needs 112 MiB plus the payload of a frame. The index takes 24 bytes per frame.
// The time is limited by the sizes of the file and of the returned content, even if headers declare
// other sizes (docs/formats/tracepack.md).
class reader {
 public:
  TRACECODEC_FUNC explicit reader(io::input in, reader_options options = {});
  TRACECODEC_FUNC reader(reader&& other) noexcept;
  TRACECODEC_FUNC reader& operator=(reader&& other) noexcept;
  TRACECODEC_FUNC ~reader();

  [[nodiscard]] const tracepack::about& about() const;
  [[nodiscard]] const std::string& name() const;
  // Returns the input from which the reader reads the file.
  [[nodiscard]] const io::input& from() const;
  // Returns true if damaged frames are left out.
  [[nodiscard]] TRACECODEC_FUNC bool lenient() const;
  // Returns the number of threads (reader_options::threads).
  [[nodiscard]] TRACECODEC_FUNC unsigned threads() const;
  // Changes the reader_options `statics` and `mark` for the next and all later frames.
  TRACECODEC_FUNC void want(bool statics, marker mark);

  // Returns the next records, or an empty batch at the end.
  TRACECODEC_FUNC batch next();
  // Reads the next records into `to`, which must have space for at least 128 records. The
  // batch::bytes of the result is the front part of `to`.
  TRACECODEC_FUNC batch next(std::span<std::byte> to);
  // Fills `to` with the bytes of the next records. Returns the number of bytes, or 0 at the end.
  TRACECODEC_FUNC std::size_t read(std::span<std::byte> to);
  // Returns the number of bytes of content before the next record.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t position() const;
  // Skips `n` bytes of content, or fewer at the end or before a damaged frame. If skip() stops
  // before a damaged frame, next() throws the error of the frame. Returns the number of skipped
  // bytes. If there is an index, only the frame that contains the new position is decoded.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n);
  // Returns the offset, in the decompressed records, of the last frame that begins at or before
  // offset `content`. A seek to `content` can begin at the returned offset. Returns 0 if there is
  // no index.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t content);
  // Moves back to the first record. Throws trace_error(refused) for standard input and pipes.
  TRACECODEC_FUNC void rewind();
  // Returns the size of the content in bytes, according to the index or, if the index is missing,
  // to the headers of the frames. Throws trace_error(refused) for standard input and pipes.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t content_size();
  // Returns the number of frames, according to the index or, if the index is missing, to the
  // headers of the frames. Throws trace_error(refused) for standard input and pipes.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t frame_count();
  // Returns true if the file has an index. Returns nullopt for pipes.
  [[nodiscard]] TRACECODEC_FUNC std::optional<bool> has_index();
  // Returns the fraction of the file that has been read, from 0 to 1. Returns nullopt for pipes.
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const;

  // Functions for the frame of the last batch. The results are valid as long as the batch is valid.
  // - frame() returns the number of the frame.
  // - static_count() returns the number of static instructions in the frame.
  // - static_record() stores the record of a static instruction in `to`, with 0 for all addresses.
  [[nodiscard]] TRACECODEC_FUNC std::uint32_t frame() const;
  [[nodiscard]] TRACECODEC_FUNC std::size_t static_count() const;
  TRACECODEC_FUNC void static_record(std::size_t number, std::span<std::byte> to) const;
  // Returns the properties of a static instruction that are not part of its record.
  [[nodiscard]] TRACECODEC_FUNC property static_property(std::size_t number) const;

 private:
  class reading;
  std::unique_ptr<reading> reading_;
};

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
