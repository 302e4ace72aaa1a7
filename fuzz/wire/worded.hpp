// Checks for descriptions of all words (words.py). The expected results are in a separate file. A
// reader and a writer that share no code with the library produced this file. Other properties hold
// for all bytes.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <string_view>

#include "../target.hpp"
#include "tracecodec/io/checksum.hpp"
#include "tracecodec/wire.hpp"

namespace worded {
namespace wire = tracecodec::wire;
namespace io = tracecodec::io;
using fuzz::bytes;
using fuzz::require;
using fuzz::view;

template <class... D> struct list {};
enum class small : std::uint8_t {};
// Digest of 96 bits: the number of the bytes, their sum, and the sum of these sums, little-endian.
class digest {
 public:
  constexpr void update(view more) {
    for (const std::byte b : more) {
      numbers_[0] += 1;
      numbers_[1] += std::to_integer<std::uint32_t>(b);
      numbers_[2] += numbers_[1];
    }
  }
  constexpr std::array<std::uint8_t, 12> value() const {
    std::array<std::uint8_t, 12> out{};
    for (std::size_t i = 0; i < 12; ++i)
      out[i] = static_cast<std::uint8_t>(numbers_[i / 4] >> 8 * (i % 4) & 0xff);
    return out;
  }

 private:
  std::array<std::uint32_t, 3> numbers_ = {};
};
enum wide : std::int32_t {};
template <class S> struct codec_for;  // `type` is the codec of S

// Appends the members that are present, in encoded order, in the notation of words.py.
template <class T> void show(std::string& out, const T& v);
template <class V> void show_each(std::string& out, const V& all) {
  out += '[';
  for (const auto& v : all) {
    if (out.back() != '[') out += ',';
    show(out, v);
  }
  out += ']';
}
template <class Bits, class T> void show_bits(std::string& out, T v) {
  constexpr const char* digits = "0123456789abcdef";
  if (v != v) {
    out += "nan";
    return;
  }
  std::string hex;
  for (auto n = std::bit_cast<Bits>(v); n != 0 || hex.empty(); n >>= 4) hex += digits[n & 15];
  out += "0x";
  out.append(hex.rbegin(), hex.rend());
}
template <class T> void show(std::string& out, const T& v) {
  if constexpr (requires { typename codec_for<T>::type; }) {
    out += '{';
    codec_for<T>::type::walk(v, [&out](std::string_view name, const auto& member) {
      out += name;
      out += '=';
      show(out, member);
      out += ' ';
    });
    out += '}';
  } else if constexpr (std::is_same_v<T, wire::uint128>) {
    out += std::to_string(v.low) + ":" + std::to_string(v.high);
  } else if constexpr (std::is_same_v<T, float>) {
    show_bits<std::uint32_t>(out, v);
  } else if constexpr (std::is_same_v<T, double>) {
    show_bits<std::uint64_t>(out, v);
  } else if constexpr (std::is_same_v<T, char>) {
    out += std::to_string(static_cast<unsigned char>(v));
  } else if constexpr (std::is_enum_v<T>) {
    out += std::to_string(static_cast<std::underlying_type_t<T>>(v));
  } else if constexpr (std::is_arithmetic_v<T>) {
    out += std::to_string(v);
  } else {
    show_each(out, v);
    if constexpr (requires { v.stride(); }) out += "/" + std::to_string(v.stride());
  }
}
template <class T> std::string shown(const T& v) {
  std::string s;
  show(s, v);
  return s;
}

constexpr std::string_view name_of(wire::errc e) {
  constexpr std::string_view names[] = {"ok",
                                        "truncated",
                                        "no_space",
                                        "does_not_fit",
                                        "count_mismatch",
                                        "out_of_bounds",
                                        "invalid_value",
                                        "malformed",
                                        "wrong_size",
                                        "not_as_computed"};
  return names[static_cast<unsigned>(e)];
}

// Heap buffer of an exact size, so that a sanitizer detects accesses past its end.
class exact {
 public:
  explicit exact(view in) : p_(new std::byte[in.size()]), n_(in.size()) {
    std::copy(in.begin(), in.end(), p_.get());
  }
  explicit exact(std::size_t n) : p_(new std::byte[n]), n_(n) {
    std::fill_n(p_.get(), n, untouched);
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

template <class D> void check_error(const wire::result& r, std::size_t most) {
  require(r.used <= most, "an error lies inside");
  const bool known =
      std::find(std::begin(D::names), std::end(D::names), r.field) != std::end(D::names);
  if (!known)
    std::fprintf(stderr, "field '%.*s'\n", static_cast<int>(r.field.size()), r.field.data());
  require(known, "an error names a field that the description has");
}

// Encodes `s` into `out`. Checks that nothing is written to a buffer that is too small.
template <class D> wire::result encode(const typename D::S& s, bytes& out) {
  using codec = typename D::codec;
  out.resize(codec::extent(s));
  const exact whole(out.size());
  const wire::result r = codec::encode(s, whole.span());
  if (r) {
    require(r.used == out.size(), "the extent is what is written");
    std::copy_n(whole.span().begin(), r.used, out.begin());
  } else {
    require(r.error != wire::errc::no_space, "the extent is enough");
    check_error<D>(r, out.size());
    require(whole.clean(), "what is refused writes nothing");
    out.clear();
  }
  for (std::size_t capacity = 0; capacity < out.size(); capacity += 1 + capacity / 64) {
    const exact small(capacity);
    const wire::result w = codec::encode(s, small.span());
    require(w.error == wire::errc::no_space, "no space is an error");
    check_error<D>(w, capacity);
    require(small.clean(), "without space nothing is written");
  }
  return r;
}

// Decodes any bytes, encodes the result, and decodes that again.
template <class D> wire::result check(view in, std::string* found = nullptr, bytes* out = nullptr,
                                      wire::result* written = nullptr) {
  using codec = typename D::codec;
  const exact held(in);
  typename D::S s{};
  const wire::result r = codec::decode(held.span(), s);
  if (!r) {
    check_error<D>(r, in.size());
    require(r.error == wire::errc::truncated || r.error == wire::errc::malformed ||
                r.error == wire::errc::wrong_size || r.error == wire::errc::invalid_value ||
                r.error == wire::errc::not_as_computed,
            "an error of decode");
    return r;
  }
  require(r.used <= in.size() && r.error == wire::errc::ok && r.field.empty(),
          "no error, no field");
  const std::string before = shown(s);
  bytes again;
  const wire::result w = encode<D>(s, again);
  if (w) {
    typename D::S t{};
    const exact copy(again);
    const wire::result back = codec::decode(copy.span(), t);
    require(back && back.used == again.size(), "what was encoded can be decoded");
    bytes twice;
    require(bool(encode<D>(t, twice)) && twice == again, "and encodes to the same");
  }
  if (found != nullptr) *found = before;
  if (out != nullptr) *out = again;
  if (written != nullptr) *written = w;
  return r;
}

// Compares the result with the independent reader's result, in the notation of words.py. If they
// differ, prints both to stderr and returns false.
template <class D> bool compare(view in, std::string_view expected) {
  std::string found;
  bytes out;
  wire::result w;
  const wire::result r = check<D>(in, &found, &out, &w);
  const auto differs = [&](const std::string& what) {
    std::fprintf(stderr, "  expected %.*s\n  found    %s\n", static_cast<int>(expected.size()),
                 expected.data(), what.c_str());
    return false;
  };
  if (!r) {
    const std::string kind(name_of(r.error));
    const bool good = expected.substr(0, 3) == "no " &&
                      (" " + std::string(expected.substr(3)) + ",").find(kind) != std::string::npos;
    return good ||
           differs("no " + kind + " at " + std::to_string(r.used) + " of " + std::string(r.field));
  }
  std::string hex;
  for (const std::byte b : out)
    for (const unsigned n : {std::to_integer<unsigned>(b) >> 4, std::to_integer<unsigned>(b) & 15U})
      hex += "0123456789abcdef"[n];
  if (!w) hex = "!" + std::string(name_of(w.error));
  if (hex.empty()) hex = "-";
  const std::string all = "ok " + std::to_string(r.used) + " " + hex + " " + found;
  if (all != expected) return differs(all);
  // A record truncated anywhere must not decode, unless it may end early.
  for (std::size_t n = 0; w && n < out.size(); ++n) {
    const wire::result cut = check<D>(view(out).first(n));
    if (!cut && cut.error != wire::errc::truncated && cut.error != wire::errc::malformed &&
        cut.error != wire::errc::wrong_size && !D::open)
      return differs("cut to " + std::to_string(n) + ": " + std::string(name_of(cut.error)));
    if (cut && !D::open) return differs("cut to " + std::to_string(n) + " it is whole");
  }
  return true;
}

// Calls f.operator()<D>() with description `which`.
template <class F, class... D> bool with_one_of(list<D...>, std::size_t which, F&& f) {
  bool result = false;
  std::size_t i = 0;
  ((i++ == which ? void(result = f.template operator()<D>()) : void()), ...);
  return result;
}
template <class... D> constexpr std::size_t how_many(list<D...>) { return sizeof...(D); }

// True if a record encodes to the same bytes from which it was decoded. This is evaluated at
// compile time.
template <class D, std::size_t N> constexpr bool comes_back(const unsigned char (&in)[N]) {
  std::byte raw[N]{}, out[N]{};
  for (std::size_t i = 0; i < N; ++i) raw[i] = static_cast<std::byte>(in[i]);
  typename D::S s{};
  if (!D::codec::decode(std::span<const std::byte>(raw), s)) return false;
  if (!D::codec::encode(s, out)) return false;
  for (std::size_t i = 0; i < N; ++i)
    if (raw[i] != out[i]) return false;
  return true;
}
}  // namespace worded
