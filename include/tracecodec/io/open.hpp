// Opens files for reading and writing, whatever their compression. Programs include this
// header. A file is mapped as a whole if possible. Otherwise it is read as a stream of
// decompressed bytes.
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
  // Codec of the file. If it is empty, all nested compressions are recognised by content.
  std::optional<codec> compression = {};
  bool map = true;  // false: the input is always a stream
  xz_options xz = {};
  zstd_options zstd = {};

  // Sets the maximum size in bytes of a dictionary (xz) or window (zstd). A file that needs
  // more is refused.
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

// Opened file: mapped, or a stream of decompressed bytes. open_input() opens a file;
// open_bytes() and open_source() make an input of other bytes. Movable.
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

  // True if bytes() is the whole content: a regular, uncompressed file that the host can map,
  // or uncompressed bytes in memory.
  [[nodiscard]] bool mapped() const { return mapped_; }
  // True for uncompressed bytes in memory, false for mapped files and streams.
  [[nodiscard]] bool in_memory() const;
  // Returns the whole content of a mapped input, or an empty span for a stream. The span is
  // valid until the input, or the input that it was moved to, is destroyed.
  [[nodiscard]] std::span<const std::byte> bytes() const { return whole_; }

  // Throws trace_error(system) if the file has become shorter since it was mapped. Readers call
  // check() at the end of a mapped input. For a stream, read() itself throws the error.
  void check() const;

  // Returns the next `n` bytes, at most peek_limit, without consuming them. Returns fewer only
  // before the end or an error. check_ahead() throws the error at once, whereas read() first
  // delivers the bytes before the error. The span is valid until the next call.
  std::span<const std::byte> peek(std::size_t n);

  // Throws the error that made the last peek() short, if there was one. Call this function
  // before treating the bytes of peek() as the whole content.
  void check_ahead() const;

  // Reads like source::read(), and copies the bytes of a mapped input.
  std::size_t read(std::span<std::byte> out);

  // Moves forward by `n` bytes, or to the end or an error, which read() then throws; returns
  // the number of bytes skipped. A mapped input and a regular file skip in constant time. In an
  // .xz file with an index, only the first and the last block of the skipped part are
  // decompressed. In a .zst file with sizes in its frame headers, only the first and the last
  // frame are decompressed. Damage between these blocks or frames stays undetected. Any other
  // input is read and discarded.
  std::uint64_t skip(std::uint64_t n);

  // Returns the last position at or before `offset` in the content where reading can start
  // without earlier bytes. In a compressed file, this is the start of a block (xz) or frame
  // (zstd), because a seek back must decompress it. Returns `offset` itself in an uncompressed
  // file, and 0 if everything before `offset` must be read.
  [[nodiscard]] std::uint64_t entry_before(std::uint64_t offset);

  // Returns a note to append to a message about an offset in the content. The note states that
  // the offset counts decompressed bytes; it is empty if the input is not compressed.
  [[nodiscard]] std::string offset_note() const;

  // True if rewind() works: for regular files except standard input, and for bytes in memory.
  [[nodiscard]] bool rewindable() const { return rewindable_; }
  // Moves back to the first byte, even after an error. Throws trace_error(refused) if not
  // rewindable().
  void rewind();

  // Returns an independent input with the same content, at the first byte. If this input was
  // opened by open_sources(), the result cannot be rewound. Throws trace_error(refused) if the
  // input is neither rewindable() nor mapped(). Throws trace_error(system) if the file's name
  // now belongs to another file. The bytes of a mapped() input must outlive the result.
  [[nodiscard]] input again() const;

  // Returns the size of the content in bytes, after decompression. For a stream, a second input
  // skips through the whole content. This decompresses everything, unless skip() can jump over
  // blocks or frames. If the second input detects damage, only the bytes before the damage are
  // counted. Throws trace_error like again().
  [[nodiscard]] std::uint64_t content_size() const;

  // Returns the number of bytes of the file on disk that were read or skipped so far, counted
  // before decompression. Accesses to bytes() of a mapped input are not counted.
  [[nodiscard]] std::uint64_t consumed() const;

  // Returns the fraction that was read or skipped, 0 to 1: consumed() divided by size(), or the
  // progress() of a source. Returns nullopt if the fraction is unknown.
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

  // Sets up a stream that reads `from`. Recognises the compression in the first call, and in
  // every call if compressions are nested.
  void start(std::unique_ptr<source> from);
  // Replaces the stream with a mapping if the file is uncompressed and can be mapped.
  void map(const std::string& path);
  // Replaces the stream with `bytes`; the stream and its file are closed.
  void view(std::span<const std::byte> bytes);

  std::string name_;
  open_options options_;
  codec compression_ = codec::none;
  bool rewindable_;
  bool mapped_ = false;
  std::span<const std::byte> whole_;  // content of a mapped input; empty for a stream
  std::size_t position_ = 0;          // offset in whole_
  // The underlying byte source. Incomplete here so that this header stays light.
  struct origin;
  std::unique_ptr<origin> from_;
};

// Opens `path`, or standard input for "-". An empty file opens without an error and has no
// bytes. If a codec is specified, read() reports an empty file as truncated. Throws
// trace_error(system) if the file is missing, is a directory or is not permitted. Throws
// trace_error(unsupported) for a compression that this build does not support, and for more
// than most_compressions nested compressions. read() throws errors in the content.
TRACECODEC_FUNC input open_input(const std::string& path, const open_options& options = {});

// Opens bytes in memory as if they were the content of a file. The bytes must outlive the
// input, and are copied only if they are compressed. `name` is used in errors. Only
// uncompressed bytes can be rewound. Throws trace_error(unsupported) like open_input().
TRACECODEC_FUNC input open_bytes(std::span<const std::byte> bytes, std::string name,
                                 const open_options& options = {});

// Opens a custom source as if its bytes were the content of a file. The input cannot be
// rewound.
TRACECODEC_FUNC input open_source(std::unique_ptr<source> from, std::string name,
                                  const open_options& options = {});

// Opens a custom source that can be created repeatedly. `again` is a function that returns a
// std::unique_ptr<source>, each time with equal bytes. It is called once here, and once for
// each rewind() or again() of the input.
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

// Opens `path` for writing, or standard output for "-". The file appears when finish() of the
// sink is called. Throws trace_error(system) like atomic_file. Throws trace_error(unsupported)
// for a codec that this build does not write, and trace_error(refused) for a level that the
// codec does not have.
TRACECODEC_FUNC std::unique_ptr<sink> open_output(const std::string& path,
                                                  codec compression = codec::none,
                                                  const output_options& options = {});

// True if both paths lead to the same existing file, directly or by links; a program uses it to
// refuse to overwrite its input. False for "-", for devices and pipes, and if one of the files
// is missing. Does not throw.
TRACECODEC_FUNC bool same_file(const std::string& a, const std::string& b);

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/open.ipp"
#endif
