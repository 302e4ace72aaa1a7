// Reads tracepack: the bytes of records, and which static instruction each is of.
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
  // Called for each damaged frame, whose records are left out. Nothing: that is thrown.
  std::function<void(const lost_records&)> lost = {};
  bool statics = false;  // batch::statics is asked for
  // What batch::marks is to have for a static instruction: of its record, whose addresses are 0, and of what else is
  // known of it. Called for all of a frame when it begins. Nothing: that is not asked for.
  marker mark = {};
  // Threads, the reader's own among them; the others decode frames ahead, each its own, of a file that can be read
  // again, and the reader's lays out their records. 0 and 1: all on the reader's own. What is read, and what is thrown,
  // does not depend on it. More than 4 are taken for 4. Memory: 20 MiB for each, of frames of the usual size; of all
  // together 320 MiB at most, whatever frames ask for.
  unsigned threads = 0;
};

// Consecutive records of one frame, valid until the reader is asked for more.
struct batch {
  std::span<const std::byte> bytes =
      {};  // of whole records, but for the last of a file that ends inside one
  // The static instruction of each, if it is known; none if the first one's begin was skipped or read before.
  std::span<const std::uint32_t> statics = {};
  // The same, as marks.
  std::span<const std::uint8_t> marks = {};
};

// Delivers every record before it throws trace_error. The constructor throws not_a_trace for what does not begin as
// tracepack, truncated for one that ends before its first frame, unsupported for a newer major version, corrupt for
// what contradicts its checksum or itself. next() throws the latter with the frame's number, its offset in the file, and
// its first record; truncated for a file that ends before its index. Memory: 32 MiB for frames of the usual size; with
// frames that ask for as much as they may, 112 MiB and their payload; the index takes 24 bytes for each frame. Time is
// bounded by the bytes of the file and those that are delivered, whatever headers claim (docs/formats/tracepack.md).
class reader {
 public:
  TRACECODEC_FUNC explicit reader(io::input in, reader_options options = {});
  TRACECODEC_FUNC reader(reader&& other) noexcept;
  TRACECODEC_FUNC reader& operator=(reader&& other) noexcept;
  TRACECODEC_FUNC ~reader();

  [[nodiscard]] const tracepack::about& about() const;
  [[nodiscard]] const std::string& name() const;
  // The file.
  [[nodiscard]] const io::input& from() const;
  // Whether damaged frames are left out.
  [[nodiscard]] TRACECODEC_FUNC bool lenient() const;
  // As reader_options has it.
  [[nodiscard]] TRACECODEC_FUNC unsigned threads() const;
  // As reader_options has them, from the next frame on.
  TRACECODEC_FUNC void want(bool statics, marker mark);

  // The next records; none at the end.
  TRACECODEC_FUNC batch next();
  // The same into `to`, which has room for at least 128 records; batch::bytes is its front.
  TRACECODEC_FUNC batch next(std::span<std::byte> to);
  // The bytes of the next records, as many as there are up to the end of `to`; 0 at the end.
  TRACECODEC_FUNC std::size_t read(std::span<std::byte> to);
  // Bytes of content before what comes next.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t position() const;
  // Moves on by `n` bytes of content, or to the end, or to damage, which next() then throws; returns how many. With
  // the index only the frame that it ends in is decoded.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n);
  // The last byte of content at or before `content` that a seek can begin with: where its frame does, by the index.
  // Without an index 0.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t content);
  // Back to the first record. Throws trace_error(refused) for standard input and pipes.
  TRACECODEC_FUNC void rewind();
  // Bytes of content: from the index, or where it lacks from the frames' headers. Throws trace_error(refused) for
  // standard input and pipes.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t content_size();
  // The same of frames.
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t frame_count();
  // Whether the file has an index; nothing for pipes.
  [[nodiscard]] TRACECODEC_FUNC std::optional<bool> has_index();
  // How much of the file was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const;

  // The frame of the last batch, and its static instructions: a record of one, its addresses 0. Valid as the batch.
  [[nodiscard]] TRACECODEC_FUNC std::uint32_t frame() const;
  [[nodiscard]] TRACECODEC_FUNC std::size_t static_count() const;
  TRACECODEC_FUNC void static_record(std::size_t number, std::span<std::byte> to) const;
  // What else is known of it.
  [[nodiscard]] TRACECODEC_FUNC property static_property(std::size_t number) const;

 private:
  class reading;
  std::unique_ptr<reading> reading_;
};

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
