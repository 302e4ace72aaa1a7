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

// Both sides run through decode_all() and encode_all(); only decode() and encode() differ.
template <class Codec> [[gnu::noinline]] std::size_t decode_all(std::span<const std::byte> in) {
  typename Codec::value_type s{};
  std::size_t n = 0;
  while (!in.empty()) {
    const std::size_t took = used(Codec::decode(in, s));
    if (took == 0) break;
    asm volatile("" : : "m"(s));  // keeps all of s alive
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

template <class Codec> void measure(const std::string& name, std::span<const std::byte> in,
                                    std::size_t n,
                                    std::span<const typename Codec::value_type> records) {
  const std::string decode = "decode/" + name + "/" + std::to_string(n);
  const std::string encode = "encode/" + name + "/" + std::to_string(n);
  std::vector<std::byte> out(in.size());

  CALLGRIND_ZERO_STATS;
  const std::size_t decoded = decode_all<Codec>(in);
  CALLGRIND_DUMP_STATS_AT(decode.c_str());
  expect(decoded == n, decode);

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

  // The padding in the samples is not zero: both sides must have zeroed it.
  std::vector<std::byte> one(in.size()), other(in.size());
  encode_all<Library>(records, one);
  encode_all<ByHand>(records, other);
  expect(one == other, format);
}

}  // namespace
