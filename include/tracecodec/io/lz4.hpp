// lz4: decompression of the lz4 frame format with liblz4.
// The one header that includes lz4frame.h; link with -llz4.
#pragma once
#include <lz4frame.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "decompressor.hpp"

namespace tracecodec::io {

// Decompresses .lz4: concatenated and skippable frames too. Errors: see decompressor.
class lz4_source final : public decompressor {
 public:
  explicit lz4_source(std::unique_ptr<source> compressed, std::string name)
      : decompressor(codec::lz4, std::move(compressed), std::move(name)) {
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) {
      throw std::bad_alloc();
    }
    context_.reset(context);
  }

 private:
  static constexpr std::size_t block_header = 4;
  static constexpr std::size_t first_piece = 7;  // the shortest frame header

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    // On an error liblz4 does not tell what it wrote in that call. So a call that may still have
    // bytes to write gets no input, and the others no more than one block: wanted_ is a block and
    // the next one's header, and the header waits for its turn.
    const std::size_t piece = was_full_                ? 0
                              : wanted_ > block_header ? wanted_ - block_header
                                                       : wanted_;
    std::size_t used = std::min(in.size(), piece);
    std::size_t written = out.size();
    const std::size_t ret =
        LZ4F_decompress(context_.get(), out.data(), &written, in.data(), &used, nullptr);
    if (LZ4F_isError(ret)) return failure(LZ4F_getErrorName(ret));
    wanted_ = ret == 0 ? first_piece : ret;
    was_full_ = written == out.size();
    return {used, written, ret == 0 ? outcome::member_end : outcome::more};
  }

  static step failure(std::string_view name) {
    if (name == "ERROR_allocation_failed") throw std::bad_alloc();
    const bool other = name == "ERROR_frameType_unknown";
    return {0, 0, other ? outcome::not_a_member : outcome::failed, trace_errc::corrupt,
            std::string(name)};
  }

  struct release {
    void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
  };
  std::unique_ptr<LZ4F_dctx, release> context_;
  std::size_t wanted_ = first_piece;
  bool was_full_ = false;  // the last call filled all of `out`
};

}  // namespace tracecodec::io
