// Limits the input of each call to a library that decodes frames.
#pragma once
#include <cstddef>

namespace tracecodec::io::detail {

// Input size for the next call to libzstd or liblz4. If a call fails, the libraries do not report
// how much the call wrote. Therefore, a call receives no input if the previous call filled the
// output, because more output may follow. Any other call receives at most one block. The libraries
// request a block together with the header of the next block, so next() subtracts the size of that
// header.
template <std::size_t FirstPiece, std::size_t BlockHeader> class block_pieces {
 public:
  // Returns the maximum number of input bytes for the next call.
  [[nodiscard]] std::size_t next() const noexcept {
    return was_full_ ? 0 : wanted_ > BlockHeader ? wanted_ - BlockHeader : wanted_;
  }

  // Updates the state after a call. `wanted` is the number of bytes that the library requests,
  // or 0 at the end of a frame. `full` is true if the call filled the output.
  void advance(std::size_t wanted, bool full) noexcept {
    wanted_ = wanted == 0 ? FirstPiece : wanted;
    was_full_ = full;
  }

 private:
  std::size_t wanted_ = FirstPiece;
  bool was_full_ = false;
};

}  // namespace tracecodec::io::detail
