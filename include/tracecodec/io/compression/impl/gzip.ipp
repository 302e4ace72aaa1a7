// Only this file and checksum.ipp include zlib.h.
#pragma once
#include "../gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace tracecodec::io {

namespace detail {

// Returns `size`, limited to 1 GiB because zlib uses unsigned int for sizes. The next call
// processes the rest of a larger span.
TRACECODEC_FUNC uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::size_t{1} << 30));
}

// Returns a pointer to the bytes of `in` for z_stream::next_in. The pointer is not const, but
// zlib does not write through it. For an empty span, returns a pointer to a static byte,
// because zlib refuses null.
TRACECODEC_FUNC Bytef* zlib_input(std::span<const std::byte> in) {
  static Bytef none = 0;
  return in.empty() ? &none : reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
}

class gzip_decoder final : public decoder {
 public:
  gzip_decoder() {
    // The added 16 makes zlib accept only gzip headers.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_decoder() override { inflateEnd(&stream_); }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    const uInt given = zlib_size(in.size());
    const uInt available = zlib_size(out.size());
    stream_.next_in = zlib_input(in);
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = available;
    const int ret = inflate(&stream_, Z_NO_FLUSH);
    step s{given - stream_.avail_in, available - stream_.avail_out};
    member_used_ += s.used;
    if (ret == Z_STREAM_END) {
      s.what = outcome::member_end;
      member_used_ = 0;
      inflateReset(&stream_);
    } else if (ret == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (ret != Z_OK && ret != Z_BUF_ERROR) {  // Z_BUF_ERROR means no progress
      // zlib consumes the two bytes of a wrong magic number before it reports the error.
      s.what = member_used_ <= 2 ? outcome::not_a_member : outcome::failed;
      s.message = stream_.msg != nullptr ? stream_.msg : "zlib reports an error in the data";
    }
    return s;
  }

 private:
  z_stream stream_{};
  std::size_t member_used_ = 0;  // number of bytes of this member consumed so far
};

class gzip_encoder final : public encoder {
 public:
  explicit gzip_encoder(int level) {
    if (deflateInit2(&stream_, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
    // 255 means an unknown system. zlib's default is the number of the host's system, but the
    // output must not depend on the host.
    header_.os = 255;
    deflateSetHeader(&stream_, &header_);
  }
  ~gzip_encoder() override { deflateEnd(&stream_); }

  step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) override {
    const uInt given = zlib_size(in.size());
    const uInt available = zlib_size(out.size());
    stream_.next_in = zlib_input(in);
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = available;
    const int ret = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
    return {given - stream_.avail_in, available - stream_.avail_out, ret == Z_STREAM_END};
  }

 private:
  z_stream stream_{};
  gz_header header_{};
};

}  // namespace detail

TRACECODEC_FUNC gzip_source::gzip_source(std::unique_ptr<source> compressed, std::string name)
    : decompressor(codec::gzip, std::move(compressed), std::move(name),
                   std::make_unique<detail::gzip_decoder>()) {}

TRACECODEC_FUNC gzip_sink::gzip_sink(std::unique_ptr<sink> out, const output_options& options)
    : compressor(std::move(out), std::make_unique<detail::gzip_encoder>(checked_level(
                                     codec::gzip, options.level.value_or(6), 0, 9))) {}

}  // namespace tracecodec::io
