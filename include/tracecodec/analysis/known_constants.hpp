// Tables and initial values of well-known ciphers, hashes and checksums.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../config.hpp"

namespace tracecodec::analysis {

struct known_constant {
  std::string algorithm = {};              // such as "AES"
  std::string name = {};                   // such as "S-box"
  unsigned width = 4;                      // size of an entry in bytes: 1, 4 or 8
  std::vector<std::uint64_t> values = {};  // up to 256 entries
  // Number of different entries that must be found, and least distance between the first and the
  // last of them. One entry of a byte, or a few, are often equal by chance.
  std::size_t least = 1, span = 0;
};

// Returns all tables. Where a standard defines a table by a formula, the function computes it, so
// the first call takes some milliseconds.
//
//   AES                     FIPS 197; T-tables: Daemen and Rijmen, The Rijndael Block Cipher, 5.2.1
//   DES                     FIPS 46-3; SP-boxes: an S-box, then P, rotated left by one bit
//   Blowfish                digits of pi (Schneier, 1993)
//   SHA-1, SHA-2, SHA-3     FIPS 180-4, FIPS 202
//   MD5                     RFC 1321
//   RIPEMD-160              Dobbertin, Bosselaers and Preneel, 1996
//   SM3, SM4                GB/T 32905, GB/T 32907
//   ChaCha20, Salsa20       RFC 8439; Bernstein, Salsa20 specification
//   TEA, RC5                golden ratio (Wheeler and Needham, 1994; RFC 2040)
//   CRC-32, -32C, -64       IEEE 802.3, RFC 3720, ECMA-182
//   Base64                  RFC 4648
//   SipHash, xxHash, MurmurHash3, FNV-1a   descriptions by their authors
TRACECODEC_FUNC const std::vector<known_constant>& known_constants();

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/known_constants.ipp"
#endif
