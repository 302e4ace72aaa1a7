// This is the only file that includes bzlib.h.
#pragma once
#include "../bzip2.hpp"

#include <bzlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace tracecodec::io {

namespace detail {

class bzip2_decoder final : public decoder {
 public:
  bzip2_decoder() { start(); }
  ~bzip2_decoder() override { BZ2_bzDecompressEnd(&stream_); }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    const unsigned given = size(in.size());
    const unsigned available = size(out.size());
    // libbz2 does not write through next_in, although the pointer is not const.
    stream_.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<char*>(out.data());
    stream_.avail_out = available;
    const int ret = BZ2_bzDecompress(&stream_);
    step s{given - stream_.avail_in, available - stream_.avail_out};
    if (ret == BZ_STREAM_END) {
      s.what = outcome::member_end;
      // libbz2 cannot reset a stream, so end it and start a new one.
      BZ2_bzDecompressEnd(&stream_);
      stream_ = {};
      start();
    } else if (ret == BZ_DATA_ERROR_MAGIC) {
      s.what = outcome::not_a_member;
    } else if (ret == BZ_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (ret != BZ_OK) {
      s.what = outcome::failed;
      s.message = "libbz2 reports an error in the data";
    }
    return s;
  }

 private:
  void start() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  // Returns `n`, limited to 1 GiB because libbz2 uses unsigned int for sizes. The next call
  // processes the rest of a larger span.
  static unsigned size(std::size_t n) {
    return static_cast<unsigned>(std::min<std::size_t>(n, std::size_t{1} << 30));
  }

  bz_stream stream_{};
};

}  // namespace detail

TRACECODEC_FUNC bzip2_source::bzip2_source(std::unique_ptr<source> compressed, std::string name)
    : decompressor(codec::bzip2, std::move(compressed), std::move(name),
                   std::make_unique<detail::bzip2_decoder>()) {}

}  // namespace tracecodec::io
