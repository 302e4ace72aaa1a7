// zstd: decompression and compression with libzstd.
// The one header that includes zstd.h; link with -lzstd.
#pragma once
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "compressor.hpp"
#include "decompressor.hpp"
#include "options.hpp"

namespace tracecodec::io {

// Decompresses .zst: concatenated and skippable frames too. Errors: see decompressor;
// trace_error(unsupported) also for a window above zstd_options::window_log_max and for a frame
// that needs a dictionary.
class zstd_source final : public decompressor {
 public:
  explicit zstd_source(std::unique_ptr<source> compressed, std::string name,
                       const zstd_options& options = {})
      : decompressor(codec::zstd, std::move(compressed), std::move(name)) {
    if (!context_) throw std::bad_alloc();
    const auto bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    ZSTD_DCtx_setParameter(
        context_.get(), ZSTD_d_windowLogMax,
        std::clamp(options.window_log_max, bounds.lowerBound, bounds.upperBound));
  }

 private:
  static constexpr std::size_t block_header = 3;
  static constexpr std::size_t first_piece = 5;  // the magic and the frame header descriptor

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    // On an error libzstd does not tell what it wrote in that call. So a call that may still have
    // bytes to write gets no input, and the others no more than one block: wanted_ is a block and
    // the next one's header, and the header waits for its turn.
    const std::size_t piece = was_full_                ? 0
                              : wanted_ > block_header ? wanted_ - block_header
                                                       : wanted_;
    ZSTD_inBuffer input{in.data(), std::min(in.size(), piece), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t ret = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(ret)) return failure(ret);
    wanted_ = ret == 0 ? first_piece : ret;
    was_full_ = output.pos == output.size;
    return {input.pos, output.pos, ret == 0 ? outcome::member_end : outcome::more};
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
  std::size_t wanted_ = first_piece;
  bool was_full_ = false;  // the last call filled all of `out`
};

// Compresses to .zst: one frame with a checksum, on the caller's thread, so that equal input gives
// equal output. Throws trace_error(refused) for a level outside 1 to 22.
class zstd_sink final : public compressor {
 public:
  explicit zstd_sink(std::unique_ptr<sink> out, const output_options& options = {})
      : compressor(std::move(out)) {
    const int level = checked_level(codec::zstd, options.level.value_or(3), 1, ZSTD_maxCLevel());
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

 private:
  step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t ret =
        ZSTD_compressStream2(context_.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(ret)) throw std::bad_alloc();  // nothing else can go wrong with valid levels
    return {input.pos, output.pos, ret == 0};
  }

  struct release {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, release> context_{ZSTD_createCCtx()};
};

}  // namespace tracecodec::io
