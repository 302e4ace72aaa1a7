// Implements analysis/known_constants.hpp.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../known_constants.hpp"

namespace tracecodec::analysis {

namespace detail {

using constant_values = std::vector<std::uint64_t>;

inline std::uint64_t low32(std::uint64_t v) { return v & 0xFFFFFFFF; }
inline std::uint64_t rotated32(std::uint64_t v, unsigned n) {
  return std::rotl(static_cast<std::uint32_t>(v), static_cast<int>(n % 32));
}
template <class F> constant_values values_by(std::size_t n, F f) {
  constant_values all(n);
  for (std::size_t i = 0; i != n; ++i) all[i] = f(static_cast<unsigned>(i));
  return all;
}

// Number of 256 bits, the lowest word first, for the roots of primes.
using wide_number = std::array<std::uint32_t, 8>;
inline wide_number product(const wide_number& a, const wide_number& b) {
  wide_number p{};
  for (std::size_t i = 0; i != a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; i + j != p.size(); ++j) {
      carry += std::uint64_t{a[i]} * b[j] + p[i + j];
      p[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  return p;
}
inline bool is_at_most(const wide_number& a, const wide_number& b) {
  for (std::size_t i = a.size(); i-- != 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return true;
}
// Returns the root of `v` with exponent `n` (2 or 3), times 2^64, without its bits from 2^64 on;
// `integer` receives these bits.
inline std::uint64_t root_fraction(std::uint32_t v, unsigned n, std::uint64_t* integer = nullptr) {
  wide_number power{}, root{};
  power[2 * std::size_t{n}] = v;  // v times 2^(64 n)
  for (unsigned bit = 70; bit-- != 0;) {
    wide_number next = root;
    next[bit / 32] |= std::uint32_t{1} << bit % 32;
    wide_number p = product(next, next);
    if (n == 3) p = product(p, next);
    if (is_at_most(p, power)) root = next;
  }
  if (integer != nullptr) *integer = root[2];
  return root[0] | std::uint64_t{root[1]} << 32;
}
// Returns the root times 2^30, for the round constants of SHA-1 and RIPEMD-160.
inline std::uint64_t root_times_2_30(std::uint32_t v, unsigned n) {
  std::uint64_t integer = 0;
  const std::uint64_t fraction = root_fraction(v, n, &integer);
  return integer << 30 | fraction >> 34;
}
inline std::vector<std::uint32_t> first_primes(std::size_t n) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t c = 2; all.size() != n; ++c) {
    bool is_prime = true;
    for (const std::uint32_t p : all) is_prime = is_prime && c % p != 0;
    if (is_prime) all.push_back(c);
  }
  return all;
}

// Fraction in base 2^32, with the integer part first, for pi.
using long_fraction = std::vector<std::uint32_t>;
inline void divide(long_fraction& to, const long_fraction& a, std::uint32_t by, std::size_t from) {
  std::uint64_t rest = 0;
  for (std::size_t i = from; i != a.size(); ++i) {
    rest = rest << 32 | a[i];
    to[i] = static_cast<std::uint32_t>(rest / by);
    rest %= by;
  }
}
// Adds `factor` times arctan(1 / x) to `sum`, or subtracts it.
inline void add_arctan(long_fraction& sum, std::uint32_t x, std::uint32_t factor, bool subtract) {
  long_fraction power(sum.size()), term(sum.size());
  power[0] = factor;
  divide(power, power, x, 0);
  std::size_t from = 0;  // the first word of `power` that is not 0
  for (std::uint32_t n = 1;; n += 2, subtract = !subtract) {
    while (from != power.size() && power[from] == 0) ++from;
    if (from == power.size()) return;
    divide(term, power, n, from);
    std::uint64_t carry = subtract ? 1 : 0;
    for (std::size_t i = sum.size(); i-- != 0;) {
      const std::uint32_t t = i < from ? 0 : term[i];
      carry += std::uint64_t{sum[i]} + (subtract ? ~t : t);
      sum[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    divide(power, power, x * x, from);
  }
}
// Returns the first `n` words of pi after the point, by Machin's formula.
inline constant_values words_of_pi(std::size_t n) {
  constexpr std::size_t spare = 2;
  long_fraction pi(n + 1 + spare);
  add_arctan(pi, 5, 16, false);
  add_arctan(pi, 239, 4, true);
  return {pi.begin() + 1, pi.begin() + 1 + static_cast<std::ptrdiff_t>(n)};
}

// Returns a product in GF(2^8) with the reducing polynomial `modulus`.
inline unsigned field_product(unsigned a, unsigned b, unsigned modulus) {
  unsigned p = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1U) p ^= a;
    a <<= 1;
    if (a & 0x100U) a ^= modulus;
  }
  return p;
}
inline unsigned field_inverse(unsigned v, unsigned modulus) {
  unsigned inverse = 1;
  for (unsigned i = 0; i != 254; ++i) inverse = field_product(inverse, v, modulus);  // v^254
  return v == 0 ? 0 : inverse;
}
inline std::uint64_t aes_box(unsigned x) {
  const auto b = static_cast<std::uint8_t>(field_inverse(x, 0x11B));
  return b ^ std::rotl(b, 1) ^ std::rotl(b, 2) ^ std::rotl(b, 3) ^ std::rotl(b, 4) ^ 0x63U;
}
// Returns the entry of a T-table: a byte times the column of MixColumns.
inline std::uint64_t aes_column(std::uint64_t byte, std::span<const unsigned, 4> column) {
  std::uint64_t word = 0;
  for (const unsigned by : column)
    word = word << 8 | field_product(static_cast<unsigned>(byte), by, 0x11B);
  return word;
}
inline unsigned sm4_affine(unsigned x) {
  unsigned y = 0;
  for (int i = 0; i != 8; ++i) {
    const unsigned row = std::rotr(std::uint8_t{0xD3}, i);
    y |= static_cast<unsigned>(std::popcount(row & x) % 2) << (7 - i);
  }
  return y ^ 0xD3U;
}
inline std::uint64_t sm4_box(unsigned x) { return sm4_affine(field_inverse(sm4_affine(x), 0x1F5)); }

// Returns the entry of a table for a checksum of `bits` bits, of which the lowest comes first if
// `reflected`.
inline std::uint64_t crc_entry(unsigned i, std::uint64_t polynomial, unsigned bits,
                               bool reflected) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1), all = top - 1 + top;
  std::uint64_t crc = reflected ? i : std::uint64_t{i} << (bits - 8);
  for (int k = 0; k != 8; ++k)
    crc = reflected ? crc >> 1 ^ ((crc & 1) != 0 ? polynomial : 0)
                    : (crc << 1 & all) ^ ((crc & top) != 0 ? polynomial : 0);
  return crc;
}
inline constant_values crc_table(std::uint64_t polynomial, unsigned bits, bool reflected) {
  return values_by(256, [&](unsigned i) { return crc_entry(i, polynomial, bits, reflected); });
}

// Returns the round constants of SHA-3 (FIPS 202, 3.2.5).
inline constant_values keccak_constants() {
  unsigned state = 1;
  return values_by(24, [&](unsigned) {
    std::uint64_t v = 0;
    for (unsigned j = 0; j != 7; ++j) {
      if (state & 1U) v |= std::uint64_t{1} << ((1U << j) - 1);
      state = state << 1 ^ ((state & 0x80U) != 0 ? 0x171U : 0);
    }
    return v;
  });
}

// S-boxes of DES (FIPS 46-3), row by row, with a digit for each entry.
inline constexpr std::array<std::string_view, 8> des_boxes{
    "e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d",
    "f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9",
    "a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c",
    "7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e",
    "2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453",
    "c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d",
    "4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c",
    "d2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b"};
// Permutations of DES: the number of the input's bit, from 1, for each bit of the output.
inline constexpr std::array<std::uint8_t, 64> des_initial{
    58, 50, 42, 34, 26, 18, 10, 2,  60, 52, 44, 36, 28, 20, 12, 4,  62, 54, 46, 38, 30, 22,
    14, 6,  64, 56, 48, 40, 32, 24, 16, 8,  57, 49, 41, 33, 25, 17, 9,  1,  59, 51, 43, 35,
    27, 19, 11, 3,  61, 53, 45, 37, 29, 21, 13, 5,  63, 55, 47, 39, 31, 23, 15, 7};
inline constexpr std::array<std::uint8_t, 64> des_final{
    40, 8,  48, 16, 56, 24, 64, 32, 39, 7,  47, 15, 55, 23, 63, 31, 38, 6,  46, 14, 54, 22,
    62, 30, 37, 5,  45, 13, 53, 21, 61, 29, 36, 4,  44, 12, 52, 20, 60, 28, 35, 3,  43, 11,
    51, 19, 59, 27, 34, 2,  42, 10, 50, 18, 58, 26, 33, 1,  41, 9,  49, 17, 57, 25};
inline constexpr std::array<std::uint8_t, 32> des_round{16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23,
                                                        26, 5, 18, 31, 10, 2,  8,  24, 14, 32, 27,
                                                        3,  9, 19, 13, 30, 6,  22, 11, 4,  25};
inline constexpr std::array<std::uint8_t, 56> des_key_bits{
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};
inline constexpr std::array<std::uint8_t, 48> des_round_key_bits{
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,  26, 8,  16, 7,  27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};

inline std::uint64_t des_box(std::size_t box, unsigned i) {
  const char digit = des_boxes[box][i];
  return static_cast<std::uint64_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}
// Returns the entry of a box for the six bits `i` of the input, combined with the permutation of the
// round and rotated left by one bit, as implementations for 32 bits use it.
inline std::uint64_t des_combined(std::size_t box, unsigned i) {
  const unsigned row = (i >> 4 & 2U) | (i & 1U), column = i >> 1 & 15U;
  const std::uint64_t in = des_box(box, 16 * row + column) << (28 - 4 * box);
  std::uint64_t out = 0;
  for (const std::uint8_t bit : des_round) out = out << 1 | (in >> (32 - bit) & 1);
  return rotated32(out, 1);
}

// List of tables that is being made.
class constant_list {
 public:
  void add(std::string algorithm, std::string name, unsigned width, constant_values values,
           std::size_t least, std::size_t span = 0) {
    all.push_back({std::move(algorithm), std::move(name), width, std::move(values), least, span});
  }
  template <std::size_t N> void add_bytes(const std::string& algorithm, const std::string& name,
                                          const std::array<std::uint8_t, N>& bytes) {
    add(algorithm, name, 1, {bytes.begin(), bytes.end()}, least_bytes);
  }
  // Adds the table and, for checksums of several bytes at a time, the tables that follow it.
  void add_crc(const std::string& algorithm, std::uint64_t polynomial, unsigned bits,
               bool reflected, unsigned more) {
    constant_values table = crc_table(polynomial, bits, reflected);
    const constant_values first = table;
    const std::string order = reflected ? "table, lowest bit first" : "table, highest bit first";
    add(algorithm, order, bits / 8, first, least_words);
    for (unsigned n = 1; n <= more; ++n) {
      for (std::uint64_t& v : table) v = v >> 8 ^ first[static_cast<std::size_t>(v & 0xFF)];
      add(algorithm, order + ", for byte " + std::to_string(n + 1), bits / 8, table, least_words);
    }
  }
  void add_aes() {
    constexpr std::array<unsigned, 4> forward{2, 1, 1, 3}, backward{14, 9, 13, 11};
    const constant_values box = values_by(256, aes_box);
    constant_values inverse(256);
    for (std::size_t i = 0; i != 256; ++i) inverse[static_cast<std::size_t>(box[i])] = i;
    add("AES", "S-box", 1, box, least_bytes);
    add("AES", "inverse S-box", 1, inverse, least_bytes);
    for (unsigned n = 0; n != 4; ++n) {
      const auto table = [n](const constant_values& of, const std::array<unsigned, 4>& column) {
        return values_by(256, [&](unsigned i) {
          return rotated32(aes_column(of[i], std::span(column)), 32 - 8 * n);
        });
      };
      add("AES", "T-table Te" + std::to_string(n), 4, table(box, forward), least_words);
      add("AES", "T-table Td" + std::to_string(n), 4, table(inverse, backward), least_words);
    }
  }
  void add_des() {
    for (std::size_t n = 0; n != des_boxes.size(); ++n) {
      const std::string number = std::to_string(n + 1);
      add("DES", "S-box S" + number, 1, values_by(64, [n](unsigned i) { return des_box(n, i); }),
          least_bytes);
      add("DES", "SP-box " + number, 4,
          values_by(64, [n](unsigned i) { return des_combined(n, i); }), 2 * least_words);
    }
    add_bytes("DES", "initial permutation", des_initial);
    add_bytes("DES", "final permutation", des_final);
    add_bytes("DES", "permutation P", des_round);
    add_bytes("DES", "permuted choice PC-1", des_key_bits);
    add_bytes("DES", "permuted choice PC-2", des_round_key_bits);
  }
  void add_blowfish() {
    const constant_values pi = words_of_pi(18 + 4 * 256);
    const auto part = [&pi](std::ptrdiff_t from, std::ptrdiff_t n) {
      return constant_values(pi.begin() + from, pi.begin() + from + n);
    };
    add("Blowfish", "P-array", 4, part(0, 18), least_words);
    for (unsigned n = 0; n != 4; ++n)
      add("Blowfish", "S-box S" + std::to_string(n + 1), 4, part(18 + 256 * n, 256), least_words);
  }
  void add_hashes() {
    const auto primes = first_primes(80);
    const auto root = [&](unsigned i, unsigned n) { return root_fraction(primes[i], n); };
    const constant_values k512 = values_by(80, [&](unsigned i) { return root(i, 3); }),
                          h512 = values_by(8, [&](unsigned i) { return root(i, 2); }),
                          h384 = values_by(8, [&](unsigned i) { return root(i + 8, 2); });
    add("SHA-256", "round constants", 4, values_by(64, [&](unsigned i) { return k512[i] >> 32; }),
        least_words);
    add("SHA-512", "round constants", 8, k512, least_words);
    add("SHA-256, BLAKE2s", "initial value", 4,
        values_by(8, [&](unsigned i) { return h512[i] >> 32; }), 3);
    add("SHA-224", "initial value", 4, values_by(8, [&](unsigned i) { return low32(h384[i]); }), 3);
    add("SHA-512, BLAKE2b", "initial value", 8, h512, 3);
    add("SHA-384", "initial value", 8, h384, 3);
    const auto round = [](std::uint32_t v, unsigned n) { return root_times_2_30(v, n); };
    add("SHA-1", "round constants", 4, {round(2, 2), round(3, 2), round(5, 2), round(10, 2)}, 4);
    add("RIPEMD-160", "round constants", 4,
        {round(2, 2), round(3, 2), round(5, 2), round(7, 2), round(2, 3), round(3, 3), round(5, 3),
         round(7, 3)},
        5);
    add("MD5, SHA-1, RIPEMD-160", "initial value", 4,
        {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476}, 2);
    add("SHA-1, RIPEMD-160", "initial value, last word", 4, {0xC3D2E1F0}, 1);
    add("MD5", "round constants", 4,
        values_by(64,
                  [](unsigned i) {
                    return static_cast<std::uint64_t>(std::abs(std::sin(i + 1.0)) * 4294967296.0);
                  }),
        least_words);
    add("SHA-3", "round constants", 8, keccak_constants(), least_words);
    add("SM3", "initial value", 4,
        {0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D,
         0xB0FB0E4E},
        3);
    add("SM3", "round constants", 4,
        values_by(64, [](unsigned i) { return rotated32(i < 16 ? 0x79CC4519 : 0x7A879D8A, i); }),
        least_words);
  }
  void add_others() {
    add("SM4", "S-box", 1, values_by(256, sm4_box), least_bytes);
    add("SM4", "system parameter FK", 4, {0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC}, 2);
    add("SM4", "fixed parameter CK", 4,
        values_by(32,
                  [](unsigned i) {
                    std::uint64_t word = 0;
                    for (unsigned j = 0; j != 4; ++j) word = word << 8 | ((4 * i + j) * 7 & 0xFFU);
                    return word;
                  }),
        least_words);
    // The words of "expand 32-byte k" and "expand 16-byte k".
    add("ChaCha20, Salsa20", "constant for 32 bytes", 4,
        {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574}, 3);
    add("ChaCha20, Salsa20", "constant for 16 bytes", 4,
        {0x61707865, 0x3120646E, 0x79622D36, 0x6B206574}, 3);
    add("TEA, RC5, Serpent", "golden ratio", 4, {0x9E3779B9}, 1);
    add("TEA", "sum of 32 rounds", 4, {low32(std::uint64_t{0x9E3779B9} * 32)}, 1);
    add("RC5, RC6", "constant P", 4, {0xB7E15163}, 1);
    add_crc("CRC-32", 0xEDB88320, 32, true, 7);
    add_crc("CRC-32", 0x04C11DB7, 32, false, 0);
    add_crc("CRC-32C", 0x82F63B78, 32, true, 7);
    add_crc("CRC-64", 0xC96C5795D7870F42, 64, true, 0);
    add_crc("CRC-64", 0x42F0E1EBA9EA3693, 64, false, 0);
    add("CRC-32", "polynomial, lowest bit first", 4, {0xEDB88320}, 1);
    add("CRC-32", "polynomial, highest bit first", 4, {0x04C11DB7}, 1);
    add("CRC-32C", "polynomial, lowest bit first", 4, {0x82F63B78}, 1);
    // The last two characters of the alphabet differ between variants. The letters alone are no
    // evidence, so entries of two rows of characters must be found.
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    constant_values alphabet;
    for (const char c : letters) alphabet.push_back(static_cast<unsigned char>(c));
    add("Base64", "alphabet", 1, alphabet, least_bytes, 27);
    add("SipHash", "initial value", 8,
        {0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573}, 2);
    add("xxHash32", "primes", 4, {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1}, 2);
    add("xxHash64", "primes", 8,
        {0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
         0x27D4EB2F165667C5},
        2);
    add("MurmurHash3", "constants", 4, {0xCC9E2D51, 0x1B873593, 0xE6546B64, 0x85EBCA6B, 0xC2B2AE35},
        2);
    add("FNV-1a", "offset basis, 32 bits", 4, {0x811C9DC5}, 1);
    add("FNV-1a", "offset basis, 64 bits", 8, {0xCBF29CE484222325}, 1);
  }

  static constexpr std::size_t least_bytes = 16, least_words = 4;
  std::vector<known_constant> all = {};
};

}  // namespace detail

TRACECODEC_FUNC const std::vector<known_constant>& known_constants() {
  static const std::vector<known_constant> all = [] {
    detail::constant_list list;
    list.add_aes();
    list.add_des();
    list.add_blowfish();
    list.add_hashes();
    list.add_others();
    return std::move(list.all);
  }();
  return all;
}

}  // namespace tracecodec::analysis
