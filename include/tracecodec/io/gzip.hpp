// gzip: decompression and compression with zlib.
// The one header that includes zlib.h; link with -lz.
#pragma once
#include <zlib.h>

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

namespace detail {

// zlib counts in unsigned int; the rest of a larger span waits for the next call.
inline uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::size_t{1} << 30));
}

// zlib only reads through next_in, const or not; and an empty span's null pointer is refused.
inline Bytef* zlib_input(std::span<const std::byte> in) {
  static Bytef none = 0;
  return in.empty() ? &none : reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
}

}  // namespace detail

// Decompresses .gz, concatenated members too. Errors: see decompressor; zero bytes after the last
// member are garbage like any other.
class gzip_source final : public decompressor {
 public:
  explicit gzip_source(std::unique_ptr<source> compressed, std::string name)
      : decompressor(codec::gzip, std::move(compressed), std::move(name)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();  // 16: gzip headers only
  }
  ~gzip_source() override { inflateEnd(&stream_); }

 private:
  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    const uInt given = detail::zlib_size(in.size());
    const uInt room = detail::zlib_size(out.size());
    stream_.next_in = detail::zlib_input(in);
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int ret = inflate(&stream_, Z_NO_FLUSH);
    step s{given - stream_.avail_in, room - stream_.avail_out};
    member_used_ += s.used;
    if (ret == Z_STREAM_END) {
      s.what = outcome::member_end;
      member_used_ = 0;
      inflateReset(&stream_);
    } else if (ret == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (ret != Z_OK && ret != Z_BUF_ERROR) {  // Z_BUF_ERROR is no progress
      // zlib complains about the magic after its two bytes.
      s.what = member_used_ <= 2 ? outcome::not_a_member : outcome::failed;
      s.message = stream_.msg != nullptr ? stream_.msg : "zlib reports an error in the data";
    }
    return s;
  }

  z_stream stream_{};
  std::size_t member_used_ = 0;  // bytes of this member taken so far
};

// Compresses to .gz: one member, without a name or a time, so that equal input gives equal output.
// Throws trace_error(refused) for a level outside 0 to 9.
class gzip_sink final : public compressor {
 public:
  explicit gzip_sink(std::unique_ptr<sink> out, const output_options& options = {})
      : compressor(std::move(out)) {
    const int level = checked_level(codec::gzip, options.level.value_or(6), 0, 9);
    if (deflateInit2(&stream_, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
    header_.os = 255;  // "unknown": zlib would put its host's number
    deflateSetHeader(&stream_, &header_);
  }
  ~gzip_sink() override { deflateEnd(&stream_); }

 private:
  step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) override {
    const uInt given = detail::zlib_size(in.size());
    const uInt room = detail::zlib_size(out.size());
    stream_.next_in = detail::zlib_input(in);
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int ret = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
    return {given - stream_.avail_in, room - stream_.avail_out, ret == Z_STREAM_END};
  }

  z_stream stream_{};
  gz_header header_{};
};

}  // namespace tracecodec::io
