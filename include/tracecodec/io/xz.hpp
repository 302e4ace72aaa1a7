// xz: decompression and multi-block compression with liblzma, both on several threads.
// The one header that includes lzma.h; link with -llzma.
#pragma once
#include <lzma.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "compressor.hpp"
#include "decompressor.hpp"
#include "options.hpp"

namespace tracecodec::io {

namespace detail {

inline std::uint32_t lzma_threads(unsigned wanted) {
  const unsigned n = wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
  return std::min<std::uint32_t>(n, 16384);  // liblzma refuses more
}

inline std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes >> 20) + ((bytes & 0xFFFFF) != 0)) + " MiB";
}

// Bytes of memory that a block takes to decode whose header ends where `in` ends; 0 if none does.
// lzma_memusage() tells this for the single-threaded decoder only.
inline std::uint64_t lzma_block_memory([[maybe_unused]] std::span<const std::byte> in) {
#if LZMA_VERSION >= 50040002
  for (std::uint32_t size = LZMA_BLOCK_HEADER_SIZE_MIN;
       size <= std::min<std::size_t>(in.size(), LZMA_BLOCK_HEADER_SIZE_MAX); size += 4) {
    const std::span<const std::byte> header = in.last(size);
    if (lzma_block_header_size_decode(std::to_integer<std::uint32_t>(header[0])) != size) continue;
    lzma_filter filters[LZMA_FILTERS_MAX + 1];
    lzma_block block{};
    block.version = 1;
    block.header_size = size;
    block.check = LZMA_CHECK_NONE;
    block.filters = filters;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(header.data());
    if (lzma_block_header_decode(&block, nullptr, bytes) != LZMA_OK) continue;  // also a wrong CRC
    const std::uint64_t memory = lzma_raw_decoder_memusage(filters);
    lzma_filters_free(filters, nullptr);
    return memory;
  }
#endif
  return 0;
}

}  // namespace detail

// Decompresses .xz: concatenated streams and stream padding too. Several blocks are decoded at once
// if they carry their sizes, as those of xz_sink and of `xz -T0` do, on as many cores as
// xz_options::threading_memory allows: four for the former, one for the latter by default.
// Errors: see decompressor; trace_error(unsupported) also for a file that needs more than
// xz_options::memory.
class xz_source final : public decompressor {
 public:
  explicit xz_source(std::unique_ptr<source> compressed, std::string name,
                     const xz_options& options = {})
      : decompressor(codec::xz, std::move(compressed), std::move(name)), limit_(options.memory) {
    if (start(options) != LZMA_OK) throw std::bad_alloc();
  }
  ~xz_source() override { lzma_end(&stream_); }

 private:
  lzma_ret start(const xz_options& options) {
#if LZMA_VERSION >= 50040002  // 5.4.0, the first stable version with a threaded decoder
    if (options.threads == 1)
      return lzma_stream_decoder(&stream_, options.memory, LZMA_CONCATENATED);
    lzma_mt mt{};
    // No LZMA_FAIL_FAST: what precedes an error is to be delivered. No timeout: a call may block.
    mt.flags = LZMA_CONCATENATED;
    mt.threads = detail::lzma_threads(options.threads);
    mt.memlimit_threading = options.threading_memory;
    mt.memlimit_stop = options.memory;
    return lzma_stream_decoder_mt(&stream_, &mt);
#else
    return lzma_stream_decoder(&stream_, options.memory, LZMA_CONCATENATED);
#endif
  }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret ret = lzma_code(&stream_, in.empty() ? LZMA_FINISH : LZMA_RUN);
    step s{in.size() - stream_.avail_in, out.size() - stream_.avail_out};
    const auto failed = [&s](trace_errc code, const std::string& message) {
      s.what = outcome::failed;
      s.code = code;
      s.message = message;
    };
    switch (ret) {
      case LZMA_OK:
      case LZMA_BUF_ERROR:  // no progress twice; the base class counts that
        break;
      case LZMA_STREAM_END:
        s.what = outcome::end;
        break;
      case LZMA_FORMAT_ERROR:
        s.what = outcome::not_a_member;
        break;
      case LZMA_MEMLIMIT_ERROR:
        failed(trace_errc::unsupported, memory_message(in.first(s.used)));
        break;
      case LZMA_OPTIONS_ERROR:
        failed(trace_errc::unsupported, "uses options that liblzma does not know");
        break;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      default:
        failed(trace_errc::corrupt, "liblzma reports an error in the data");
    }
    return s;
  }

  std::string memory_message(std::span<const std::byte> decoded) const {
    const std::uint64_t need =
        std::max(lzma_memusage(&stream_), detail::lzma_block_memory(decoded));
    return "needs " + (need > limit_ ? detail::mebibytes(need) : "more") +
           " of memory, the limit is " + detail::mebibytes(limit_);
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::uint64_t limit_;
};

// Compresses to .xz in independent blocks with their sizes in the headers and CRC64 checks: several
// are encoded, and later decoded, at once. The output does not depend on the number of threads.
// With the default options two blocks decode in 24 MiB; encoding takes 60 MiB for each thread.
// Throws trace_error(refused) for a level outside 0 to 9.
class xz_sink final : public compressor {
 public:
  explicit xz_sink(std::unique_ptr<sink> out, const output_options& options = {})
      : compressor(std::move(out)) {
    const int level = checked_level(codec::xz, options.level.value_or(6), 0, 9);
    lzma_options_lzma lzma{};
    lzma_lzma_preset(&lzma, static_cast<std::uint32_t>(level));
    // A dictionary larger than the block would only cost the decoder memory.
    const std::size_t block = std::max<std::size_t>(options.xz_block_size, LZMA_DICT_SIZE_MIN);
    if (block < lzma.dict_size) lzma.dict_size = static_cast<std::uint32_t>(block);
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma}, {LZMA_VLI_UNKNOWN, nullptr}};
    lzma_mt mt{};
    mt.threads = detail::lzma_threads(options.threads);
    mt.block_size = block;
    mt.filters = filters;
    mt.check = LZMA_CHECK_CRC64;
    if (lzma_stream_encoder_mt(&stream_, &mt) != LZMA_OK) throw std::bad_alloc();
  }
  ~xz_sink() override { lzma_end(&stream_); }

 private:
  step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret ret = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    if (ret != LZMA_OK && ret != LZMA_STREAM_END) throw std::bad_alloc();
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, ret == LZMA_STREAM_END};
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace tracecodec::io
