// The thread-id defect (x64dbg of October 2017 to August 2026): the first block after a switch has
// the four bytes of a thread id, but not the bit that says so. How such a block is recognised.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "state.hpp"

namespace tracecodec::x64dbg {

// Bytes of the instruction block at the front of `in`, if it is one as x64dbg writes it: reserved
// bits 0, an opcode, at most 32 accesses, positions in REGDUMP and cip among them. Else 0. (Where
// cip stays, in a repeated string instruction, x64dbg leaves it out.)
template <target T>
std::size_t strict_size(std::span<const std::byte> in, bool needs_cip = true) noexcept {
  block<T> b{};
  const auto r = any_block_codec<T>::decode(in, b);
  if (!r || b.type != instruction_type || b.reserved != 0 || b.opcode_size == 0 ||
      b.accesses > largest_accesses)
    return 0;
  for (const std::uint8_t flags : b.access_flags)
    if (flags > 1) return 0;
  bool cip = false;
  const bool in_range = register_state<T>::walk(
      b, [&cip](std::size_t w, auto) { cip |= w == register_state<T>::cip_word; });
  return in_range && (cip || !needs_cip) ? r.used : 0;
}

namespace detail {
// Whether `in` goes on as it would behind a sound block. `ended`: the trace ends with `in`.
enum class sequel : std::uint8_t { strict, cut, no };
template <target T> sequel what_follows(std::span<const std::byte> in, bool ended) noexcept {
  // User blocks are few and small; a large one is rather a misparse.
  for (int user_blocks = 0;; ++user_blocks) {
    if (in.empty()) return ended ? sequel::strict : sequel::no;
    if (strict_size<T>(in, false) != 0) return sequel::strict;
    block<T> b{};
    const auto r = any_block_codec<T>::decode(in, b);
    if (!is_user_type(b.type))
      return ended && r.error == wire::errc::truncated ? sequel::cut : sequel::no;
    if (user_blocks == 4 || !r) return sequel::no;
    in = in.subspan(r.used);
  }
}
}  // namespace detail

// How many bytes is_defective() wants to see: two blocks, and a few user blocks between them.
template <target T> inline constexpr std::size_t defect_window = 2 * largest_block<T> + 4096;

// A block that was found defective, with the bit set that its thread id needs.
template <target T> class mended_block {
 public:
  // Whether the block at the front of `in` is defective. To be asked only behind a block that has
  // a thread id: no other can be. `ended`: the trace ends with `in`; `thread`: the thread of that
  // block. It is defective if it fails the strict parse, if it passes with 4 more bytes, the
  // following block too, and if the 4 bytes are a multiple of 4 other than `thread`.
  bool find(std::span<const std::byte> in, bool ended, std::uint32_t thread) noexcept {
    using detail::sequel;
    const std::size_t as_it_is = strict_size<T>(in);
    const sequel then =
        as_it_is != 0 ? detail::what_follows<T>(in.subspan(as_it_is), ended) : sequel::no;
    constexpr std::size_t front = block_codec<T>::front_size;
    if (then == sequel::strict || in.size() < front + sizeof thread ||
        (in[thread_bit.offset] & has_thread) != std::byte{0})
      return false;
    const std::size_t n = std::min(in.size(), bytes_.size());
    std::copy_n(in.begin(), n, bytes_.begin());
    bytes_[thread_bit.offset] |= has_thread;
    const std::uint32_t id = wire::u32le::load(&bytes_[front]);
    size_ = strict_size<T>(std::span<const std::byte>(bytes_).first(n));
    if (size_ == 0 || id % 4 != 0 || id == thread) return false;
    const sequel mended = detail::what_follows<T>(in.subspan(size_), ended);
    return mended == sequel::strict || (mended == sequel::cut && then == sequel::no);
  }

  // The whole block as it should have been written; until find() is called again.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return std::span(bytes_).first(size_);
  }

 private:
  static constexpr wire::slice thread_bit =
      block_codec<T>::template slice_of<&block<T>::has_thread>;
  static constexpr std::byte has_thread{1U << thread_bit.low_bit};
  std::array<std::byte, largest_block<T>> bytes_ = {};
  std::size_t size_ = 0;
};

}  // namespace tracecodec::x64dbg
