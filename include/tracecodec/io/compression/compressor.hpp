// Base class of the compressors. It owns the buffer of compressed bytes and implements write() and
// finish(). Each codec supplies an encoder, which encodes as many bytes as fit into the buffer.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../error.hpp"
#include "../os/interruption.hpp"
#include "../output/sink.hpp"
#include "codec.hpp"

namespace tracecodec::io {

namespace detail {

// Base class of the encoders of all codecs. An encoder owns the state of the codec's library.
class encoder {
 public:
  struct step {
    std::size_t used = 0;     // bytes consumed from the front of `in`
    std::size_t written = 0;  // bytes written to the front of `out`
    bool done = false;        // true if `last` was true and all output is written
  };

  encoder() = default;
  encoder(const encoder&) = delete;
  encoder& operator=(const encoder&) = delete;
  virtual ~encoder() = default;

  // Encodes bytes from `in` to `out`. If `last` is true, `in` must be empty, and the encoder also
  // writes its buffered bytes.
  virtual step encode(std::span<const std::byte> in, bool last, std::span<std::byte> out) = 0;
};

}  // namespace detail

// Base class of the compressing sinks. Each sink supplies an encoder. write() and finish() throw
// the errors of the underlying sink, and throw interruption if the program should stop. If the
// compressor has finished or failed, write() and finish() throw trace_error(refused). A failed
// compressor therefore never completes its output.
class compressor : public sink {
 public:
  void write(std::span<const std::byte> bytes) final;
  void finish() final;

 protected:
  compressor(std::unique_ptr<sink> out, std::unique_ptr<detail::encoder> encoder);

  // Returns `level`, or throws trace_error(refused) if `level` is not between `lowest` and
  // `highest`.
  static int checked_level(codec kind, int level, int lowest, int highest);

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} << 10;
  // Maximum number of bytes to compress between two checks for interruption.
  static constexpr std::size_t at_once = std::size_t{256} << 10;

  void open_only() const;
  detail::encoder::step pass(std::span<const std::byte> in, bool last);

  std::unique_ptr<sink> out_;
  std::unique_ptr<std::byte[]> buffer_;
  bool usable_ = true;
  std::unique_ptr<detail::encoder> encoder_;
};

inline compressor::compressor(std::unique_ptr<sink> out, std::unique_ptr<detail::encoder> encoder)
    : out_(std::move(out)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(buffer_size)),
      encoder_(std::move(encoder)) {}

inline void compressor::write(std::span<const std::byte> bytes) {
  open_only();
  // Reset this flag only after the loop, so that the compressor remains unusable if the loop
  // throws.
  usable_ = false;
  while (!bytes.empty()) bytes = bytes.subspan(pass(bytes, false).used);
  usable_ = true;
}

inline void compressor::finish() {
  open_only();
  usable_ = false;
  while (!pass({}, true).done) {
  }
  out_->finish();
}

inline int compressor::checked_level(codec kind, int level, int lowest, int highest) {
  if (level >= lowest && level <= highest) return level;
  throw trace_error(trace_errc::refused, {},
                    std::string(codec_name(kind)) + " has levels " + std::to_string(lowest) +
                        " to " + std::to_string(highest) + ", not " + std::to_string(level));
}

inline void compressor::open_only() const {
  if (!usable_) throw trace_error(trace_errc::refused, {}, "output already finished or failed");
}

inline detail::encoder::step compressor::pass(std::span<const std::byte> in, bool last) {
  if (interrupted()) throw interruption();
  in = in.first(std::min(in.size(), at_once));
  const detail::encoder::step s = encoder_->encode(in, last, {buffer_.get(), buffer_size});
  if (s.written != 0) out_->write({buffer_.get(), s.written});
  return s;
}

}  // namespace tracecodec::io
