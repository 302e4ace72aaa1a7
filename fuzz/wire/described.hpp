// Checks for random descriptions (descriptions.py): readers that decode byte by byte, and
// properties that hold for every description and all bytes.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "../target.hpp"
#include "tracecodec/wire.hpp"

namespace described {
namespace wire = tracecodec::wire;
using fuzz::bytes;
using fuzz::require;
using fuzz::view;

template <class... D> struct list {};

enum class small : std::uint8_t {};
enum wide : std::int32_t {};
struct pair {
  std::uint8_t kind;
  std::uint16_t value;
  friend constexpr bool operator==(const pair&, const pair&) = default;
};
using pair_codec = wire::record<pair>;

// Heap buffer of an exact size, so that a sanitizer detects accesses past its end.
class exact {
 public:
  explicit exact(view in) : p_(new std::byte[in.size()]), n_(in.size()) {
    std::copy(in.begin(), in.end(), p_.get());
  }
  explicit exact(std::size_t n) : p_(new std::byte[n]), n_(n) {
    std::fill(p_.get(), p_.get() + n, untouched);
  }
  [[nodiscard]] std::span<std::byte> span() const { return {p_.get(), n_}; }
  [[nodiscard]] bool clean() const {
    return std::all_of(p_.get(), p_.get() + n_, [](std::byte b) { return b == untouched; });
  }
  static constexpr std::byte untouched{0xA7};

 private:
  std::unique_ptr<std::byte[]> p_;
  std::size_t n_;
};

// Functions that counts and conditions of descriptions call.
template <class View> constexpr std::size_t odd_bytes(const View& v) {
  std::size_t n = 0;
  for (const std::byte b : v.bytes()) n += std::to_integer<std::size_t>(b) & 1U;
  return n;
}
inline int fickle() {  // a different number on each call
  static std::uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return static_cast<int>(state >> 16 & 0x7fff);
}

// Building blocks of the readers.
struct reading {
  std::size_t used = 0;
  bool cut = false;
  std::string_view field = {};
};
struct part {
  std::string_view name;
  std::uint64_t size;
};
template <class N> std::uint64_t elements(N count) {
  if constexpr (std::is_enum_v<N>)
    return elements(static_cast<std::underlying_type_t<N>>(count));
  else if constexpr (std::is_signed_v<N>)
    return count < 0 ? std::uint64_t{1} << 40
                     : std::min(static_cast<std::uint64_t>(count), std::uint64_t{1} << 40);
  else
    return std::min(static_cast<std::uint64_t>(count), std::uint64_t{1} << 40);
}
inline std::uint64_t number(const std::byte* p, unsigned n, bool big) {
  std::uint64_t v = 0;
  for (unsigned i = 0; i < n; ++i)
    v |= std::to_integer<std::uint64_t>(p[i]) << 8 * (big ? n - 1 - i : i);
  return v;
}
inline void put(bytes& out, std::uint64_t v, unsigned n, bool big) {
  for (unsigned i = 0; i < n; ++i)
    out.push_back(static_cast<std::byte>(v >> 8 * (big ? n - 1 - i : i) & 0xff));
}
inline const std::byte* keep(bytes& out, const std::byte* p, std::size_t n) {
  out.insert(out.end(), p, p + n);
  return p + n;
}
// True if the parts of a section are inside the input. Otherwise stores the first truncated part in
// `out`.
inline bool whole(const std::vector<part>& parts, view in, const std::byte* p, reading& out) {
  const auto at = static_cast<std::size_t>(p - in.data());
  std::uint64_t end = at;
  for (const part& each : parts) {
    if (end + each.size > in.size()) {
      out = {static_cast<std::size_t>(end), true, each.name};
      return false;
    }
    end += each.size;
  }
  return true;
}
template <class M> bool equal(const M& a, const M& b) { return a == b; }
template <class W> bool equal(const wire::array_view<W>& a, const wire::array_view<W>& b) {
  return a.bytes().data() == b.bytes().data() && a.size() == b.size();
}

inline bool inside(view part, view all) {
  return part.empty() ||
         (part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size());
}
// Reads every element.
template <class View> void touch(const View& v) {
  for (const auto e : v) {
    [[maybe_unused]] volatile auto seen = e == e;
  }
}

// Encodes `s` into the buffer. Encoding must not write outside the buffer, and must not write
// anything if it fails.
template <class Codec>
wire::result encode_into(const exact& out, const typename Codec::value_type& s) {
  const wire::result r = Codec::encode(s, out.span());
  require(r ? r.used <= out.span().size() : out.clean() && !r.field.empty(),
          "encode writes what it says");
  return r;
}

template <class D> void check_encode(const typename D::S& s, const bytes& canon) {
  using codec = typename D::codec;
  const exact out(canon.size());
  const wire::result w = encode_into<codec>(out, s);
  if constexpr (D::hostile) {
    // A function that reads members that are decoded later returns another result now than during
    // decoding.
    static_cast<void>(w);
  } else {
    require(w && w.used == canon.size() && fuzz::same(out.span(), canon),
            "encode gives the bytes, with padding of zero");
    require(codec::extent(s) == canon.size(), "the extent is what is written");
    if (!canon.empty())
      require(encode_into<codec>(exact(canon.size() - 1), s).error == wire::errc::no_space,
              "one byte less is too few");
    // Encoding must refuse an array that is one element shorter than its count.
    D::views(s, [&](auto member, const auto& v) {
      if (v.empty()) return;
      auto shorter = s;
      shorter.*member = v.subview(0, v.size() - 1);
      const exact buffer(canon.size());
      require(encode_into<codec>(buffer, shorter).error == wire::errc::count_mismatch,
              "a wrong count is refused");
    });
  }
}

// Checks all properties on some bytes. Returns true if they contain a whole record.
template <class D> bool check(view bytes_in) {
  using codec = typename D::codec;
  const exact held(bytes_in);
  const view in = held.span();
  typename D::S s{}, model{};
  const wire::result r = codec::decode(in, s);
  require(r.used <= in.size(), "no more is used than there is");
  require(r.field.empty() == bool(r), "an error names a field");
  require(bool(r) || D::hostile || r.error == wire::errc::truncated,
          "decode fails where the input ends");
  D::views(s, [&](auto, const auto& v) {
    require(inside(v.bytes(), in), "views lie in the input");
    touch(v);
  });
  if constexpr (D::fickle) {
    for (std::size_t n = 0; n < 8; ++n) static_cast<void>(encode_into<codec>(exact(n * n), s));
  } else {
    bytes canon;
    const reading expected = D::read(in, model, canon);
    // If a function reads members that are decoded later, the second scan, which searches for the
    // place of a failure, may get other results from the function than the first scan did.
    const bool same_place = r.used == expected.used && r.field == expected.field;
    require(bool(r) != expected.cut && (same_place || (D::hostile && !r)),
            "decode goes as far as a reader byte by byte");
    // After an error, any members may have been set.
    if (r) {
      require(D::same(s, model), "and finds the same");
      check_encode<D>(s, canon);
    }
  }
  return bool(r);
}

// Checks description `which`.
template <class... D> bool check_one_of(list<D...>, std::size_t which, view in) {
  bool result = false;
  std::size_t i = 0;
  ((i++ == which ? void(result = check<D>(in)) : void()), ...);
  return result;
}
template <class... D> constexpr std::size_t how_many(list<D...>) { return sizeof...(D); }
}  // namespace described
