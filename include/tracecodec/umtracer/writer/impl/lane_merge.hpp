// Stores records with sequence numbers in lanes, one for each thread, and merges the lanes by
// sequence number.
#pragma once
#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "lanes.hpp"

namespace tracecodec::umtracer::detail {

// Header of a record in a lane. The bytes of the record and of its system call follow.
struct piece_header {
  std::uint64_t sequence;
  std::uint64_t record_size;
  std::uint64_t call_size;
};
using piece_codec = wire::record<piece_header>;

struct piece {
  std::uint64_t sequence = 0;
  std::span<const std::byte> record = {}, call = {};
};

// Appends a record and its system call to a lane. Returns the address of the appended bytes, which
// the caller must fill before calling another function.
inline std::byte* append_piece(lanes& to, std::size_t lane, const piece_header& h) {
  std::byte* const at =
      to.append(lane, piece_codec::size + static_cast<std::size_t>(h.record_size + h.call_size));
  piece_codec::store(h, at);
  return at + piece_codec::size;
}

// Reader of the pieces in a lane, one at a time.
class lane_reader {
 public:
  explicit lane_reader(lanes::cursor lane) : lane_(lane) {}

  [[nodiscard]] const piece& front() const noexcept { return front_; }
  // Advances to the next piece, which becomes front(). Returns false if there is no next piece.
  bool advance() {
    if (run_.empty()) run_ = lane_.next();
    if (run_.empty()) return false;
    const piece_header h = piece_codec::load(run_.data());
    run_ = run_.subspan(piece_codec::size);
    front_ = {h.sequence, take(h.record_size), take(h.call_size)};
    return true;
  }

 private:
  std::span<const std::byte> take(std::uint64_t n) {
    const auto taken = run_.first(static_cast<std::size_t>(n));
    run_ = run_.subspan(taken.size());
    return taken;
  }

  lanes::cursor lane_;
  std::span<const std::byte> run_ = {};
  piece front_ = {};
};

// Calls f(piece) for the pieces of all lanes in ascending order of sequence number. The pieces of
// each lane must already be in this order. Pieces with equal sequence numbers are visited in the
// order of the lanes. The lanes must be sealed.
template <class F> void merge_lanes(const lanes& from, F&& f) {
  std::vector<lane_reader> readers;
  using entry = std::pair<std::uint64_t, std::size_t>;  // sequence, lane
  struct later {
    bool operator()(const entry& a, const entry& b) const noexcept { return a > b; }
  };
  std::priority_queue<entry, std::vector<entry>, later> next;
  const auto advance = [&](std::size_t i) {
    if (readers[i].advance()) next.emplace(readers[i].front().sequence, i);
  };
  for (std::size_t i = 0; i < from.size(); ++i) {
    readers.emplace_back(from.read(i));
    advance(i);
  }
  while (!next.empty()) {
    const std::size_t i = next.top().second;
    next.pop();
    f(readers[i].front());
    advance(i);
  }
}

}  // namespace tracecodec::umtracer::detail
