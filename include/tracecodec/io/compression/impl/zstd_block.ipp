// Only this file and zstd.ipp include zstd.h.
#pragma once
#include "../zstd_block.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

namespace tracecodec::io {

class zstd_packer::context {
 public:
  context() : it_(ZSTD_createCCtx()) {
    if (it_ == nullptr) throw std::bad_alloc();
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() { ZSTD_freeCCtx(it_); }
  [[nodiscard]] ZSTD_CCtx* get() const noexcept { return it_; }

 private:
  ZSTD_CCtx* it_;
};

TRACECODEC_FUNC zstd_packer::zstd_packer(int level)
    : context_(std::make_unique<context>()), level_(level) {
  ZSTD_CCtx_setParameter(context_->get(), ZSTD_c_chainLog, 21);
  ZSTD_CCtx_setParameter(context_->get(), ZSTD_c_hashLog, 20);
}
TRACECODEC_FUNC zstd_packer::~zstd_packer() = default;

TRACECODEC_FUNC std::size_t zstd_packer::pack(std::span<const std::byte> content,
                                              std::vector<std::byte>& to) {
  const std::size_t before = to.size();
  to.resize(before + ZSTD_compressBound(content.size()));
  ZSTD_CCtx_setParameter(context_->get(), ZSTD_c_compressionLevel,
                         std::clamp(level_, 1, ZSTD_maxCLevel()));
  const std::size_t size = ZSTD_compress2(context_->get(), to.data() + before, to.size() - before,
                                          content.data(), content.size());
  // The buffer is large enough, so the only possible error is a lack of memory.
  if (ZSTD_isError(size)) throw std::bad_alloc();
  to.resize(before + size);
  return size;
}

class zstd_unpacker::context {
 public:
  context() : it_(ZSTD_createDCtx()) {
    if (it_ == nullptr) throw std::bad_alloc();
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() { ZSTD_freeDCtx(it_); }
  [[nodiscard]] ZSTD_DCtx* get() const noexcept { return it_; }

 private:
  ZSTD_DCtx* it_;
};

TRACECODEC_FUNC zstd_unpacker::zstd_unpacker() : context_(std::make_unique<context>()) {}
TRACECODEC_FUNC zstd_unpacker::~zstd_unpacker() = default;

TRACECODEC_FUNC bool zstd_unpacker::unpack(std::span<const std::byte> frame,
                                           std::span<std::byte> content) {
  // Require a single frame with nothing after it.
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return false;
  return ZSTD_decompressDCtx(context_->get(), content.data(), content.size(), frame.data(),
                             frame.size()) == content.size();
}

}  // namespace tracecodec::io
