// Opens files for reading and writing, whatever their compression: the header that programs
// include. A whole file is mapped where that is possible, and otherwise a stream of decompressed
// bytes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "atomic_file.hpp"
#include "codec.hpp"
#include "codecs.hpp"
#include "error.hpp"
#include "file.hpp"
#include "filesystem.hpp"
#include "mapped_file.hpp"
#include "options.hpp"
#include "sink.hpp"
#include "source.hpp"

namespace tracecodec::io {

struct open_options {
  std::optional<codec> compression = {};  // nothing: recognised by content
  bool map = true;                        // false: always a stream
  xz_options xz = {};
  zstd_options zstd = {};

  // For xz and zstd alike: a file with a larger dictionary or window, in bytes, is refused.
  void limit_memory(std::uint64_t most) { xz.memory = zstd.memory = most; }
};

// An opened file: mapped, or a stream of decompressed bytes. Made by open_input(); open_bytes() and
// open_source() make one of something else. Movable.
class input {
 public:
  // peek() gives no more than this, in bytes.
  static constexpr std::size_t peek_limit = std::size_t{64} << 10;

  // As the user gave it; "<stdin>" for standard input.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] codec compression() const { return compression_; }
  // As it was opened; the compression is told also if it was recognised.
  [[nodiscard]] const open_options& options() const { return options_; }

  // Whether bytes() is the whole content: a regular, uncompressed file that the host can map, or
  // uncompressed bytes in memory.
  [[nodiscard]] bool mapped() const { return whole_.has_value(); }
  // The latter.
  [[nodiscard]] bool in_memory() const { return whole_ && !map_; }
  // The whole content of a mapped input, valid as long as the input or what it is moved to; empty
  // for a stream.
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return whole_.value_or(std::span<const std::byte>{});
  }

  // Throws trace_error(system) if the file has become shorter since it was mapped: what readers do
  // when they come to its end. A stream's read() throws it.
  void check() const {
    if (map_) map_->check();
  }

  // The next `n` bytes, at most peek_limit, without consuming them; fewer before the end or an
  // error, which read() throws in its turn, and check_ahead() at once. The span is valid until the
  // next call.
  std::span<const std::byte> peek(std::size_t n) {
    n = std::min(n, peek_limit);
    if (!whole_) return stream_->peek(n);
    const std::span<const std::byte> rest = whole_->subspan(position_);
    return rest.first(std::min(n, rest.size()));
  }

  // Throws the error that made the last peek() short, if one did: for who would take what it gave for
  // all there is.
  void check_ahead() const {
    if (!whole_) stream_->check();
  }

  // As source::read(); from a mapped input the bytes are copied.
  std::size_t read(std::span<std::byte> out) {
    if (!whole_) return stream_->read(out);
    const std::span<const std::byte> next = whole_->subspan(position_);
    const std::size_t n = std::min(out.size(), next.size());
    if (n != 0) std::memcpy(out.data(), next.data(), n);
    position_ += n;
    return n;
  }

  // Moves `n` bytes on, or to the end or an error, which read() then throws; returns how many. At
  // once in a mapped input and a regular file; of a compressed one only the blocks (xz) or frames
  // (zstd) at both ends are decompressed, if its index tells where they are, and damage between
  // them stays unseen. Anything else is read.
  std::uint64_t skip(std::uint64_t n) {
    if (!whole_) return stream_->skip(n);
    const std::size_t step =
        static_cast<std::size_t>(std::min<std::uint64_t>(n, whole_->size() - position_));
    position_ += step;
    return step;
  }

  // What a message about an offset in the content must add: nothing, or that the file is
  // compressed.
  [[nodiscard]] std::string offset_note() const {
    return compression_ == codec::none ? "" : " (offset after decompression)";
  }

  // Whether rewind() works: regular files, but never standard input; bytes in memory.
  [[nodiscard]] bool rewindable() const { return rewindable_; }
  // Back to the first byte, also after an error. Throws trace_error(refused) if not rewindable().
  void rewind() {
    if (!rewindable_) {
      throw trace_error(trace_errc::refused, {.file = name_}, "cannot be read a second time");
    }
    position_ = 0;
    if (whole_) return;
    if (again_)
      start(again_());
    else
      start_file(file_->restart());
  }

  // Bytes of the content after decompression. A compressed file is skipped through once more for
  // it, from the start and beside this input, which decompresses all of it if it has no index; one
  // that is damaged where that reads counts up to the damage.
  // Throws trace_error(refused) if not rewindable() and not mapped(), (system) if the file's name
  // now belongs to another one.
  [[nodiscard]] std::uint64_t content_size() const {
    constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
    if (whole_) return whole_->size();
    if (!rewindable_) {
      throw trace_error(trace_errc::refused, {.file = name_}, "cannot be read a second time");
    }
    if (again_) return input(again_(), name_, options_).skip(everything);
    auto same = std::make_unique<file_source>(name_);
    if (!same->is(*file_))
      throw trace_error(trace_errc::system, {.file = name_}, "was replaced while it was read");
    return input(std::move(same), true, options_).skip(everything);
  }

  // Bytes of the file on disk read or skipped so far: compressed ones, if it is compressed. What is
  // taken from bytes() of a mapped input is not seen.
  [[nodiscard]] std::uint64_t consumed() const {
    return whole_ ? position_ : file_ != nullptr ? file_->offset() : 0;
  }
  // Bytes of the file on disk; nothing for a pipe, a device or a source.
  [[nodiscard]] std::optional<std::uint64_t> size() const {
    if (whole_) return whole_->size();
    return file_ != nullptr ? file_->size() : std::nullopt;
  }
  // Bytes of an uncompressed stream's file now, which may have grown; nothing for any other input.
  // Throws trace_error(system).
  [[nodiscard]] std::optional<std::uint64_t> size_now() const {
    return file_ != nullptr && compression_ == codec::none ? file_->size_now() : std::nullopt;
  }

 private:
  friend input open_input(const std::string& path, const open_options& options);
  friend input open_source(std::unique_ptr<source> from, std::string name,
                           const open_options& options);
  friend input open_sources(std::function<std::unique_ptr<source>()> again, std::string name,
                            const open_options& options);
  friend input open_bytes(std::span<const std::byte> bytes, std::string name,
                          const open_options& options);

  input(std::unique_ptr<file_source> file, bool rewindable, const open_options& options)
      : name_(file->name()), options_(options), rewindable_(rewindable && file->regular()) {
    start_file(std::move(file));
  }
  input(std::unique_ptr<source> from, std::string name, const open_options& options)
      : name_(std::move(name)), options_(options), rewindable_(false) {
    start(std::move(from));
  }

  void start_file(std::unique_ptr<file_source> file) {
    file_source* const raw = file.get();
    start(std::move(file));
    file_ = raw;
  }

  // Sets the stream up on `from`; recognises the codec the first time.
  void start(std::unique_ptr<source> from) {
    auto ahead = std::make_unique<lookahead_source>(std::move(from));
    if (!options_.compression) options_.compression = recognise(ahead->peek(recognise_window));
    compression_ = *options_.compression;
    if (compression_ != codec::none) {
      ahead = std::make_unique<lookahead_source>(
          decompress(compression_, std::move(ahead), name_, options_.xz, options_.zstd));
    }
    stream_ = std::move(ahead);
  }

  // Turns the stream into a mapping, if the content allows it.
  void map(const std::string& path) {
    // Files of size 0 that have content all the same exist in /proc: those stay streams.
    const bool whole = file_->size() != 0U || stream_->peek(1).empty();
    if (!rewindable_ || compression_ != codec::none || !options_.map || !whole) return;
    if (stream_->failed()) return;  // a mapping would hide that its bytes cannot be read
    try {
      map_.emplace(path);
      view(map_->bytes());
    } catch (const trace_error&) {
      // Too large for a 32-bit host, or on a file system that does not map: the stream remains.
    }
  }

  // From here on the stream is not needed.
  void view(std::span<const std::byte> bytes) {
    whole_ = bytes;
    rewindable_ = true;
    stream_.reset();
    file_ = nullptr;
  }

  std::string name_;
  open_options options_;
  codec compression_ = codec::none;
  bool rewindable_;
  std::optional<mapped_file> map_;
  std::optional<std::span<const std::byte>> whole_;  // of the mapping, or in memory
  std::size_t position_ = 0;                         // in it
  std::unique_ptr<lookahead_source> stream_;         // null if mapped
  file_source* file_ = nullptr;                      // at the bottom of stream_, if it is a file
  std::function<std::unique_ptr<source>()> again_ = {};  // of open_sources()
};

// Opens `path`, "-" for standard input. An empty file opens without an error and has no bytes;
// if a codec is demanded, read() calls it truncated.
// Throws trace_error: (system) missing, a directory, not permitted; (unsupported) compressed in a
// way this build does not read. What is wrong with the content is thrown by read().
inline input open_input(const std::string& path, const open_options& options = {}) {
  if (path == "-") return input(file_source::standard_input(), false, options);
  input opened(std::make_unique<file_source>(path), true, options);
  opened.map(path);
  return opened;
}

// Bytes in memory, which outlive the input, as if they were a file of that content: not copied if
// they are not compressed. `name` is for errors. Only what is not copied can be rewound.
// Throws trace_error(unsupported) as open_input.
inline input open_bytes(std::span<const std::byte> bytes, std::string name,
                        const open_options& options = {}) {
  input opened(std::make_unique<memory_source>(bytes), std::move(name), options);
  if (opened.compression_ == codec::none && options.map) opened.view(bytes);
  return opened;
}

// The same from a source of your own. Cannot be rewound.
inline input open_source(std::unique_ptr<source> from, std::string name,
                         const open_options& options = {}) {
  return input(std::move(from), std::move(name), options);
}

// The same from sources that all have the same bytes: again() makes one now, and one whenever the input
// is rewound.
inline input open_sources(std::function<std::unique_ptr<source>()> again, std::string name,
                          const open_options& options = {}) {
  input opened(again(), std::move(name), options);
  opened.rewindable_ = true;
  opened.again_ = std::move(again);
  return opened;
}

// Opens `path`, "-" for standard output; the file appears when finish() is called on the sink.
// Throws trace_error: (system) as atomic_file; (unsupported) a codec this build does not write;
// (refused) a level the codec does not have.
inline std::unique_ptr<sink> open_output(const std::string& path, codec compression = codec::none,
                                         const output_options& options = {}) {
  if (path == "-") {
    return compress(compression, std::make_unique<stdout_sink>(), "<stdout>", options);
  }
  return compress(compression, std::make_unique<atomic_file>(path), path, options);
}

// Whether two paths lead to the same existing file, by links too: a program refuses to overwrite
// its input so. False for "-", for devices and pipes, and if either is missing. Does not throw.
inline bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a != "-" && b != "-" && std::filesystem::equivalent(path_of(a), path_of(b), error) &&
         !error;
}

}  // namespace tracecodec::io
