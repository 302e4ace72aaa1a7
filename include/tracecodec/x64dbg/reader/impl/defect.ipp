// Implementation of reader/defect.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../defect.hpp"
#include "../state.hpp"

namespace tracecodec::x64dbg {

template <target T>
std::size_t strict_size(std::span<const std::byte> in, bool needs_cip) noexcept {
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

template <target T> std::size_t bad_position(const block<T>& b) noexcept {
  std::size_t at =
      block_codec<T>::front_size + (b.has_thread ? sizeof b.thread : 0) + b.opcode_size;
  register_state<T>::walk(b, [&at](std::size_t, auto) { ++at; });
  return at;
}

namespace detail {
// Kind of data that continues a trace. `strict` is a block that strict_size() accepts, or the end
// of the trace. `cut` is a block that the end of the data truncates. `no` is anything else.
enum class sequel : std::uint8_t { strict, cut, no };
// Returns how a trace continues with `in`. `ended` is true if the trace ends with `in`.
template <target T> sequel what_follows(std::span<const std::byte> in, bool ended) noexcept {
  // Real user blocks are few and small. A large user block is more likely to be damage.
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

template <target T> bool mended_block<T>::find(std::span<const std::byte> in, bool ended,
                                               std::uint32_t thread) noexcept {
  using detail::sequel;
  constexpr wire::slice thread_bit = block_codec<T>::template slice_of<&block<T>::has_thread>;
  constexpr std::byte has_thread{1U << thread_bit.low_bit};
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

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::size_t bad_position(const block<target::x86>&) noexcept;
template std::size_t bad_position(const block<target::x64>&) noexcept;
template std::size_t strict_size<target::x86>(std::span<const std::byte>, bool) noexcept;
template std::size_t strict_size<target::x64>(std::span<const std::byte>, bool) noexcept;
template class mended_block<target::x86>;
template class mended_block<target::x64>;
#endif

}  // namespace tracecodec::x64dbg
