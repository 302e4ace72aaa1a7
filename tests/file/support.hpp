// Invented formats, described completely, and the bytes of small files, written by hand.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../bytes.hpp"
#include "tracecodec/file.hpp"
#include "tracecodec/wire/rules/constant.hpp"

namespace test {

namespace file = tracecodec::file;
namespace wire = tracecodec::wire;

// Header of 14 bytes: "HTR1", version 2, and a signed number of steps, all little-endian.
struct front {
  std::array<char, 4> magic;
  std::uint16_t version;
  std::int64_t steps;
  friend bool operator==(const front&, const front&) = default;
};
// Step of 11 bytes.
struct step {
  std::uint64_t ip;
  std::uint16_t thread;
  std::uint8_t what;
  friend bool operator==(const step&, const step&) = default;
};
// Trailer of 8 bytes.
struct back {
  std::uint32_t sum;
  std::array<char, 4> magic;
};
using front_codec =
    wire::record<wire::fields<wire::constant<&front::magic, "HTR1">,
                              wire::constant<&front::version, 2>, wire::field<&front::steps>>>;
using step_codec = wire::record<step>;
using back_codec =
    wire::record<wire::fields<wire::field<&back::sum>, wire::constant<&back::magic, "END!">>>;

using front_part = file::header<front_codec>;
using steps_part = file::records<step_codec, file::counted_by<&front::steps>, file::each<"step">>;
using step_file = file::of<"step trace", front_part, steps_part>;
// Step trace with a trailer.
using tailed_file = file::of<"step trace", front_part, steps_part, file::trailer<back_codec>>;
// Steps that are counted in the trailer.
struct total {
  std::uint8_t n;
};
using summed_file = file::of<"sum", file::records<step_codec, file::counted_by<&total::n>>,
                             file::trailer<wire::record<total>>>;

// Record of varying size: a length, then text of up to 65,535 bytes.
struct line {
  std::uint16_t length;
  wire::array_view<wire::u8> text;
  std::uint8_t mark;
};
using line_codec = wire::record<wire::fields<
    wire::section<wire::field<&line::length>>,
    wire::section<wire::counted<&line::text, &line::length>, wire::field<&line::mark>>>>;
static_assert(!line_codec::fixed);
struct lines_front {
  std::array<char, 4> magic;
  std::uint16_t version;
  std::int64_t lines;
  friend bool operator==(const lines_front&, const lines_front&) = default;
};
using line_file =
    file::of<"line file",
             file::header<wire::record<wire::fields<wire::constant<&lines_front::magic, "HTR1">,
                                                    wire::constant<&lines_front::version, 2>,
                                                    wire::field<&lines_front::lines>>>>,
             file::records<line_codec, file::counted_by<&lines_front::lines>, file::each<"line">>>;
using plain_lines =
    file::of<"lines", file::records<line_codec, file::each<"line">, file::longest<1000>>,
             file::trailer<back_codec>>;

inline std::vector<step> steps(std::size_t n) {
  std::vector<step> all;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back({0x1000 + 3 * i, static_cast<std::uint16_t>(i % 5), std::uint8_t(i % 3)});
  return all;
}
inline bytes bytes_of(const std::vector<step>& all) {
  bytes out(11 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    step_codec::encode(all[i], std::span(out).subspan(11 * i));
  return out;
}
// struct.pack('<4sHq', b'HTR1', 2, n)
inline bytes front_bytes(std::int64_t n) {
  bytes out = from_hex("48545231 0200 0000000000000000");
  for (std::size_t i = 0; i < 8; ++i)
    out[6 + i] = static_cast<std::byte>(static_cast<std::uint64_t>(n) >> 8 * i);
  return out;
}
inline const bytes& back_bytes() {
  static const bytes all = from_hex("2a000000 454e4421");
  return all;
}
// struct.pack('<H5sB', 5, b'hello', 1) ...
inline bytes three_lines() { return from_hex("0500 68656c6c6f 01  0000 02  0200 4142 03"); }

inline io::input stream_of(const bytes& all) {
  return io::open_source(std::make_unique<io::memory_source>(all), "t");
}
inline io::input mapped(const bytes& all) { return io::open_bytes(all, "t"); }

// Findings of a check, each as "code@offset message".
using messages = std::vector<std::string>;
template <class File> messages found_in(const bytes& raw, bool map = false) {
  messages all;
  const auto report = [&](const tracecodec::diagnostic& d) {
    all.push_back(std::string(d.code) + '@' + (d.offset ? std::to_string(*d.offset) : "") + ' ' +
                  d.message);
  };
  File::check(map ? mapped(raw) : stream_of(raw), report);
  return all;
}

// Returns all records up to the end or to the error.
template <class Reader>
std::vector<typename Reader::record> all_of(Reader& from,
                                            std::optional<trace_error>* error = nullptr) {
  std::vector<typename Reader::record> out;
  const auto e = error_of([&] {
    for (auto b = from.next(); b.size() != 0; b = from.next())
      for (const auto& r : b) out.push_back(r);
  });
  if (error != nullptr)
    *error = e;
  else if (e)
    throw *e;
  return out;
}

}  // namespace test
