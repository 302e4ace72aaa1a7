// Finds the places in a trace where the size of the records changes. The size changes if programs
// with different records append to one file. The file does not mark these places. A place is
// detected if the ips are no longer sequential, but would be sequential with another record size or
// offset.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "layout.hpp"
#include "record_size.hpp"

namespace tracecodec::champsim {

// Apparent layout of the records in a region. Each record has `size` bytes. An ip is located at
// each file offset that is equal to `ip_at` modulo `size`.
struct record_layout {
  std::size_t size = 0;
  std::size_t ip_at = 0;
  friend constexpr bool operator==(const record_layout&, const record_layout&) = default;
};

namespace detail {

// Minimum fraction of adjacent records with sequential ips if the record size is correct.
inline constexpr double least_sequential = 0.3;

// Returns true if a program may continue from `ip` to `next` without a branch. A repeated string
// instruction is executed several times at the same ip.
constexpr bool runs_on(std::uint64_t ip, std::uint64_t next) noexcept {
  return ip != 0 && next - ip <= 15;
}

template <trace_record R> double sequential_share(std::span<const R> records) {
  if (records.size() < 2) return 1;
  std::size_t n = 0;
  for (std::size_t i = 0; i + 1 < records.size(); ++i)
    n += runs_on(records[i].ip, records[i + 1].ip);
  return static_cast<double>(n) / static_cast<double>(records.size() - 1);
}

// Splits a sequence of `pairs` pairs into a front part and a rest. follows(i) is true for most
// pairs in the front part, but only for a few pairs in the rest. Returns the number of pairs in the
// front part. The weights 7 and -3 are proportional to log-likelihood ratios. The assumed
// frequencies of follows(i) are three in four pairs in the front part, and one in thirty pairs in
// the rest.
template <class Follows> std::size_t front_pairs(std::size_t pairs, Follows follows) {
  std::size_t best = 0;
  int sum = 0, most = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    sum += follows(i) ? 7 : -3;
    if (sum > most) most = sum, best = i + 1;
  }
  return best;
}

// Returns the number of the trace's own records at the front of `all`. Foreign records, which have
// another layout, may follow.
template <trace_record R> std::size_t front_records(std::span<const R> all) {
  const std::size_t pairs = all.empty() ? 0 : front_pairs(all.size() - 1, [&](std::size_t i) {
    return runs_on(all[i].ip, all[i + 1].ip);
  });
  if (pairs == 0) return 0;
  std::size_t n = pairs + 1;
  // If the last record is a taken branch, also include the next record if its ip is nearby.
  for (; n < all.size() && n <= pairs + 4; ++n) {
    const R &last = all[n - 1], &next = all[n];
    const std::uint64_t far = next.ip - last.ip + (std::uint64_t{1} << 31);
    if (last.branch_taken != 1 || next.is_branch > 1 || next.branch_taken > 1 || next.ip == 0 ||
        far >> 32 != 0)
      break;
  }
  return n;
}
// Returns the number of foreign records at the front of `all`. The trace's own records follow.
template <trace_record R> std::size_t foreign_records(std::span<const R> all) {
  if (all.size() < 2) return 0;
  const std::size_t pairs = front_pairs(all.size() - 1, [&](std::size_t i) {
    const std::size_t at = all.size() - 2 - i;
    return runs_on(all[at].ip, all[at + 1].ip);
  });
  return all.size() - 1 - pairs;
}

// Returns the bytes of the records, as stored in the trace. If the objects have another layout in
// memory, the records are encoded into `buffer`.
template <trace_record R>
std::span<const std::byte> bytes_of(std::span<const R> records, std::vector<std::byte>& buffer) {
  using codec = codec_of<R>;
  if constexpr (codec::object_layout) {
    return std::as_bytes(records);
  } else {
    buffer.resize(records.size() * codec::size);
    for (std::size_t i = 0; i < records.size(); ++i)
      codec::encode(records[i], std::span(buffer).subspan(i * codec::size));
    return buffer;
  }
}

// Ips in a sequence of bytes, on the assumption that the bytes contain records of the layout `l`.
// The bytes begin at `offset` in the file.
class ips_of {
 public:
  ips_of(std::span<const std::byte> bytes, std::uint64_t offset, const record_layout& l);

  [[nodiscard]] std::size_t size() const;
  // Returns the offset of ip number `i` in the bytes.
  [[nodiscard]] std::size_t at(std::size_t i) const { return first_ + i * size_; }
  // Returns true if ip number `i` + 1 can directly follow ip number `i`.
  [[nodiscard]] bool sequential(std::size_t i) const;
  [[nodiscard]] double share() const;
  // Returns the number of bytes before the final run of sequential ips.
  [[nodiscard]] std::size_t begin() const;

 private:
  std::span<const std::byte> bytes_;
  std::size_t size_, first_;
};

}  // namespace detail

// Returns the layout that best explains the bytes at `offset` in a file. Returns nullopt if no
// layout reaches detail::least_sequential. Considers sizes that are multiples of 4 from 16 to 256
// bytes. The offset of the ip in a record must be a multiple of 4, but a record may begin anywhere.
TRACECODEC_FUNC std::optional<record_layout> guess_layout(std::span<const std::byte> bytes,
                                                          std::uint64_t offset);

// Returns the layout that best explains the first bytes of a file. Follows the rules of
// guess_record_size_of_file(), but also considers records of up to 256 bytes that begin at offsets
// that are not multiples of 8.
TRACECODEC_FUNC std::optional<record_layout> guess_layout_of_file(
    std::span<const std::byte> bytes, std::optional<std::uint64_t> file_size);

// Separator of a trace's own records from foreign records, which have another layout. Works in one
// pass.
template <trace_record R> class record_regions {
 public:
  // Number of records that are examined at once.
  static constexpr std::size_t window = 128;

  struct part {
    std::size_t records = 0;
    // Apparent layout of foreign records, or nullopt if the part consists of the trace's own
    // records.
    std::optional<record_layout> layout = {};
  };

  // Returns the first part of `rest`. `rest` must not be empty, and must begin at the end of the
  // previous part. `index` is the number of the first record in `rest`. A foreign region is
  // detected within one window after its beginning. Searching for the layout of a window takes
  // about 2 ms. After repeated failures, only one in 64 windows is searched.
  part next(std::span<const R> rest, std::uint64_t index) {
    const auto now = front(rest, window);
    if (now.size() < enough) return {now.size(), layout_};
    return layout_ ? next_foreign(rest, now, index) : next_own(rest, now, index);
  }

 private:
  using codec = codec_of<R>;
  static constexpr std::size_t enough = 16;         // minimum number of records for a decision
  static constexpr std::size_t judged = 32 * 1024;  // number of bytes that a guess examines
  static constexpr unsigned longest_wait = 63;      // maximum number of windows without a guess

  static std::span<const R> front(std::span<const R> records, std::size_t most) {
    return records.size() > most ? records.first(most) : records;
  }
  static bool own(std::span<const R> records) {
    return detail::sequential_share(records) >= detail::least_sequential;
  }

  part next_own(std::span<const R> rest, std::span<const R> now, std::uint64_t index) {
    if (own(now)) {
      // A foreign region may begin in this window, so also examine the next window.
      const auto following = front(rest.subspan(now.size()), window);
      if (following.size() < enough) return {tail_cut_off(now), {}};
      if (own(following)) return {now.size(), {}};
      if (!guess(rest.subspan(now.size()), index + now.size())) return {now.size(), {}};
      return {detail::front_records(rest.first(now.size() + following.size())), {}};
    }
    if (!guess(rest, index)) return {now.size(), {}};
    const std::size_t sound = detail::front_records(now);
    return sound != 0 ? part{sound, {}} : part{now.size(), layout_};
  }

  // Returns the number of own records in the trace's last window. If only a few records seem
  // foreign, all records are treated as the trace's own, because no later records can confirm the
  // difference.
  static std::size_t tail_cut_off(std::span<const R> now) {
    const std::size_t n = detail::front_records(now);
    return n + enough <= now.size() && !own(now.subspan(n)) ? n : now.size();
  }

  part next_foreign(std::span<const R> rest, std::span<const R> now, std::uint64_t index) {
    if (own(now)) {
      const std::size_t foreign = detail::foreign_records(now);
      const auto was = std::exchange(layout_, std::nullopt);
      return foreign != 0 ? part{foreign, was} : part{now.size(), {}};
    }
    const auto ips = [&](const record_layout& l) {
      return detail::ips_of(detail::bytes_of(now, buffer_), index * codec::size, l);
    };
    if (ips(*layout_).share() >= detail::least_sequential) return {now.size(), layout_};
    const record_layout was = *layout_;
    // If no layout is found, keep the previous layout. The window may merely contain a few jumps,
    // or bytes between regions.
    if (!guess(rest, index)) layout_ = was;
    if (*layout_ == was) return {now.size(), was};
    const std::size_t before = ips(*layout_).begin() / codec::size;
    if (before != 0) return {before < now.size() ? before : now.size(), was};
    return {now.size(), layout_};
  }

  // Guesses the layout of the records, starting at the beginning of `rest`. Returns false if only
  // the trace's own layout fits, or while wait_ suspends guessing.
  bool guess(std::span<const R> rest, std::uint64_t index) {
    if (wait_ != 0) {
      --wait_;
      return false;
    }
    const auto some = front(rest, judged / codec::size);
    layout_ = guess_layout(detail::bytes_of(some, buffer_), index * codec::size);
    // A multiple of the trace's own record size is not a new layout. In a program that jumps often,
    // only every second or third record may have a sequential ip.
    if (layout_ && layout_->size % codec::size == 0 &&
        layout_->ip_at % codec::size == codec::template offset_of<&R::ip>)
      layout_.reset();
    failed_ = layout_ ? 0 : 2 * failed_ + 1 < longest_wait ? 2 * failed_ + 1 : longest_wait;
    wait_ = failed_;
    return layout_.has_value();
  }

  std::optional<record_layout> layout_ = {};
  unsigned wait_ = 0, failed_ = 0;  // remaining and total length of the wait, in windows
  std::vector<std::byte> buffer_ = {};
};

// Returns advice for the user of a trace that seems to begin with records of the layout `l`.
TRACECODEC_FUNC std::string advice(const record_layout& l);

namespace detail {
// Returns a description of the layout `l`, compared with records of `size` bytes and an ip at
// offset `ip_at`.
TRACECODEC_FUNC std::string describe(const record_layout& l, std::size_t size, std::size_t ip_at);
}  // namespace detail

// Returns a description of a foreign region for a message, such as "records of 232 bytes, not
// 64".
template <trace_record R> std::string describe(const record_layout& l) {
  return detail::describe(l, codec_of<R>::size, codec_of<R>::template offset_of<&R::ip>);
}

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/record_regions.ipp"
#endif
