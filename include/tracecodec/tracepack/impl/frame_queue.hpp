// Queue of frames. The payloads are compressed by the caller's thread or by other threads. The
// frames are written in order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <utility>
#include <vector>

#include "../../io/compression/zstd_block.hpp"
#include "../layout.hpp"
#include "frame_writer.hpp"

namespace tracecodec::tracepack::detail {

inline constexpr int packing_level = 19;  // compression level of zstd

class frame_queue {
 public:
  // Creates an empty queue that uses `threads` threads in addition to the caller's thread. If
  // `threads` is 0, each frame is compressed immediately.
  frame_queue(frame_writer& out, unsigned threads) : out_(out), threads_(threads) {}

  // Returns the number of frames added so far.
  [[nodiscard]] std::uint32_t next() const noexcept { return next_; }

  // Adds a frame for `content_size` bytes of records. make(packer) must return the payload.
  template <class Make> void add(frame_kind kind, std::size_t content_size, std::uint32_t base,
                                 std::uint64_t digest, Make make) {
    ++next_;
    frame f{kind, content_size, base, digest, {}};
    if (threads_ == 0) {
      out_.add(kind, content_size, base, digest, make(packer_));
      return;
    }
    if (waiting_.size() == threads_) write_first();
    f.payload = std::async(std::launch::async, [make = std::move(make)]() mutable {
      io::zstd_packer packer(packing_level);
      return make(packer);
    });
    waiting_.push_back(std::move(f));
  }
  void finish() {
    while (!waiting_.empty()) write_first();
  }

 private:
  struct frame {
    frame_kind kind;
    std::size_t content_size;
    std::uint32_t base;
    std::uint64_t digest;
    std::future<std::vector<std::byte>> payload;
  };
  void write_first() {
    frame f = std::move(waiting_.front());
    waiting_.pop_front();
    out_.add(f.kind, f.content_size, f.base, f.digest, f.payload.get());
  }

  frame_writer& out_;
  unsigned threads_;
  std::uint32_t next_ = 0;
  io::zstd_packer packer_{packing_level};
  std::deque<frame> waiting_ = {};
};

}  // namespace tracecodec::tracepack::detail
