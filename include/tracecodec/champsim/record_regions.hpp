// Finds the places where a trace's records change their size: traces to which programs with other
// records have appended are such. Nothing in a file says so: it shows in ips that follow each other
// no longer, but do so in records of another size, or at another place.
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

// How the records of a region seem to lie: of `size` bytes, with an ip at all offsets in the file
// that are `ip_at` modulo `size`.
struct record_layout {
  std::size_t size = 0;
  std::size_t ip_at = 0;
  friend constexpr bool operator==(const record_layout&, const record_layout&) = default;
};

namespace detail {

// Pairs of neighbours less than this share of which follow each other are no code of this size.
inline constexpr double least_sequential = 0.3;

// Whether a program may run from one to the other without a branch: a repeated string instruction
// stays.
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

// Of `pairs` pairs of neighbours those at the front follow each other mostly, those behind hardly:
// how many are at the front. What a pair adds is the likelihood of three out of four against that
// of one out of thirty.
template <class Follows> std::size_t front_pairs(std::size_t pairs, Follows follows) {
  std::size_t best = 0;
  int sum = 0, most = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    sum += follows(i) ? 7 : -3;
    if (sum > most) most = sum, best = i + 1;
  }
  return best;
}

// How many records at the front are as the trace's, before those that are not.
template <trace_record R> std::size_t front_records(std::span<const R> all) {
  const std::size_t pairs = all.empty() ? 0 : front_pairs(all.size() - 1, [&](std::size_t i) {
    return runs_on(all[i].ip, all[i + 1].ip);
  });
  if (pairs == 0) return 0;
  std::size_t n = pairs + 1;
  // The last of them may be a branch, and what follows it goes somewhere near.
  for (; n < all.size() && n <= pairs + 4; ++n) {
    const R &last = all[n - 1], &next = all[n];
    const std::uint64_t far = next.ip - last.ip + (std::uint64_t{1} << 31);
    if (last.branch_taken != 1 || next.is_branch > 1 || next.branch_taken > 1 || next.ip == 0 ||
        far >> 32 != 0)
      break;
  }
  return n;
}
// How many records at the front are not, before those that are.
template <trace_record R> std::size_t foreign_records(std::span<const R> all) {
  if (all.size() < 2) return 0;
  const std::size_t pairs = front_pairs(all.size() - 1, [&](std::size_t i) {
    const std::size_t at = all.size() - 2 - i;
    return runs_on(all[at].ip, all[at + 1].ip);
  });
  return all.size() - 1 - pairs;
}

// The bytes of records in a trace; of those that are decoded they are made again in `buffer`.
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

// The ips in records of a layout, of the bytes at `offset` of the file.
class ips_of {
 public:
  ips_of(std::span<const std::byte> bytes, std::uint64_t offset, const record_layout& l);

  [[nodiscard]] std::size_t size() const;
  // Where the i-th one is in the bytes.
  [[nodiscard]] std::size_t at(std::size_t i) const { return first_ + i * size_; }
  // Whether the one behind it follows.
  [[nodiscard]] bool sequential(std::size_t i) const;
  [[nodiscard]] double share() const;
  // How many bytes are before the first of those at the end that follow each other.
  [[nodiscard]] std::size_t begin() const;

 private:
  std::span<const std::byte> bytes_;
  std::size_t size_, first_;
};

}  // namespace detail

// The layout from 16 to 256 bytes, a multiple of 4, that explains the bytes at `offset` of a file
// best; nullopt if none explains them. C's structs have their members at multiples of 8 in a
// record; a record may begin anywhere.
TRACECODEC_FUNC std::optional<record_layout> guess_layout(std::span<const std::byte> bytes,
                                                          std::uint64_t offset);

// The same of the first bytes of a file: as guess_record_size_of_file() has it, but for records of up to 256 bytes that
// begin elsewhere than at a multiple of 8.
TRACECODEC_FUNC std::optional<record_layout> guess_layout_of_file(
    std::span<const std::byte> bytes, std::optional<std::uint64_t> file_size);

// Goes through a trace's records and tells which are its own.
template <trace_record R> class record_regions {
 public:
  // Records that are judged at once.
  static constexpr std::size_t window = 128;

  struct part {
    std::size_t records = 0;
    // Of a region that is no trace of `R`s: what it seems to be.
    std::optional<record_layout> layout = {};
  };

  // The first of `rest`, which is not empty and follows what was asked for before; `index` is that
  // of its first record. A region that is read wrong is found within a window of where it begins.
  // Time: some 2 ms for a window that no layout explains, and then for 1 in 64 of them.
  part next(std::span<const R> rest, std::uint64_t index) {
    const auto now = front(rest, window);
    if (now.size() < enough) return {now.size(), layout_};
    return layout_ ? next_foreign(rest, now, index) : next_own(rest, now, index);
  }

 private:
  using codec = codec_of<R>;
  static constexpr std::size_t enough = 16;         // records that can be judged
  static constexpr std::size_t judged = 32 * 1024;  // bytes for a guess
  static constexpr unsigned longest_wait = 63;      // windows without one

  static std::span<const R> front(std::span<const R> records, std::size_t most) {
    return records.size() > most ? records.first(most) : records;
  }
  static bool own(std::span<const R> records) {
    return detail::sequential_share(records) >= detail::least_sequential;
  }

  part next_own(std::span<const R> rest, std::span<const R> now, std::uint64_t index) {
    if (own(now)) {
      // The next ones may begin in this window.
      const auto behind = front(rest.subspan(now.size()), window);
      if (behind.size() < enough) return {tail_cut_off(now), {}};
      if (own(behind)) return {now.size(), {}};
      if (!guess(rest.subspan(now.size()), index + now.size())) return {now.size(), {}};
      return {detail::front_records(rest.first(now.size() + behind.size())), {}};
    }
    if (!guess(rest, index)) return {now.size(), {}};
    const std::size_t sound = detail::front_records(now);
    return sound != 0 ? part{sound, {}} : part{now.size(), layout_};
  }

  // What is behind the window is not known: how many records of it are own, or all if few are not.
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
    if (!guess(rest, index)) layout_ = was;  // a few jumps, or bytes between
    if (*layout_ == was) return {now.size(), was};
    const std::size_t before = ips(*layout_).begin() / codec::size;
    if (before != 0) return {before < now.size() ? before : now.size(), was};
    return {now.size(), layout_};
  }

  // Whether what begins at `rest` is something else.
  bool guess(std::span<const R> rest, std::uint64_t index) {
    if (wait_ != 0) {
      --wait_;
      return false;
    }
    const auto some = front(rest, judged / codec::size);
    layout_ = guess_layout(detail::bytes_of(some, buffer_), index * codec::size);
    // The trace's own, but every second or third record only: of a program that jumps about.
    if (layout_ && layout_->size % codec::size == 0 &&
        layout_->ip_at % codec::size == codec::template offset_of<&R::ip>)
      layout_.reset();
    failed_ = layout_ ? 0 : 2 * failed_ + 1 < longest_wait ? 2 * failed_ + 1 : longest_wait;
    wait_ = failed_;
    return layout_.has_value();
  }

  std::optional<record_layout> layout_ = {};
  unsigned wait_ = 0, failed_ = 0;  // windows
  std::vector<std::byte> buffer_ = {};
};

// What helps with a trace that seems to have such records from the first on, for a message.
TRACECODEC_FUNC std::string advice(const record_layout& l);

namespace detail {
// Of records of `size` bytes whose ip is at `ip_at`.
TRACECODEC_FUNC std::string describe(const record_layout& l, std::size_t size, std::size_t ip_at);
}  // namespace detail

// What a region of another layout seems to be, for a message: "records of 232 bytes, not 64".
template <trace_record R> std::string describe(const record_layout& l) {
  return detail::describe(l, codec_of<R>::size, codec_of<R>::template offset_of<&R::ip>);
}

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/record_regions.ipp"
#endif
