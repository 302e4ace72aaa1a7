// Implementation of memory.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../memory.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Calls f(index in the range, bit position in the access's value) for each byte that both the
// access `a` and the range of `size` bytes at `address` contain. Addresses wrap around.
template <class word, class F>
void each_common_byte(word address, std::size_t size, const memory_access& a, F&& f) {
  for (unsigned b = 0; b < sizeof(word); ++b) {
    const word at = static_cast<word>(static_cast<word>(a.address) + b - address);
    if (at < size) f(static_cast<std::size_t>(at), 8 * b);
  }
}

template <target T> std::optional<wire::word_t<T>> csp_of(const register_state<T>& s) {
  constexpr std::size_t w = register_state<T>::csp_word;
  return s.known(w) ? std::optional(s[w]) : std::nullopt;
}

// Returns true if the access `a` changes one of the `size` bytes at `address`. The recorded old
// values of PUSH and similar instructions are wrong, so these instructions are assumed to change
// all bytes that they store.
template <target T> bool changes(wire::word_t<T> address, std::size_t size, const memory_access& a,
                                 const instruction<T>& i) {
  const bool trusted = trusts_old_value<T>(a, i.opcode(), csp_of(*i.before));
  bool any = false;
  each_common_byte(address, size, a, [&](std::size_t, unsigned shift) {
    any = any || !trusted || ((a.old_value ^ *a.new_value) >> shift & 0xFFU) != 0;
  });
  return any;
}

template <target T> access_hit make_hit(const instruction<T>& i, const memory_access& a) {
  return {i.index, i.offset, i.thread, a};
}
}  // namespace detail

template <target T>
std::uint64_t memory_queries<T>::begin_of_stretch(std::uint64_t end, std::uint64_t low) {
  const snapshot* s = index_.before(end - 1);
  if (s == nullptr) return low;
  // Decompression can start only at certain offsets (entry_before()). Start the stretch at such an
  // offset, because all data after this offset must be decompressed anyway.
  const std::uint64_t entry = trace_.window().entry_before(s->offset);
  if (entry != s->offset) s = index_.at_offset(entry);
  return std::max(low, s->instruction);
}

template <target T> template <class F, class Done>
void memory_queries<T>::look_back(std::uint64_t n, std::uint64_t reach, F&& f, Done&& done) {
  n = std::min(n, index_.instructions());
  const std::uint64_t low = n > reach ? n - reach : 0;
  instruction<T> i;
  for (std::uint64_t end = n; end > low && !done();) {
    const std::uint64_t start = begin_of_stretch(end, low);
    trace_.seek(start, &index_);
    while (trace_.index() < end && trace_.next(i)) {
      f(i, end);
      count_one();
    }
    end = start;
  }
}

template <target T> std::vector<memory_byte> memory_queries<T>::at(std::uint64_t n, word address,
                                                                   std::size_t size,
                                                                   memory_reach reach) {
  using origin = memory_byte::origin;
  std::vector<memory_byte> found(size);
  std::vector<bool> closed(size);  // true for each byte with a final result
  std::size_t open = size;
  const auto take = [&](std::size_t i, std::uint8_t value, origin from, std::uint64_t by) {
    if (!closed[i]) --open;
    closed[i] = true;
    found[i] = {value, from, by};
  };
  const auto back = [&](const instruction<T>& i, std::uint64_t stretch_end) {
    // The instructions of a stretch are read forwards, so a later access in the stretch overrides
    // an earlier access.
    for (const memory_access& a : i.accesses())
      detail::each_common_byte(address, size, a, [&](std::size_t k, unsigned shift) {
        if (!closed[k] || found[k].instruction < stretch_end)
          take(k, static_cast<std::uint8_t>(a.value_after() >> shift), origin::earlier, i.index);
      });
  };
  const auto forward = [&](const instruction<T>& i) {
    for (const memory_access& a : i.accesses())
      detail::each_common_byte(address, size, a, [&](std::size_t k, unsigned shift) {
        if (closed[k]) return;
        const bool known = trusts_old_value<T>(a, i.opcode(), detail::csp_of(*i.before));
        take(k, known ? static_cast<std::uint8_t>(a.old_value >> shift) : std::uint8_t{0},
             known ? origin::later : origin::unknown, known ? i.index : 0);
      });
    return open == 0;
  };
  look_back(n, reach.back, back, [&open] { return open == 0; });
  if (open != 0) look_forward(n, reach.forward, forward);
  return found;
}

template <target T>
std::optional<access_hit> memory_queries<T>::last_write(std::uint64_t n, word address,
                                                        std::size_t size, std::uint64_t reach) {
  std::optional<access_hit> hit;
  const auto back = [&](const instruction<T>& i, std::uint64_t) {
    for (const memory_access& a : i.accesses())
      if (a.new_value && detail::changes(address, size, a, i)) hit = detail::make_hit(i, a);
  };
  look_back(n, reach, back, [&hit] { return hit.has_value(); });
  return hit;
}

template <target T>
std::optional<access_hit> memory_queries<T>::next_access(std::uint64_t n, word address,
                                                         std::size_t size, std::uint64_t reach) {
  std::optional<access_hit> hit;
  look_forward(n, reach, [&](const instruction<T>& i) {
    for (const memory_access& a : i.accesses())
      detail::each_common_byte(address, size, a, [&](std::size_t, unsigned) {
        if (!hit) hit = detail::make_hit(i, a);
      });
    return hit.has_value();
  });
  return hit;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class memory_queries<target::x86>;
template class memory_queries<target::x64>;
#endif

}  // namespace tracecodec::x64dbg
