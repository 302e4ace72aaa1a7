// Only this file and xz_index.hpp include lzma.h.
#pragma once
#include "../xz.hpp"

#include <lzma.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "../../os/home_process.hpp"
#include "xz_index.hpp"

namespace tracecodec::io {

namespace detail {

TRACECODEC_FUNC std::uint32_t lzma_threads(unsigned wanted) {
  const unsigned n = wanted != 0 ? wanted : std::max(1U, lzma_cputhreads());
  // liblzma accepts at most 16,384 threads.
  return std::min<std::uint32_t>(n, 16384);
}

// Number of bytes that a decoder may need in addition to its dictionary. liblzma limits the sum,
// whereas xz_options::memory limits only the dictionary.
inline constexpr std::uint64_t lzma_besides = std::uint64_t{1} << 20;
constexpr std::uint64_t lzma_limit(std::uint64_t dictionary) noexcept {
  return std::min(dictionary, ~lzma_besides) + lzma_besides;
}

// Returns the memory in bytes that is needed to decode the block with the header at the end of
// `in`. Returns 0 if `in` does not end with a block header, or if liblzma is older than 5.4.0. This
// function is needed because lzma_memusage() reports the number only for the single-threaded
// decoder.
TRACECODEC_FUNC std::uint64_t lzma_block_memory([[maybe_unused]] std::span<const std::byte> in) {
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
    // If the bytes merely look like a header of this size, decoding fails, for example because of a
    // wrong CRC.
    if (lzma_block_header_decode(&block, nullptr, bytes) != LZMA_OK) continue;
    const std::uint64_t memory = lzma_raw_decoder_memusage(filters);
    lzma_filters_free(filters, nullptr);
    return memory;
  }
#endif
  return 0;
}

class xz_decoder final : public decoder {
 public:
  xz_decoder(const xz_options& options, std::string name)
      : options_(options), name_(std::move(name)) {
    start();
  }
  ~xz_decoder() override {
    if (has_its_threads()) lzma_end(&stream_);
  }

  std::optional<entry> find(source& from, std::uint64_t content) override {
    require_threads();
    if (!std::exchange(looked_, true)) index_ = xz_index::of(from, options_.threading_memory);
    place_ = index_ ? index_->find(from, content) : std::nullopt;
    if (!place_) return std::nullopt;
    return entry{place_->at, place_->content};
  }

  // Restarts decoding at block place_. The decoder receives a substitute stream that consists of a
  // header, the blocks of the file from place_ on, and an index of only these blocks.
  void restart() override {
    require_threads();
    start();
    first_ = place_;
    instead_ = xz_index::header(*first_);
    instead_used_ = 0;
    blocks_left_ = xz_index::blocks_size(*first_);
    tail_left_ = xz_index::tail_size(*first_);
    if (instead_.empty()) throw std::bad_alloc();
  }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    require_threads();
    if (!first_) return decode_bytes(in, out);
    if (instead_used_ != instead_.size()) {
      step s = decode_bytes(std::span(instead_).subspan(instead_used_), out);
      instead_used_ += std::exchange(s.used, 0);
      return s;
    }
    if (blocks_left_ != 0) {
      const step s = decode_bytes(front(in, blocks_left_), out);
      blocks_left_ -= s.used;
      if (blocks_left_ != 0) return s;
      instead_ = xz_index::tail(*first_);
      instead_used_ = 0;
      if (instead_.empty()) throw std::bad_alloc();
      return s;
    }
    const std::size_t passed = front(in, tail_left_).size();
    tail_left_ -= passed;
    if (tail_left_ == 0) first_.reset();
    return {passed, 0};
  }

 private:
  [[nodiscard]] bool has_its_threads() const { return options_.threads == 1 || home_.is_here(); }
  void require_threads() const {
    if (options_.threads != 1) home_.require(name_);
  }
  void start() {
    lzma_ret ret = LZMA_OK;
    const std::uint64_t most = lzma_limit(options_.memory);
#if LZMA_VERSION >= 50040002  // 5.4.0, the first stable version with a threaded decoder
    lzma_mt mt{};
    // LZMA_FAIL_FAST is not set, because the bytes before an error must be delivered. No timeout is
    // needed, because a call is allowed to block.
    mt.flags = LZMA_CONCATENATED;
    mt.threads = lzma_threads(options_.threads);
    mt.memlimit_threading = options_.threading_memory;
    mt.memlimit_stop = most;
    ret = options_.threads == 1 ? lzma_stream_decoder(&stream_, most, LZMA_CONCATENATED)
                                : lzma_stream_decoder_mt(&stream_, &mt);
#else
    ret = lzma_stream_decoder(&stream_, most, LZMA_CONCATENATED);
#endif
    if (ret != LZMA_OK) throw std::bad_alloc();
  }

  static std::span<const std::byte> front(std::span<const std::byte> in, std::uint64_t n) {
    return in.first(static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), n)));
  }

  step decode_bytes(std::span<const std::byte> in, std::span<std::byte> out) {
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
      // LZMA_BUF_ERROR means two consecutive calls without progress. It is not an error here,
      // because the base class counts such calls.
      case LZMA_BUF_ERROR:
        break;
      case LZMA_STREAM_END:
        s.what = outcome::end;
        break;
      case LZMA_FORMAT_ERROR:
        s.what = outcome::not_a_member;
        break;
      case LZMA_MEMLIMIT_ERROR:
        refuse_memory(s, needed(in.first(s.used)), options_.memory);
        break;
      case LZMA_OPTIONS_ERROR:
        failed(trace_errc::unsupported, "uses options that liblzma does not support");
        break;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      default:
        failed(trace_errc::corrupt, "liblzma reports an error in the data");
    }
    return s;
  }

  // Returns the size in bytes of the dictionary that is too large, or nullopt if liblzma does
  // not report the size. `decoded` must end right after the header that needs the dictionary.
  std::optional<std::uint64_t> needed(std::span<const std::byte> decoded) const {
    const std::uint64_t all = std::max(lzma_memusage(&stream_), lzma_block_memory(decoded));
    if (all <= lzma_limit(options_.memory)) return std::nullopt;
    // The result may be smaller than the dictionary, but by less than 1 MiB. This error is
    // acceptable, because the message rounds the size up to MiB.
    return all - lzma_besides;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  xz_options options_;
  std::string name_;
  home_process home_ = {};
  bool looked_ = false;  // true once find() has tried to read the index
  std::optional<xz_index> index_ = {};
  std::optional<xz_index::place> place_ = {};  // the last result of find()
  // First block of the substitute stream that restart() starts, or nullopt if the decoder reads the
  // file's own stream.
  std::optional<xz_index::place> first_ = {};
  // Current part of the substitute stream: first the header, later the index and the footer.
  std::vector<std::byte> instead_ = {};
  std::size_t instead_used_ = 0;
  std::uint64_t blocks_left_ = 0, tail_left_ = 0;  // numbers of bytes of the stream left to read
};

class xz_encoder final : public encoder {
 public:
  xz_encoder(int level, const output_options& options) {
    lzma_options_lzma lzma{};
    lzma_lzma_preset(&lzma, static_cast<std::uint32_t>(level));
    // Limit the dictionary to the size of a block, because a larger dictionary would only waste the
    // decoder's memory.
    const std::size_t block = std::max<std::size_t>(options.block_size, LZMA_DICT_SIZE_MIN);
    if (block < lzma.dict_size) lzma.dict_size = static_cast<std::uint32_t>(block);
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma}, {LZMA_VLI_UNKNOWN, nullptr}};
    lzma_mt mt{};
    mt.threads = lzma_threads(options.threads);
    mt.block_size = block;
    // Timeout in milliseconds. A call that waits for a block returns after this time, so that the
    // compressor can check for interruption.
    mt.timeout = 300;
    mt.filters = filters;
    mt.check = LZMA_CHECK_CRC64;
    if (lzma_stream_encoder_mt(&stream_, &mt) != LZMA_OK) throw std::bad_alloc();
  }
  ~xz_encoder() override {
    if (home_.is_here()) lzma_end(&stream_);
  }

  step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) override {
    home_.require({});
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret ret = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    if (ret != LZMA_OK && ret != LZMA_STREAM_END) throw std::bad_alloc();
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, ret == LZMA_STREAM_END};
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  home_process home_ = {};
};

}  // namespace detail

TRACECODEC_FUNC xz_source::xz_source(std::unique_ptr<source> compressed, std::string name,
                                     const xz_options& options)
    : decompressor(codec::xz, std::move(compressed), name,
                   std::make_unique<detail::xz_decoder>(options, name)) {}

TRACECODEC_FUNC xz_sink::xz_sink(std::unique_ptr<sink> out, const output_options& options)
    : compressor(std::move(out),
                 std::make_unique<detail::xz_encoder>(
                     checked_level(codec::xz, options.level.value_or(6), 0, 9), options)) {}

}  // namespace tracecodec::io
