// Decodes and encodes records of variable length with the library and with hand-written code.
#include "compare.hpp"
#include "samples.hpp"
#include "words_by_hand.hpp"

namespace {

namespace wire = tracecodec::wire;

// Returns number `i` of a fixed sequence of mostly small numbers.
std::uint64_t number(std::size_t i, unsigned bits) {
  const std::uint64_t n = (i + 1) * 0x9e3779b97f4a7c15;
  return n >> (64 - 1 - (n ^ i) % bits);
}

template <class Codec, class Make> std::vector<std::byte> written(std::size_t n, Make make) {
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < n; ++i) {
    const typename Codec::value_type s = make(i);
    const std::size_t at = all.size(), most = 1024;
    all.resize(at + most);
    all.resize(at + Codec::encode(s, std::span(all).subspan(at)).used);
  }
  return all;
}

}  // namespace

int main() {
  static const std::vector<std::byte> letters(256, std::byte{'x'});
  const auto text = [](std::size_t n) { return words::chars(letters.data(), n); };
  for (const std::size_t n : {1000U, 3000U}) {
    compare<words::varints, words::varints_by_hand>(
        "varints",
        written<words::varints>(n,
                                [](std::size_t i) {
                                  const auto line = static_cast<std::int64_t>(number(i + 1, 20));
                                  return words::step{number(i, 40), i % 3 == 0 ? -line : line,
                                                     static_cast<std::uint32_t>(number(i + 2, 10))};
                                }),
        n);
    compare<words::texts, words::texts_by_hand>(
        "texts",
        written<words::texts>(n,
                              [&](std::size_t i) {
                                return words::names{text(number(i, 6)), text(number(i + 1, 5)),
                                                    static_cast<std::uint32_t>(i)};
                              }),
        n);
    compare<words::variant, words::variant_by_hand>(
        "variant",
        written<words::variant>(n,
                                [&](std::size_t i) {
                                  return words::drawn{static_cast<words::shape>(number(i, 16) % 3),
                                                      1, 2, text(number(i + 1, 5)), 3};
                                }),
        n);
    // The byte order is selected once, for all records.
    wire::with_order(words::big ? wire::order::big : wire::order::little, [n]<wire::order O>() {
      compare<words::section_in<O>, words::ordered_by_hand>("order", samples::of_size(64, n), n);
    });
  }
  return failed ? 1 : 0;
}
