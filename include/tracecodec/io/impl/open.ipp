#pragma once
#include "../open.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "../compression/codecs.hpp"
#include "../error.hpp"
#include "../input/file.hpp"
#include "../input/lookahead.hpp"
#include "../input/mapped_file.hpp"
#include "../os/os.hpp"
#include "../output/atomic_file.hpp"
#include "../output/size_limit.hpp"

namespace tracecodec::io {

namespace detail {
// Source that reads an input's file but does not own it. input::rewind() can therefore replace the
// stream and keep the file.
class kept_file final : public source {
 public:
  explicit kept_file(const std::unique_ptr<file_source>& file) noexcept : file_(&file) {}
  std::size_t read(std::span<std::byte> out) override { return (*file_)->read(out); }
  std::uint64_t skip(std::uint64_t n) override { return (*file_)->skip(n); }
  std::uint64_t entry_before(std::uint64_t offset) override {
    return (*file_)->entry_before(offset);
  }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override {
    return (*file_)->seekable();
  }
  void seek(std::uint64_t offset) override { (*file_)->seek(offset); }

 private:
  const std::unique_ptr<file_source>* file_;
};
}  // namespace detail

struct input::origin {
  std::unique_ptr<mapped_file> map = {};
  std::unique_ptr<file_source> file = {};              // file that the stream reads, if any
  std::unique_ptr<lookahead_source> stream = {};       // null if mapped
  std::unique_ptr<detail::source_factory> again = {};  // factory from open_sources(), or null
};

TRACECODEC_FUNC input::input(input&&) noexcept = default;
TRACECODEC_FUNC input& input::operator=(input&&) noexcept = default;
TRACECODEC_FUNC input::~input() = default;

TRACECODEC_FUNC bool input::in_memory() const { return mapped_ && !from_->map; }

TRACECODEC_FUNC void input::check() const {
  if (from_->map) from_->map->check();
}

TRACECODEC_FUNC std::span<const std::byte> input::peek(std::size_t n) {
  n = std::min(n, peek_limit);
  if (!mapped_) return from_->stream->peek(n);
  const std::span<const std::byte> rest = whole_.subspan(position_);
  return rest.first(std::min(n, rest.size()));
}

TRACECODEC_FUNC void input::check_ahead() const {
  if (!mapped_) from_->stream->check();
}

TRACECODEC_FUNC std::size_t input::read(std::span<std::byte> out) {
  if (!mapped_) return from_->stream->read(out);
  const std::span<const std::byte> next = whole_.subspan(position_);
  const std::size_t n = std::min(out.size(), next.size());
  if (n != 0) std::memcpy(out.data(), next.data(), n);
  position_ += n;
  return n;
}

TRACECODEC_FUNC std::uint64_t input::skip(std::uint64_t n) {
  if (!mapped_) return from_->stream->skip(n);
  const std::size_t step =
      static_cast<std::size_t>(std::min<std::uint64_t>(n, whole_.size() - position_));
  position_ += step;
  return step;
}

TRACECODEC_FUNC std::uint64_t input::entry_before(std::uint64_t offset) {
  return mapped_ ? offset : from_->stream->entry_before(offset);
}

TRACECODEC_FUNC std::optional<record_entry> input::entry_of_record(std::uint64_t record) {
  return mapped_ ? std::nullopt : from_->stream->entry_of_record(record);
}

TRACECODEC_FUNC std::string input::offset_note() const {
  return compression_ == codec::none ? "" : " (offset after decompression)";
}

TRACECODEC_FUNC void input::rewind() {
  if (!rewindable_) {
    throw trace_error(trace_errc::refused, {.file = name_}, "cannot be read a second time");
  }
  position_ = 0;
  if (mapped_) return;
  if (from_->again) return start(from_->again->make());
  const std::uint64_t before = from_->file->offset();
  from_->file = from_->file->restart();
  try {
    start(std::make_unique<detail::kept_file>(from_->file));
  } catch (...) {
    // Restore the position, because the old stream remains in use.
    from_->file->seek(before);
    throw;
  }
}

TRACECODEC_FUNC input input::again() const {
  if (mapped_) return open_bytes(whole_, name_, {.compression = codec::none});
  if (!rewindable_) {
    throw trace_error(trace_errc::refused, {.file = name_}, "cannot be read a second time");
  }
  if (from_->again) return input(from_->again->make(), name_, options_);
  auto same = std::make_unique<file_source>(name_);
  if (!same->is(*from_->file))
    throw trace_error(trace_errc::system, {.file = name_}, "was replaced while it was read");
  return input(std::move(same), true, options_);
}

TRACECODEC_FUNC std::uint64_t input::content_size() const {
  return mapped_ ? whole_.size() : again().skip(std::numeric_limits<std::uint64_t>::max());
}

TRACECODEC_FUNC std::uint64_t input::consumed() const {
  return mapped_ ? position_ : from_->file ? from_->file->offset() : 0;
}

TRACECODEC_FUNC std::optional<double> input::progress() const {
  const auto all = size();
  if (!all && !mapped_) return from_->stream->progress();
  if (!all || *all == 0) return std::nullopt;
  return static_cast<double>(consumed()) / static_cast<double>(*all);
}

TRACECODEC_FUNC std::optional<std::uint64_t> input::size() const {
  if (mapped_) return whole_.size();
  return from_->file ? from_->file->size() : std::nullopt;
}

TRACECODEC_FUNC std::optional<std::uint64_t> input::size_now() const {
  return from_->file && compression_ == codec::none ? from_->file->size_now() : std::nullopt;
}

TRACECODEC_FUNC input::input(std::unique_ptr<file_source> file, bool rewindable,
                             const open_options& options)
    : name_(file->name()),
      options_(options),
      rewindable_(rewindable && file->regular()),
      from_(std::make_unique<origin>()) {
  from_->file = std::move(file);
  start(std::make_unique<detail::kept_file>(from_->file));
}

TRACECODEC_FUNC input::input(std::unique_ptr<source> from, std::string name,
                             const open_options& options)
    : name_(std::move(name)),
      options_(options),
      rewindable_(false),
      from_(std::make_unique<origin>()) {
  start(std::move(from));
}

TRACECODEC_FUNC void input::start(std::unique_ptr<source> from) {
  auto ahead = std::make_unique<lookahead_source>(std::move(from));
  const auto unpack = [&](codec kind) {
    std::unique_ptr<source> compressed(ahead.release());
    ahead = std::make_unique<lookahead_source>(
        decompress(kind, std::move(compressed), name_, options_.xz, options_.zstd, options_.zip));
  };
  const bool demanded = options_.compression.has_value();
  compression_ = demanded ? *options_.compression : recognise(ahead->peek(recognise_window));
  std::size_t times = 0;
  for (codec next = compression_; next != codec::none;
       next = demanded ? codec::none : recognise(ahead->peek(recognise_window))) {
    if (times == most_compressions)
      throw trace_error(trace_errc::unsupported, {.file = name_},
                        "compressed more than " + std::to_string(most_compressions) +
                            " times: decompress it first");
    unpack(next);
    ++times;
  }
  // Keep the codec for the next rewind(). Nested compressions are recognised again after each
  // rewind().
  if (times <= 1) options_.compression = compression_;
  from_->stream = std::move(ahead);
}

TRACECODEC_FUNC void input::map(const std::string& path) {
  // A file in /proc has size 0 even if it has content, so such a file remains a stream.
  const bool whole = from_->file->size() != 0U || from_->stream->peek(1).empty();
  if (!rewindable_ || compression_ != codec::none || !options_.map || !whole) return;
  // Keep the stream, because a mapping would hide the stream's read error.
  if (from_->stream->failed()) return;
  try {
    from_->map = std::make_unique<mapped_file>(path);
    view(from_->map->bytes());
  } catch (const trace_error&) {
    // The file is too large for a 32-bit host, or the file system does not support mapping. Keep
    // the stream.
  }
}

TRACECODEC_FUNC void input::view(std::span<const std::byte> bytes) {
  mapped_ = true;
  whole_ = bytes;
  rewindable_ = true;
  from_->stream.reset();
  from_->file.reset();
}

TRACECODEC_FUNC input open_input(const std::string& path, const open_options& options) {
  if (path == "-") return input(file_source::standard_input(), false, options);
  input opened(std::make_unique<file_source>(path), true, options);
  opened.map(path);
  return opened;
}

TRACECODEC_FUNC input open_bytes(std::span<const std::byte> bytes, std::string name,
                                 const open_options& options) {
  input opened(std::unique_ptr<source>(new memory_source(bytes)), std::move(name), options);
  if (opened.compression_ == codec::none && options.map) opened.view(bytes);
  return opened;
}

TRACECODEC_FUNC input open_source(std::unique_ptr<source> from, std::string name,
                                  const open_options& options) {
  return input(std::move(from), std::move(name), options);
}

TRACECODEC_FUNC input detail::open_from_factory(std::unique_ptr<source_factory> again,
                                                std::string name, const open_options& options) {
  input opened(again->make(), std::move(name), options);
  opened.rewindable_ = true;
  opened.from_->again = std::move(again);
  return opened;
}

TRACECODEC_FUNC std::unique_ptr<sink> open_output(const std::string& path, codec compression,
                                                  const output_options& options) {
  const bool file = path != "-";
  const std::string name = file ? path : "<stdout>";
  std::unique_ptr<sink> to(file ? static_cast<sink*>(new atomic_file(path)) : new stdout_sink);
  return compress(compression, bounded(std::move(to), name, options.most_bytes), name, options);
}

TRACECODEC_FUNC bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return false;
  try {
    return os::same(os::facts_of(a), os::facts_of(b));
  } catch (const trace_error&) {
    return false;  // a file is missing or cannot be examined
  }
}

}  // namespace tracecodec::io
