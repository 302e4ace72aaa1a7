#pragma once
#include "../open.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "../error.hpp"
#include "../filesystem.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC void input::check() const {
  if (map_) map_->check();
}

TRACECODEC_FUNC std::span<const std::byte> input::peek(std::size_t n) {
  n = std::min(n, peek_limit);
  if (!whole_) return stream_->peek(n);
  const std::span<const std::byte> rest = whole_->subspan(position_);
  return rest.first(std::min(n, rest.size()));
}

TRACECODEC_FUNC void input::check_ahead() const {
  if (!whole_) stream_->check();
}

TRACECODEC_FUNC std::size_t input::read(std::span<std::byte> out) {
  if (!whole_) return stream_->read(out);
  const std::span<const std::byte> next = whole_->subspan(position_);
  const std::size_t n = std::min(out.size(), next.size());
  if (n != 0) std::memcpy(out.data(), next.data(), n);
  position_ += n;
  return n;
}

TRACECODEC_FUNC std::uint64_t input::skip(std::uint64_t n) {
  if (!whole_) return stream_->skip(n);
  const std::size_t step =
      static_cast<std::size_t>(std::min<std::uint64_t>(n, whole_->size() - position_));
  position_ += step;
  return step;
}

TRACECODEC_FUNC std::string input::offset_note() const {
  return compression_ == codec::none ? "" : " (offset after decompression)";
}

TRACECODEC_FUNC void input::rewind() {
  if (!rewindable_) {
    throw trace_error(trace_errc::refused, {.file = name_}, "cannot be read a second time");
  }
  position_ = 0;
  if (whole_) return;
  if (again_)
    start(again_->make());
  else
    start_file(file_->restart());
}

TRACECODEC_FUNC std::uint64_t input::content_size() const {
  constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
  if (whole_) return whole_->size();
  if (!rewindable_) {
    throw trace_error(trace_errc::refused, {.file = name_}, "cannot be read a second time");
  }
  if (again_) return input(again_->make(), name_, options_).skip(everything);
  auto same = std::make_unique<file_source>(name_);
  if (!same->is(*file_))
    throw trace_error(trace_errc::system, {.file = name_}, "was replaced while it was read");
  return input(std::move(same), true, options_).skip(everything);
}

TRACECODEC_FUNC std::uint64_t input::consumed() const {
  return whole_ ? position_ : file_ != nullptr ? file_->offset() : 0;
}

TRACECODEC_FUNC std::optional<std::uint64_t> input::size() const {
  if (whole_) return whole_->size();
  return file_ != nullptr ? file_->size() : std::nullopt;
}

TRACECODEC_FUNC std::optional<std::uint64_t> input::size_now() const {
  return file_ != nullptr && compression_ == codec::none ? file_->size_now() : std::nullopt;
}

TRACECODEC_FUNC input::input(std::unique_ptr<file_source> file, bool rewindable,
                             const open_options& options)
    : name_(file->name()), options_(options), rewindable_(rewindable && file->regular()) {
  start_file(std::move(file));
}

TRACECODEC_FUNC input::input(std::unique_ptr<source> from, std::string name,
                             const open_options& options)
    : name_(std::move(name)), options_(options), rewindable_(false) {
  start(std::move(from));
}

TRACECODEC_FUNC void input::start_file(std::unique_ptr<file_source> file) {
  file_source* const raw = file.get();
  start(std::move(file));
  file_ = raw;
}

TRACECODEC_FUNC void input::start(std::unique_ptr<source> from) {
  auto ahead = std::make_unique<lookahead_source>(std::move(from));
  if (!options_.compression) options_.compression = recognise(ahead->peek(recognise_window));
  compression_ = *options_.compression;
  if (compression_ != codec::none) {
    ahead = std::make_unique<lookahead_source>(
        decompress(compression_, std::move(ahead), name_, options_.xz, options_.zstd));
  }
  stream_ = std::move(ahead);
}

TRACECODEC_FUNC void input::map(const std::string& path) {
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

TRACECODEC_FUNC void input::view(std::span<const std::byte> bytes) {
  whole_ = bytes;
  rewindable_ = true;
  stream_.reset();
  file_ = nullptr;
}

TRACECODEC_FUNC input open_input(const std::string& path, const open_options& options) {
  if (path == "-") return input(file_source::standard_input(), false, options);
  input opened(std::make_unique<file_source>(path), true, options);
  opened.map(path);
  return opened;
}

TRACECODEC_FUNC input open_bytes(std::span<const std::byte> bytes, std::string name,
                                 const open_options& options) {
  input opened(std::make_unique<memory_source>(bytes), std::move(name), options);
  if (opened.compression_ == codec::none && options.map) opened.view(bytes);
  return opened;
}

TRACECODEC_FUNC input open_source(std::unique_ptr<source> from, std::string name,
                                  const open_options& options) {
  return input(std::move(from), std::move(name), options);
}

TRACECODEC_FUNC input detail::open_made(std::unique_ptr<source_maker> again, std::string name,
                                        const open_options& options) {
  input opened(again->make(), std::move(name), options);
  opened.rewindable_ = true;
  opened.again_ = std::move(again);
  return opened;
}

TRACECODEC_FUNC std::unique_ptr<sink> open_output(const std::string& path, codec compression,
                                                  const output_options& options) {
  if (path == "-") {
    return compress(compression, std::make_unique<stdout_sink>(), "<stdout>", options);
  }
  return compress(compression, std::make_unique<atomic_file>(path), path, options);
}

TRACECODEC_FUNC bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a != "-" && b != "-" && std::filesystem::equivalent(path_of(a), path_of(b), error) &&
         !error;
}

}  // namespace tracecodec::io
