// Tests of numbers and bytes in text.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tracecodec/io/text/hex.hpp"
#include "tracecodec/io/text/hex_digits.hpp"

namespace io = tracecodec::io;

TEST_SUITE_BEGIN("hex");

TEST_CASE("numbers in text are decimal, or hexadecimal with or without 0x") {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  CHECK(io::digits_of("1fF") == 0x1ff);
  CHECK(io::digits_of<10>("18446744073709551615") == most);
  CHECK(io::hex_number("0x1f") == 0x1f);
  CHECK(io::hex_number("0Xffffffffffffffff") == most);
  CHECK(io::hex_number("10") == 16);
  for (const std::string_view bad :
       {"", "0x", "0x1g", "0x0x1", "-1", "+1", " 1", "1 ", "0x10000000000000000"}) {
    CAPTURE(bad);
    CHECK_FALSE(io::digits_of(bad));
    CHECK_FALSE(io::hex_number(bad));
  }
  CHECK_FALSE(io::digits_of("0x10"));
  CHECK_FALSE(io::digits_of<10>("18446744073709551616"));
}

TEST_CASE("bytes in text have two digits") {
  std::vector<std::byte> bytes;
  CHECK(io::is_hex_bytes("00fFa1"));
  io::read_hex_bytes("00fFa1", bytes);
  CHECK(bytes == std::vector{std::byte{0}, std::byte{0xff}, std::byte{0xa1}});
  CHECK(io::is_hex_bytes(""));
  for (const std::string_view bad : {"0", "0g", "0x", "00 1", "--"})
    CHECK_FALSE(io::is_hex_bytes(bad));
  io::hex_digits d;
  CHECK(d.add("12_--:..aB"));
  CHECK(d.bytes() == 4);
  CHECK((d.is_known(0) && d.value(0) == static_cast<char>(0xab)));
  CHECK((!d.is_known(1) && !d.is_unknown(1)));
  CHECK((!d.is_known(2) && d.is_unknown(2)));
  CHECK_FALSE(d.add("1g"));
}

TEST_SUITE_END();
