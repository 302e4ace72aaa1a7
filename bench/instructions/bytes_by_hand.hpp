// Bytes of the hand-written codecs: copies in the byte order of this machine.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>

namespace by_hand {

using bytes_in = std::span<const std::byte>;
using bytes_out = std::span<std::byte>;

template <class T> T get(const std::byte* p) noexcept {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
// put() and put_bytes() return the end of the written bytes.
template <class T> std::byte* put(T v, std::byte* p) noexcept {
  std::memcpy(p, &v, sizeof v);
  return p + sizeof v;
}
inline std::byte* put_bytes(bytes_in from, std::byte* p) noexcept {
  if (!from.empty()) std::memcpy(p, from.data(), from.size());
  return p + from.size();
}

}  // namespace by_hand
