// Runs the library and hand-written code under callgrind. Each measured section ends with a
// dump named OPERATION/FORMAT/SIDE/RECORDS, which count.py reads.
#pragma once
#include <valgrind/callgrind.h>

#include <cstdio>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

// Returns the number of bytes from either side's result, or 0 for an error.
template <class Result> std::size_t used(const Result& r) {
  if constexpr (std::is_integral_v<Result>)
    return r;
  else
    return r ? r.used : 0;
}

// Both sides run through decode_all() and encode_all(). Only decode() and encode() differ.
template <class Codec> [[gnu::noinline]] std::size_t decode_all(std::span<const std::byte> in) {
  typename Codec::value_type s{};
  std::size_t n = 0;
  while (!in.empty()) {
    const std::size_t took = used(Codec::decode(in, s));
    if (took == 0) break;
    asm volatile("" : : "m"(s));  // makes the compiler compute all of s
    in = in.subspan(took);
    ++n;
  }
  return n;
}

// Uses only one member of each record.
template <class Codec, auto Member>
[[gnu::noinline]] std::size_t decode_member_of_all(std::span<const std::byte> in) {
  typename Codec::value_type s{};
  std::size_t n = 0;
  while (!in.empty()) {
    const std::size_t took = used(Codec::decode(in, s));
    if (took == 0) break;
    const auto member = s.*Member;
    asm volatile("" : : "m"(member));
    in = in.subspan(took);
    ++n;
  }
  return n;
}
template <class Codec> [[gnu::noinline]] std::size_t skip_all(std::span<const std::byte> in) {
  std::size_t n = 0;
  while (!in.empty()) {
    const std::size_t took = used(Codec::skip(in));
    if (took == 0) break;
    in = in.subspan(took);
    ++n;
  }
  return n;
}

template <class Codec>
[[gnu::noinline]] std::size_t encode_all(std::span<const typename Codec::value_type> records,
                                         std::span<std::byte> out) {
  std::size_t n = 0;
  for (const auto& s : records) {
    const std::size_t put = used(Codec::encode(s, out));
    if (put == 0) break;
    out = out.subspan(put);
    ++n;
  }
  return n;
}

bool failed = false;

void expect(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "%s: wrong result\n", what.c_str());
  failed = true;
}

template <class Codec>
void measure_decoding(const std::string& name, std::span<const std::byte> in, std::size_t n) {
  const std::string decode = "decode/" + name + "/" + std::to_string(n);
  CALLGRIND_ZERO_STATS;
  const std::size_t decoded = decode_all<Codec>(in);
  CALLGRIND_DUMP_STATS_AT(decode.c_str());
  expect(decoded == n, decode);
}

template <class Codec> void measure(const std::string& name, std::span<const std::byte> in,
                                    std::size_t n,
                                    std::span<const typename Codec::value_type> records) {
  measure_decoding<Codec>(name, in, n);
  const std::string encode = "encode/" + name + "/" + std::to_string(n);
  std::vector<std::byte> out(in.size());

  CALLGRIND_ZERO_STATS;
  const std::size_t encoded = encode_all<Codec>(records, out);
  CALLGRIND_DUMP_STATS_AT(encode.c_str());
  expect(encoded == n, encode);
}

template <class Library, class ByHand>
void compare(const std::string& format, std::span<const std::byte> in, std::size_t n) {
  std::vector<typename Library::value_type> records(n);
  std::span<const std::byte> rest = in;
  for (auto& r : records) rest = rest.subspan(used(Library::decode(rest, r)));
  measure<Library>(format + "/library", in, n, records);
  measure<ByHand>(format + "/by_hand", in, n, records);

  // The padding in the samples is not zero, but both sides must write it as zero.
  std::vector<std::byte> one(in.size()), other(in.size());
  encode_all<Library>(records, one);
  encode_all<ByHand>(records, other);
  expect(one == other, format);
}

// Measures functions that read `n` records from `in`.
template <auto Library, auto ByHand>
void compare_reading(const std::string& what, std::span<const std::byte> in, std::size_t n) {
  const auto measure_one = [&](const std::string& side, auto function) {
    const std::string name = what + side + std::to_string(n);
    CALLGRIND_ZERO_STATS;
    const std::size_t read = function(in);
    CALLGRIND_DUMP_STATS_AT(name.c_str());
    expect(read == n, name);
  };
  measure_one("/library/", Library);
  measure_one("/by_hand/", ByHand);
}
// Measures skipping records, and decoding them if only one member is used.
template <class Library, class ByHand, auto Member>
void compare_parts(const std::string& format, std::span<const std::byte> in, std::size_t n) {
  compare_reading<skip_all<Library>, skip_all<ByHand>>("skip/" + format, in, n);
  compare_reading<decode_member_of_all<Library, Member>, decode_member_of_all<ByHand, Member>>(
      "member/" + format, in, n);
}

template <class Codec, class Library>
std::vector<std::byte> decoded_and_encoded(std::span<const std::byte> in) {
  std::vector<std::byte> out(in.size());
  std::span<std::byte> left = out;
  while (!in.empty()) {
    typename Codec::value_type s{};
    const std::size_t took = used(Codec::decode(in, s));
    if (took == 0) break;
    in = in.subspan(took);
    left = left.subspan(used(Library::encode(s, left)));
  }
  return out;
}

// Only decodes. Both sides must decode records that the library encodes to `in`.
template <class Library, class ByHand>
void compare_decoding(const std::string& format, std::span<const std::byte> in, std::size_t n) {
  measure_decoding<Library>(format + "/library", in, n);
  measure_decoding<ByHand>(format + "/by_hand", in, n);
  const std::vector<std::byte> original(in.begin(), in.end());
  expect(decoded_and_encoded<Library, Library>(in) == original, format + "/library");
  expect(decoded_and_encoded<ByHand, Library>(in) == original, format + "/by_hand");
}

}  // namespace
