// Only this file and zstd_block.ipp include zstd.h.
#pragma once
#include "../zstd.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "block_pieces.hpp"
#include "zstd_frames.hpp"

namespace tracecodec::io {

namespace detail {

class zstd_decoder final : public decoder {
 public:
  explicit zstd_decoder(std::uint64_t limit) : memory_(limit) {
    if (!context_) throw std::bad_alloc();
    // Set the maximum limit, because libzstd accepts only a power of two. decode() checks the exact
    // limit first.
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_log());
  }

  std::optional<entry> find(source& from, std::uint64_t content) override {
    const auto there = frames_.find(from, content);
    return entry{there.at, there.content};
  }

  void restart() override {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    pieces_ = {};
    begin_frame();
  }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    ZSTD_inBuffer input{in.data(), std::min(in.size(), pieces_.next()), 0};
    if (const auto window = window_with(in.first(input.size)))
      if (*window > std::min(memory_, largest_window())) return too_large(*window);
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t ret = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(ret)) return failure(ret);
    pieces_.advance(ret, output.pos == output.size);
    if (header_size_ < header_.size()) {
      const std::size_t n = std::min(input.pos, header_.size() - header_size_);
      std::copy_n(in.begin(), n, header_.begin() + static_cast<std::ptrdiff_t>(header_size_));
      header_size_ += n;
    }
    written_ += output.pos;
    if (ret != 0) return {input.pos, output.pos, outcome::more};
    step s = end_frame();
    s.used = input.pos;
    s.written = output.pos;
    return s;
  }

 private:
  // Ends a frame and compares its decompressed size with the size in the frame header, because
  // skip() relies on that size. libzstd does not compare these sizes if the last block is empty.
  step end_frame() {
    const auto header = zstd_header_of(std::span(header_).first(header_size_));
    const std::uint64_t held = written_;
    begin_frame();
    if (!header || header->content == held) return {0, 0, outcome::member_end};
    return {0, 0, outcome::failed, trace_errc::corrupt,
            "a frame of " + std::to_string(held) + " bytes declares a size of " +
                std::to_string(header->content)};
  }

  // Returns the window size of the current frame, or nullopt if `in` does not contain the rest of
  // the frame header.
  std::optional<std::uint64_t> window_with(std::span<const std::byte> in) const {
    if (header_size_ >= header_.size()) return std::nullopt;
    std::array<std::byte, longest_zstd_header> head = header_;
    const std::size_t n = std::min(in.size(), head.size() - header_size_);
    std::copy_n(in.begin(), n, head.begin() + static_cast<std::ptrdiff_t>(header_size_));
    return zstd_window_of(std::span(head).first(header_size_ + n));
  }

  static int largest_log() { return ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound; }
  static std::uint64_t largest_window() { return std::uint64_t{1} << largest_log(); }

  step too_large(std::uint64_t window) const {
    step s{};
    refuse_memory(s, window, memory_);
    if (window > largest_window())
      s.message = "needs " + size_text(window) + " of memory, but libzstd decodes up to " +
                  size_text(largest_window());
    return s;
  }

  void begin_frame() {
    header_size_ = 0;
    written_ = 0;
  }

  static step failure(std::size_t ret) {
    step s{0, 0, outcome::failed, trace_errc::corrupt, ZSTD_getErrorName(ret)};
    switch (ZSTD_getErrorCode(ret)) {
      case ZSTD_error_prefix_unknown:
        s.what = outcome::not_a_member;
        break;
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
      case ZSTD_error_frameParameter_unsupported:
      case ZSTD_error_version_unsupported:
      case ZSTD_error_dictionary_wrong:
        s.code = trace_errc::unsupported;
        break;
      default:
        break;
    }
    return s;
  }

  struct release {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, release> context_{ZSTD_createDCtx()};
  std::uint64_t memory_;  // maximum size of a window, in bytes
  // The template arguments are the size of the magic number and the frame header descriptor
  // together, and the size of a block header.
  block_pieces<5, 3> pieces_ = {};
  // State of the current frame. header_ contains the frame's first bytes, up to the maximum size of
  // a header. written_ is the number of bytes decompressed so far.
  std::array<std::byte, longest_zstd_header> header_ = {};
  std::size_t header_size_ = 0;
  std::uint64_t written_ = 0;
  zstd_frames frames_ = {};
};

class zstd_encoder final : public encoder {
 public:
  zstd_encoder(int level, std::size_t block_size)
      : frame_size_(std::clamp<std::size_t>(block_size, least_content, most_content)) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) override {
    // Write one frame even for an empty input.
    if (pending_.size() == frame_size_ || (last && (!pending_.empty() || frames_.empty())))
      return {0, compress(out)};
    if (last) return write_table(out);
    const std::size_t n = std::min(in.size(), frame_size_ - pending_.size());
    pending_.insert(pending_.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
    return {n, 0};
  }

 private:
  static constexpr std::size_t least_content = 4096;
  // Maximum size of a frame's content in a seek table.
  static constexpr std::size_t most_content = std::size_t{1} << 30;

  // Writes the next part of a frame with the content pending_. libzstd receives the whole content
  // at once, and can therefore store the content size in the frame header.
  std::size_t compress(std::span<std::byte> out) {
    ZSTD_inBuffer input{pending_.data(), pending_.size(), read_};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t ret = ZSTD_compressStream2(context_.get(), &output, &input, ZSTD_e_end);
    // With a valid level, the only possible error is a lack of memory.
    if (ZSTD_isError(ret)) throw std::bad_alloc();
    read_ = input.pos;
    frame_.size += static_cast<std::uint32_t>(output.pos);
    if (ret == 0) {
      frame_.content = static_cast<std::uint32_t>(pending_.size());
      if (frames_.size() <= most_frames) frames_.push_back(frame_);
      frame_ = {};
      pending_.clear();
      read_ = 0;
    }
    return output.pos;
  }

  step write_table(std::span<std::byte> out) {
    if (table_.empty()) table_ = seek_table(frames_);
    const std::size_t n = std::min(out.size(), table_.size() - read_);
    if (n != 0) std::memcpy(out.data(), table_.data() + read_, n);
    read_ += n;
    return {0, n, read_ == table_.size()};
  }

  struct release {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, release> context_{ZSTD_createCCtx()};
  std::size_t frame_size_;
  std::vector<std::byte> pending_ = {};  // content of the next frame
  zstd_frame frame_ = {};                // sizes of the current frame so far
  std::vector<zstd_frame> frames_ = {};
  std::vector<std::byte> table_ = {};
  std::size_t read_ = 0;  // bytes consumed from pending_, or from table_ after the last frame
};

}  // namespace detail

TRACECODEC_FUNC zstd_source::zstd_source(std::unique_ptr<source> compressed, std::string name,
                                         const zstd_options& options)
    : decompressor(codec::zstd, std::move(compressed), std::move(name),
                   std::make_unique<detail::zstd_decoder>(options.memory)) {}

TRACECODEC_FUNC zstd_sink::zstd_sink(std::unique_ptr<sink> out, const output_options& options)
    : compressor(std::move(out),
                 std::make_unique<detail::zstd_encoder>(
                     checked_level(codec::zstd, options.level.value_or(3), 1, ZSTD_maxCLevel()),
                     options.block_size)) {}

}  // namespace tracecodec::io
