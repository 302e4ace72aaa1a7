// How much of its input the library of a codec of frames gets in one call.
#pragma once
#include <cstddef>

namespace tracecodec::io::detail {

// On an error libzstd and liblz4 do not report what they wrote in that call. So a call that may still
// have bytes to write gets no input, and the others no more than one block: a library asks for a
// block and the next one's header, and the header waits for its turn.
template <std::size_t FirstPiece, std::size_t BlockHeader> class block_pieces {
 public:
  // Bytes that the next call may have.
  [[nodiscard]] std::size_t next() const noexcept {
    return was_full_ ? 0 : wanted_ > BlockHeader ? wanted_ - BlockHeader : wanted_;
  }

  // After a call: `wanted` is what the library asks for, 0 at a frame's end; `full` is true if the
  // call filled all of the output.
  void advance(std::size_t wanted, bool full) noexcept {
    wanted_ = wanted == 0 ? FirstPiece : wanted;
    was_full_ = full;
  }

 private:
  std::size_t wanted_ = FirstPiece;
  bool was_full_ = false;
};

}  // namespace tracecodec::io::detail
