#pragma once
#include "../decompressor.hpp"

#include <limits>
#include <memory>
#include <utility>

namespace tracecodec::io {

namespace detail {

TRACECODEC_FUNC std::string decoder::size_text(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  if (bytes < mebibyte) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes / mebibyte + (bytes % mebibyte != 0 ? 1 : 0)) + " MiB";
}

TRACECODEC_FUNC void decoder::refuse_memory(step& s, std::optional<std::uint64_t> need,
                                            std::uint64_t limit) {
  s.what = outcome::failed;
  s.code = trace_errc::unsupported;
  s.message = "needs " + (need ? size_text(*need) : "more") + " of memory, but the limit is " +
              size_text(limit) + std::string(raise_memory_limit);
}

}  // namespace detail

TRACECODEC_FUNC decompressor::decompressor(codec kind, std::unique_ptr<source> compressed,
                                           std::string name,
                                           std::unique_ptr<detail::decoder> decoder)
    : kind_(kind),
      compressed_(std::move(compressed)),
      name_(std::move(name)),
      decoder_(std::move(decoder)) {}

TRACECODEC_FUNC std::size_t decompressor::read(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size() && !ended_ && !failure_) {
    try {
      done += advance(out.subspan(done));
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  if (done == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
  content_ += done;
  return done;
}

TRACECODEC_FUNC std::uint64_t decompressor::skip(std::uint64_t n) {
  if (n == 0 || ended_ || failure_ || !compressed_->seekable()) return 0;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t wanted = n > most - content_ ? most : content_ + n;
  std::optional<entry> there = find_if_any(wanted);
  if (there && (there->content <= content_ || there->content > wanted)) there.reset();
  try {
    compressed_->seek(there ? there->at : offset_ + in_.size());
  } catch (const trace_error&) {
    failure_ = std::current_exception();
    return 0;
  }
  if (!there) return 0;
  decoder_->restart();
  in_ = {};
  at_end_ = between_members_ = false;
  stalls_ = 0;
  offset_ = member_start_ = there->at;
  return there->content - std::exchange(content_, there->content);
}

TRACECODEC_FUNC std::uint64_t decompressor::entry_before(std::uint64_t offset) {
  if (failure_ || !compressed_->seekable()) return 0;
  const std::optional<entry> there = find_if_any(offset);
  return_to_position();
  return there && there->content <= offset ? there->content : 0;
}

TRACECODEC_FUNC std::optional<record_entry> decompressor::entry_of_record(std::uint64_t record) {
  if (failure_ || !compressed_->seekable()) return std::nullopt;
  const std::optional<record_entry> there = find_record_if_any(record);
  return_to_position();
  return there;
}

TRACECODEC_FUNC void decompressor::return_to_position() {
  try {
    compressed_->seek(offset_ + in_.size());
  } catch (...) {
    failure_ = std::current_exception();
  }
}

TRACECODEC_FUNC std::optional<decompressor::entry> decompressor::find_if_any(
    std::uint64_t content) {
  try {
    return decoder_->find(*compressed_, content);
  } catch (...) {
    // Ignore the error. If it matters, a later read() throws it.
    return std::nullopt;
  }
}

TRACECODEC_FUNC std::optional<record_entry> decompressor::find_record_if_any(std::uint64_t record) {
  try {
    return decoder_->find_record(*compressed_, record);
  } catch (...) {
    // Ignore the error. If it matters, a later read() throws it.
    return std::nullopt;
  }
}

TRACECODEC_FUNC std::size_t decompressor::advance(std::span<std::byte> out) {
  constexpr std::size_t buffer_size = std::size_t{128} << 10;
  // Maximum number of consecutive calls without progress. liblzma sometimes needs one or two such
  // calls.
  constexpr int patience = 8;
  if (in_.empty() && !at_end_) {
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<std::byte[]>(buffer_size);
    in_ = {buffer_.get(), compressed_->read({buffer_.get(), buffer_size})};
    at_end_ = in_.empty();
  }
  if (in_.empty() && between_members_) {
    ended_ = true;
    return 0;
  }
  using outcome = detail::decoder::outcome;
  const detail::decoder::step s = decoder_->decode(in_, out);
  in_ = in_.subspan(s.used);
  offset_ += s.used;
  stalls_ = s.used == 0 && s.written == 0 && s.what == outcome::more ? stalls_ + 1 : 0;
  between_members_ = s.what == outcome::member_end || (between_members_ && s.used == 0);
  if (s.what == outcome::end) ended_ = true;
  if (s.what == outcome::member_end) member_start_ = offset_;
  if (s.what == outcome::not_a_member) {
    fail(trace_errc::corrupt, member_start_, not_a_member_message());
  } else if (s.what == outcome::failed) {
    const std::string prefix = s.code == trace_errc::corrupt ? "corrupt " : "";
    fail(s.code, offset_, prefix + kind_name() + " data: " + s.message);
  } else if (stalls_ >= patience) {
    if (in_.empty()) fail(trace_errc::truncated, offset_, kind_name() + " data ends too early");
    fail(trace_errc::corrupt, offset_, "corrupt " + kind_name() + " data: no progress");
  }
  return s.written;
}

TRACECODEC_FUNC std::string decompressor::kind_name() const {
  return std::string(codec_name(kind_));
}

TRACECODEC_FUNC std::string decompressor::not_a_member_message() const {
  return member_start_ == 0 ? "expected " + kind_name() + " data"
                            : "expected more " + kind_name() + " data or the end of the file";
}

TRACECODEC_FUNC void decompressor::fail(trace_errc code, std::uint64_t offset,
                                        const std::string& message) {
  if (failure_) return;
  failure_ = std::make_exception_ptr(trace_error(code, {.file = name_, .offset = offset}, message));
}

}  // namespace tracecodec::io
