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
  // Callback for each damaged frame, whose records are left out. If it is not set, the error is
  // thrown instead.
  std::function<void(const lost_records&)> lost = {};
  bool statics = false;  // true if batch::statics is wanted
  // Returns the mark of a static instruction for batch::marks, from its record (with addresses
  // of 0) and its other properties. Called for all static instructions of a frame when the
  // frame begins. If `mark` is not set, batch::marks stays empty.
  marker mark = {};
  // Number of threads, including the reader's own; values above 4 are treated as 4. The other
  // threads decode frames ahead, one frame each, and the reader's thread lays out their
  // records. This requires a file that can be read again. With 0 and 1 the reader's thread does
  // everything. Output and errors do not depend on the number of threads. Memory: 20 MiB per
  // thread for frames of the usual size, and at most 320 MiB in total for any frames.
  unsigned threads = 0;
};

// Consecutive records of one frame, valid until the reader's next call.
struct batch {
  // Whole records, except at the end of a file that ends inside a record.
  std::span<const std::byte> bytes = {};
  // Numbers of the records' static instructions. Empty if reader_options::statics is false, for
  // a stored frame, or if the batch begins inside a record.
  std::span<const std::uint32_t> statics = {};
  // Marks of the records. Empty if reader_options::mark is not set, for a stored frame, or if
  // the batch begins inside a record.
  std::span<const std::uint8_t> marks = {};
};

// Reader of tracepack files. Returns every intact record before it throws trace_error. The
// constructor throws not_a_trace for files that do not begin as tracepack, and truncated for
// files that end before the first frame. It throws unsupported for a newer major version, and
// corrupt if a checksum or a consistency check fails. next() throws corrupt with the frame's
// number, its offset in the file, and its first record; it throws truncated for a file that
// ends before its index.
//
// Memory: 32 MiB for frames of the usual size. For frames at the format's limits, 112 MiB plus
// the payload of a frame; the index takes 24 bytes per frame. Time is bounded by the sizes of
// the file and of the content delivered, whatever headers claim (docs/formats/tracepack.md).
class reader {
 public:
  TRACECODEC_FUNC explicit reader(io::input in, reader_options options = {});
  TRACECODEC_FUNC reader(reader&& other) noexcept;
  TRACECODEC_FUNC reader& operator=(reader&& other) noexcept;
  TRACECODEC_FUNC ~reader();

  [[nodiscard]] const tracepack::about& about() const;
  [[nodiscard]] const std::string& name() const;
  // Returns the input from which the file is read.
  [[nodiscard]] const io::input& from() const;
  // Returns true if damaged frames are left out.
  [[nodiscard]] TRACECODEC_FUNC bool lenient() const;
  // Returns the number of threads (reader_options::threads).
  [[nodiscard]] TRACECODEC_FUNC unsigned threads() const;
  // Changes the reader_options `statics` and `mark`, from the next frame on.
  TRACECODEC_FUNC void want(bool statics, marker mark);

  // Returns the next records; an empty batch at the end.
  TRACECODEC_FUNC batch next();
  // Reads the next records into `to`, which must have room for at least 128 records. In the
  // result, batch::bytes is the front part of `to`.
  TRACECODEC_FUNC batch next(std::span<std::byte> to);
  // Fills `to` with the bytes of the next records; returns the number of bytes, 0 at the end.
  TRACECODEC_FUNC std::size_t read(std::span<std::byte> to);
  // Returns the number of bytes of content before the next record.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t position() const;
  // Skips `n` bytes of content, or fewer at the end or before a damaged frame, whose error
  // next() then throws. Returns the number of bytes skipped. If there is an index, only the
  // frame in which the skip ends is decoded.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n);
  // Returns the last offset at or before offset `content` in the decompressed records at which
  // a seek can begin: the start of a frame, by the index. Returns 0 without an index.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t content);
  // Goes back to the first record. Throws trace_error(refused) for standard input and pipes.
  TRACECODEC_FUNC void rewind();
  // Returns the size of the content in bytes, from the index or, if that is missing, from the
  // headers of frames. Throws trace_error(refused) for standard input and pipes.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t content_size();
  // Returns the number of frames, from the index or, if that is missing, from the headers of
  // frames. Throws trace_error(refused) for standard input and pipes.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t frame_count();
  // Returns true if the file has an index; nullopt for pipes.
  [[nodiscard]] TRACECODEC_FUNC std::optional<bool> has_index();
  // Returns the fraction of the file that was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const;

  // Return the number of the last batch's frame, and the number of static instructions in the
  // frame. static_record() stores the record of a static instruction in `to`, with addresses of
  // 0. Valid as long as the batch.
  [[nodiscard]] TRACECODEC_FUNC std::uint32_t frame() const;
  [[nodiscard]] TRACECODEC_FUNC std::size_t static_count() const;
  TRACECODEC_FUNC void static_record(std::size_t number, std::span<std::byte> to) const;
  // Returns the properties of a static instruction that its record does not contain.
  [[nodiscard]] TRACECODEC_FUNC property static_property(std::size_t number) const;

 private:
  class reading;
  std::unique_ptr<reading> reading_;
};

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
