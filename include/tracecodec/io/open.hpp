// Opens files for reading and writing, with or without compression. Programs include this header.
// An uncompressed file is mapped into memory as a whole if possible. Any other file is read as a
// stream of decompressed bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../config.hpp"
#include "compression/codec.hpp"
#include "input/source.hpp"
#include "options.hpp"
#include "output/sink.hpp"

namespace tracecodec::io {

// Maximum number of nested compressions of a file, in any combination. Each compression needs
// its own memory.
inline constexpr std::size_t most_compressions = 3;

struct open_options {
  // Codec of the file. If no codec is specified, all nested compressions are recognised by content.
  std::optional<codec> compression = {};
  bool map = true;  // true to map the file if possible
  xz_options xz = {};
  zstd_options zstd = {};
  zip_options zip = {};

  // Sets the maximum size in bytes of a dictionary (xz) or window (zstd). A file that needs a
  // larger dictionary or window is refused.
  void limit_memory(std::uint64_t most) { xz.memory = zstd.memory = most; }
};

class input;
class file_source;

namespace detail {

// Type-erased factory of sources, used by open_sources().
class source_factory {
 public:
  source_factory() = default;
  source_factory(const source_factory&) = delete;
  source_factory& operator=(const source_factory&) = delete;
  virtual ~source_factory() = default;
  virtual std::unique_ptr<source> make() = 0;
};
TRACECODEC_FUNC input open_from_factory(std::unique_ptr<source_factory> again, std::string name,
                                        const open_options& options);

}  // namespace detail

// Opened input, which is either mapped or a stream of decompressed bytes. open_input() opens a
// file. open_bytes() and open_source() create an input from other bytes. Movable.
class input {
 public:
  // Maximum number of bytes that peek() returns.
  static constexpr std::size_t peek_limit = std::size_t{64} << 10;

  input(input&& other) noexcept;
  input& operator=(input&& other) noexcept;
  ~input();

  // Returns the name by which the user opened the input; "<stdin>" for standard input.
  [[nodiscard]] const std::string& name() const { return name_; }
  // Returns the outermost compression.
  [[nodiscard]] codec compression() const { return compression_; }
  // Returns the options with which the input was opened. `compression` is set once the codec is
  // recognised, unless the file is compressed more than once.
  [[nodiscard]] const open_options& options() const { return options_; }

  // Returns true if bytes() returns the whole content. Always true for uncompressed bytes in
  // memory, and true for a regular, uncompressed file that the host can map.
  [[nodiscard]] bool mapped() const { return mapped_; }
  // Returns true for uncompressed bytes in memory, and false for mapped files and streams.
  [[nodiscard]] bool in_memory() const;
  // Returns the whole content of a mapped input, or an empty span for a stream. The span is valid
  // until the input is destroyed. A move of the input does not invalidate the span.
  [[nodiscard]] std::span<const std::byte> bytes() const { return whole_; }

  // Throws trace_error(system) if the file has become shorter since it was mapped. Readers call
  // check() at the end of a mapped input. For a stream, read() itself throws the error.
  void check() const;

  // Returns the next `n` bytes, at most peek_limit, without consuming them. Returns fewer bytes
  // only if the end or an error follows. check_ahead() throws the error at once, whereas read()
  // first delivers the bytes before the error. The span is valid until the next call.
  std::span<const std::byte> peek(std::size_t n);

  // If the last peek() returned too few bytes because of an error, throws that error. Call this
  // function before treating the result of peek() as the whole content.
  void check_ahead() const;

  // Reads like source::read(). For a mapped input, copies the bytes.
  std::size_t read(std::span<std::byte> out);

  // Moves forward by `n` bytes, and returns the number of bytes skipped. Stops earlier at the end,
  // or at an error, which read() then throws.
  //
  // A mapped input and a regular file skip in constant time. In an .xz file with an index, only the
  // first and the last block of the skipped part are decompressed. In a .zst file with sizes in its
  // frame headers, only the first and the last frame are decompressed. Damage between these blocks
  // or frames remains undetected. Any other input is read and discarded.
  std::uint64_t skip(std::uint64_t n);

  // Returns the last position at or before `offset` in the content from which a reader can start
  // without earlier bytes. In a compressed file, this position is the start of a block (xz) or
  // frame (zstd), because decompression must start there. Returns `offset` itself for an
  // uncompressed file, and 0 if everything before `offset` must be read.
  [[nodiscard]] std::uint64_t entry_before(std::uint64_t offset);

  // Returns the last entry at or before record number `record` in the file's index of records.
  // Returns nullopt if the file has no such index (ZSTF has one), or if the index is uncertain.
  [[nodiscard]] std::optional<record_entry> entry_of_record(std::uint64_t record);

  // Returns a note to append to a message about an offset in the content. The note states that the
  // offset counts decompressed bytes. The note is empty if the input is not compressed.
  [[nodiscard]] std::string offset_note() const;

  // Returns true if rewind() is supported. Regular files, except standard input, and uncompressed
  // bytes in memory can be rewound.
  [[nodiscard]] bool rewindable() const { return rewindable_; }
  // Moves back to the first byte, even after an error. Throws trace_error(refused) if rewindable()
  // is false.
  void rewind();

  // Returns an independent input with the same content, positioned at the first byte. If
  // open_sources() opened this input, the result cannot be rewound. Throws trace_error(refused) if
  // the input is neither rewindable() nor mapped(). Throws trace_error(system) if the file's name
  // now refers to another file. The bytes of a mapped() input must outlive the result.
  [[nodiscard]] input again() const;

  // Returns the size of the content in bytes, after decompression. For a stream, a second input
  // skips through the whole content. The second input decompresses everything, unless skip() can
  // jump over blocks or frames. If the second input detects damage, only the bytes before the
  // damage are counted. Throws trace_error like again().
  [[nodiscard]] std::uint64_t content_size() const;

  // Returns the number of bytes of the file on disk that have been read or skipped so far, before
  // decompression. Accesses to bytes() of a mapped input are not counted.
  [[nodiscard]] std::uint64_t consumed() const;

  // Returns the fraction that has been read or skipped, 0 to 1. The result is consumed() divided by
  // size(), or the progress() of a source. Returns nullopt if the fraction is unknown.
  [[nodiscard]] std::optional<double> progress() const;

  // Returns the size of the file on disk in bytes, or nullopt for a pipe, a device or a source.
  [[nodiscard]] std::optional<std::uint64_t> size() const;

  // Returns the current size in bytes of an uncompressed stream's file, which may have grown.
  // Returns nullopt for any other input. Throws trace_error(system).
  [[nodiscard]] std::optional<std::uint64_t> size_now() const;

 private:
  friend input open_input(const std::string& path, const open_options& options);
  friend input open_source(std::unique_ptr<source> from, std::string name,
                           const open_options& options);
  friend input detail::open_from_factory(std::unique_ptr<detail::source_factory> again,
                                         std::string name, const open_options& options);
  friend input open_bytes(std::span<const std::byte> bytes, std::string name,
                          const open_options& options);

  input(std::unique_ptr<file_source> file, bool rewindable, const open_options& options);
  input(std::unique_ptr<source> from, std::string name, const open_options& options);

  // Sets up a stream that reads `from`. The first call recognises the compression. If compressions
  // are nested, every call recognises them.
  void start(std::unique_ptr<source> from);
  // Replaces the stream with a mapping if the file is uncompressed and can be mapped.
  void map(const std::string& path);
  // Closes the stream and its file, and replaces the stream with `bytes`.
  void view(std::span<const std::byte> bytes);

  std::string name_;
  open_options options_;
  codec compression_ = codec::none;
  bool rewindable_;
  bool mapped_ = false;
  std::span<const std::byte> whole_;  // content of a mapped input; empty for a stream
  std::size_t position_ = 0;          // offset in whole_
  // The underlying byte source. The type is incomplete so that this header does not include the
  // headers of all sources.
  struct origin;
  std::unique_ptr<origin> from_;
};

// Opens `path`, or standard input for "-". An empty file opens without an error, and read() returns
// no bytes. If a codec is specified, read() instead reports an empty file as truncated. Throws
// trace_error(system) if the file is missing, is a directory or cannot be accessed. Throws
// trace_error(unsupported) for a compression that this build does not support, and for more than
// most_compressions nested compressions. read() throws the errors in the content.
TRACECODEC_FUNC input open_input(const std::string& path, const open_options& options = {});

// Opens bytes in memory as if they were the content of a file. The bytes must outlive the input,
// and are copied only if they are compressed. `name` appears in error messages. Only uncompressed
// bytes can be rewound. Throws trace_error(unsupported) like open_input().
TRACECODEC_FUNC input open_bytes(std::span<const std::byte> bytes, std::string name,
                                 const open_options& options = {});

// Opens a custom source as if its bytes were the content of a file. The input cannot be
// rewound.
TRACECODEC_FUNC input open_source(std::unique_ptr<source> from, std::string name,
                                  const open_options& options = {});

// Opens a custom source that can be created repeatedly. `again` is a function that returns a
// std::unique_ptr<source>. Each source must have the same bytes. open_sources() calls the function
// once, and each rewind() or again() of the input calls the function once more.
template <class Again>
input open_sources(Again again, std::string name, const open_options& options = {}) {
  class maker final : public detail::source_factory {
   public:
    explicit maker(Again f) : again_(std::move(f)) {}
    std::unique_ptr<source> make() override { return again_(); }

   private:
    Again again_;
  };
  return detail::open_from_factory(std::make_unique<maker>(std::move(again)), std::move(name),
                                   options);
}

// Opens `path` for writing, or standard output for "-". The file appears when finish() of the sink
// is called. Throws trace_error(system) under the same conditions as atomic_file. Throws
// trace_error(unsupported) for a codec that this build does not write, and trace_error(refused) for
// a level that the codec does not have.
TRACECODEC_FUNC std::unique_ptr<sink> open_output(const std::string& path,
                                                  codec compression = codec::none,
                                                  const output_options& options = {});

// Returns true if both paths refer to the same existing file, directly or through links. A program
// can call this function to avoid overwriting its input. Returns false for "-", for devices and
// pipes, and if one of the files is missing. Does not throw.
TRACECODEC_FUNC bool same_file(const std::string& a, const std::string& b);

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/open.ipp"
#endif
