// Opens files for reading and writing, whatever their compression: the header that programs
// include. A whole file is mapped where that is possible, and otherwise a stream of decompressed
// bytes.
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

// How many times over a file may be compressed, each time in any way. Each takes memory of its own.
inline constexpr std::size_t most_compressions = 3;

struct open_options {
  // Nothing: recognised by content, and so is what it is compressed with inside.
  std::optional<codec> compression = {};
  bool map = true;  // false: always a stream
  xz_options xz = {};
  zstd_options zstd = {};

  // For xz and zstd alike: a file with a larger dictionary or window, in bytes, is refused.
  void limit_memory(std::uint64_t most) { xz.memory = zstd.memory = most; }
};

class input;
class file_source;

namespace detail {

// Of open_sources().
class source_maker {
 public:
  source_maker() = default;
  source_maker(const source_maker&) = delete;
  source_maker& operator=(const source_maker&) = delete;
  virtual ~source_maker() = default;
  virtual std::unique_ptr<source> make() = 0;
};
TRACECODEC_FUNC input open_made(std::unique_ptr<source_maker> again, std::string name,
                                const open_options& options);

}  // namespace detail

// An opened file: mapped, or a stream of decompressed bytes. Made by open_input(); open_bytes() and
// open_source() make one of something else. Movable.
class input {
 public:
  // peek() gives no more than this, in bytes.
  static constexpr std::size_t peek_limit = std::size_t{64} << 10;

  input(input&& other) noexcept;
  input& operator=(input&& other) noexcept;
  ~input();

  // As the user gave it; "<stdin>" for standard input.
  [[nodiscard]] const std::string& name() const { return name_; }
  // The outermost compression.
  [[nodiscard]] codec compression() const { return compression_; }
  // As it was opened. A compression that was recognised is in it, unless there are several.
  [[nodiscard]] const open_options& options() const { return options_; }

  // Whether bytes() is the whole content: a regular, uncompressed file that the host can map, or
  // uncompressed bytes in memory.
  [[nodiscard]] bool mapped() const { return mapped_; }
  // The latter.
  [[nodiscard]] bool in_memory() const;
  // The whole content of a mapped input, valid as long as the input or what it is moved to; empty
  // for a stream.
  [[nodiscard]] std::span<const std::byte> bytes() const { return whole_; }

  // Throws trace_error(system) if the file has become shorter since it was mapped: what readers do
  // when they come to its end. A stream's read() throws it.
  void check() const;

  // The next `n` bytes, at most peek_limit, without consuming them; fewer before the end or an
  // error, which read() throws in its turn, and check_ahead() at once. The span is valid until the
  // next call.
  std::span<const std::byte> peek(std::size_t n);

  // Throws the error that made the last peek() short, if one did: for who would take what it gave for
  // all there is.
  void check_ahead() const;

  // As source::read(); from a mapped input the bytes are copied.
  std::size_t read(std::span<std::byte> out);

  // Moves `n` bytes on, or to the end or an error, which read() then throws; returns how many. At
  // once in a mapped input and a regular file; of a compressed one only the blocks (xz) or frames
  // (zstd) at both ends are decompressed, if its index tells where they are, and damage between
  // them stays unseen. Anything else is read.
  std::uint64_t skip(std::uint64_t n);

  // The last place at or before byte `offset` of the content from which it can be read without what is before: where
  // the blocks (xz) or frames (zstd) of a compressed file begin, of which a seek back decompresses one. `offset` itself
  // in a file that is not compressed; 0 if everything before must be read.
  [[nodiscard]] std::uint64_t entry_before(std::uint64_t offset);

  // What a message about an offset in the content must add: nothing, or that the file is
  // compressed.
  [[nodiscard]] std::string offset_note() const;

  // Whether rewind() works: regular files, but never standard input; bytes in memory.
  [[nodiscard]] bool rewindable() const { return rewindable_; }
  // Back to the first byte, also after an error. Throws trace_error(refused) if not rewindable().
  void rewind();

  // Returns another input of the content, from its first byte and beside this one. It cannot be rewound if this one is
  // of open_sources(). Throws trace_error(refused) if not rewindable() and not mapped(), (system) if the file's name now
  // belongs to another one. Bytes that are mapped() must outlive it.
  [[nodiscard]] input again() const;

  // Bytes of the content after decompression. A compressed file is skipped through once more for
  // it, from the start and beside this input, which decompresses all of it if it has no index; one
  // that is damaged where that reads counts up to the damage.
  // Throws trace_error as again().
  [[nodiscard]] std::uint64_t content_size() const;

  // Bytes of the file on disk read or skipped so far: compressed ones, if it is compressed. What is
  // taken from bytes() of a mapped input is not seen.
  [[nodiscard]] std::uint64_t consumed() const;

  // How much of it was read or skipped, 0 to 1: of consumed() and size(), or what a source says; nothing if that is
  // not known.
  [[nodiscard]] std::optional<double> progress() const;

  // Bytes of the file on disk; nothing for a pipe, a device or a source.
  [[nodiscard]] std::optional<std::uint64_t> size() const;

  // Bytes of an uncompressed stream's file now, which may have grown; nothing for any other input.
  // Throws trace_error(system).
  [[nodiscard]] std::optional<std::uint64_t> size_now() const;

 private:
  friend input open_input(const std::string& path, const open_options& options);
  friend input open_source(std::unique_ptr<source> from, std::string name,
                           const open_options& options);
  friend input detail::open_made(std::unique_ptr<detail::source_maker> again, std::string name,
                                 const open_options& options);
  friend input open_bytes(std::span<const std::byte> bytes, std::string name,
                          const open_options& options);

  input(std::unique_ptr<file_source> file, bool rewindable, const open_options& options);
  input(std::unique_ptr<source> from, std::string name, const open_options& options);

  // Sets the stream up on `from`; recognises the codec the first time.
  void start(std::unique_ptr<source> from);
  // Turns the stream into a mapping, if the content allows it.
  void map(const std::string& path);
  // From here on the stream is not needed.
  void view(std::span<const std::byte> bytes);

  std::string name_;
  open_options options_;
  codec compression_ = codec::none;
  bool rewindable_;
  bool mapped_ = false;
  std::span<const std::byte> whole_;  // if mapped_: of the mapping, or in memory
  std::size_t position_ = 0;          // in it
  // Where the bytes come from. (Only here a compiler need not know of what it consists.)
  struct origin;
  std::unique_ptr<origin> from_;
};

// Opens `path`, "-" for standard input. An empty file opens without an error and has no bytes;
// if a codec is demanded, read() calls it truncated.
// Throws trace_error: (system) missing, a directory, not permitted; (unsupported) compressed in a
// way this build does not read, or more than most_compressions times over. What is wrong with the content is thrown by read().
TRACECODEC_FUNC input open_input(const std::string& path, const open_options& options = {});

// Bytes in memory, which outlive the input, as if they were a file of that content: not copied if
// they are not compressed. `name` is for errors. Only what is not copied can be rewound.
// Throws trace_error(unsupported) as open_input.
TRACECODEC_FUNC input open_bytes(std::span<const std::byte> bytes, std::string name,
                                 const open_options& options = {});

// The same from a source of your own. Cannot be rewound.
TRACECODEC_FUNC input open_source(std::unique_ptr<source> from, std::string name,
                                  const open_options& options = {});

// The same from sources that all have the same bytes: again(), which returns an std::unique_ptr<source>,
// makes one now, and one whenever the input is rewound.
template <class Again>
input open_sources(Again again, std::string name, const open_options& options = {}) {
  class maker final : public detail::source_maker {
   public:
    explicit maker(Again f) : again_(std::move(f)) {}
    std::unique_ptr<source> make() override { return again_(); }

   private:
    Again again_;
  };
  return detail::open_made(std::make_unique<maker>(std::move(again)), std::move(name), options);
}

// Opens `path`, "-" for standard output; the file appears when finish() is called on the sink.
// Throws trace_error: (system) as atomic_file; (unsupported) a codec this build does not write;
// (refused) a level the codec does not have.
TRACECODEC_FUNC std::unique_ptr<sink> open_output(const std::string& path,
                                                  codec compression = codec::none,
                                                  const output_options& options = {});

// Whether two paths lead to the same existing file, by links too: a program refuses to overwrite
// its input so. False for "-", for devices and pipes, and if either is missing. Does not throw.
TRACECODEC_FUNC bool same_file(const std::string& a, const std::string& b);

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/open.ipp"
#endif
