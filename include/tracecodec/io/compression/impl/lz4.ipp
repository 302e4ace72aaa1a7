// This is the only file that includes lz4frame.h.
#pragma once
#include "../lz4.hpp"

#include <lz4frame.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "block_pieces.hpp"

namespace tracecodec::io {

namespace detail {

class lz4_decoder final : public decoder {
 public:
  lz4_decoder() {
    LZ4F_dctx* made = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION))) throw std::bad_alloc();
    context_.reset(made);
  }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    std::size_t used = std::min(in.size(), pieces_.next());
    std::size_t written = out.size();
    const std::size_t ret =
        LZ4F_decompress(context_.get(), out.data(), &written, in.data(), &used, nullptr);
    if (LZ4F_isError(ret)) return failure(LZ4F_getErrorName(ret));
    pieces_.advance(ret, written == out.size());
    return {used, written, ret == 0 ? outcome::member_end : outcome::more};
  }

 private:
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
  // The template arguments are the sizes of the shortest frame header and of a block header.
  block_pieces<7, 4> pieces_ = {};
};

}  // namespace detail

TRACECODEC_FUNC lz4_source::lz4_source(std::unique_ptr<source> compressed, std::string name)
    : decompressor(codec::lz4, std::move(compressed), std::move(name),
                   std::make_unique<detail::lz4_decoder>()) {}

}  // namespace tracecodec::io
