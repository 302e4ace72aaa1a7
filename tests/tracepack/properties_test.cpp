// Tests of the properties of static instructions, and of the static instruction of each
// record.
#include <doctest/doctest.h>

#include "support.hpp"

using namespace test;

namespace {

// Returns invented properties of an address. `version` distinguishes instructions at the same
// address.
property property_of(std::uint64_t ip, unsigned version) {
  property p;
  p.branch = static_cast<std::uint8_t>(ip % 9 == 0 ? tracepack::unknown_class : ip % 8);
  p.length = static_cast<std::uint8_t>(ip % 16);
  for (std::size_t i = 0; i != p.length; ++i)
    p.code[i] = static_cast<std::byte>(ip * 7 + i + 40 * version);
  return p;
}
std::uint64_t ip_of(std::span<const std::byte> record) {
  return tracecodec::wire::u64le::load(record.data());
}

std::vector<property> properties_of(const bytes& records) {
  std::vector<property> all;
  for (std::size_t i = 0; i != records.size() / 64; ++i)
    all.push_back(property_of(ip_of(part(records, 64 * i, 64)), i % 700 < 350 ? 0 : 1));
  return all;
}

bytes packed_with(const bytes& records, std::span<const property> properties,
                  const pack_options& options, std::size_t chunk) {
  bytes out;
  tracepack::writer w(std::make_unique<vector_sink>(out), options);
  for (std::size_t i = 0; i < properties.size(); i += chunk) {
    const std::size_t n = std::min(chunk, properties.size() - i);
    w.write(std::span(records).subspan(64 * i, 64 * n), properties.subspan(i, n));
  }
  w.finish();
  return out;
}

pack_options with_properties(std::uint8_t which, level l = level::fast) {
  pack_options o = options_of(300, l);
  o.about.properties = which;
  return o;
}
constexpr std::uint8_t all_of_them =
    tracepack::has_classes | tracepack::has_lengths | tracepack::has_code;

// Calls f(record, reader, number of the static instruction) for each record. Returns the number of
// records.
template <class F> std::size_t each_record(const bytes& file, F f) {
  tracepack::reader r(opened(file, way::mapped), {.statics = true});
  std::size_t n = 0;
  for (auto b = r.next(); !b.bytes.empty(); b = r.next()) {
    REQUIRE(b.statics.size() * 64 == b.bytes.size());
    for (std::size_t i = 0; i != b.statics.size(); ++i, ++n) {
      REQUIRE(b.statics[i] < r.static_count());
      f(b.bytes.subspan(64 * i, 64), r, b.statics[i]);
    }
  }
  return n;
}

}  // namespace

TEST_CASE("returns the properties of each record, also after changes of code") {
  const bytes records = program(3000);
  const auto given = properties_of(records);
  for (const level l : {level::fast, level::high}) {
    const bytes file = packed_with(records, given, with_properties(all_of_them, l), 1000);
    CHECK(packed_with(records, given, with_properties(all_of_them, l), 77) == file);
    CHECK(unpacked(file).content == records);
    std::size_t at = 0, changed = 0;
    const std::size_t n =
        each_record(file, [&](auto record, const tracepack::reader& r, std::uint32_t number) {
          const property is = r.static_property(number);
          const property& expected = given[at];
          CHECK(is == expected);
          if (is != property_of(ip_of(record), 0)) ++changed;
          ++at;
        });
    CHECK(n == 3000);
    CHECK(changed > 500);
  }
}

TEST_CASE("stores only the properties that the file declares") {
  const bytes records = program(1000);
  const auto given = properties_of(records);
  for (std::uint8_t which = 0; which != 8; ++which) {
    CAPTURE(static_cast<int>(which));
    const bytes file = packed_with(records, given, with_properties(which), 333);
    CHECK(unpacked(file).content == records);
    std::size_t at = 0;
    each_record(file, [&](auto, const tracepack::reader& r, std::uint32_t number) {
      property expected = given[at++];
      if ((which & tracepack::has_classes) == 0) expected.branch = tracepack::unknown_class;
      if ((which & tracepack::has_lengths) == 0) expected.length = 0;
      if ((which & tracepack::has_code) == 0 || expected.length == 0) expected.code = {};
      CHECK(r.static_property(number) == expected);
    });
    // Properties that are not stored do not create further static instructions.
    const bytes without = packed(records, options_of(300));
    tracepack::reader r(opened(file, way::mapped)), plain(opened(without, way::mapped));
    if (which == tracepack::has_classes || which == 0) {
      r.next();
      plain.next();
      CHECK(r.static_count() == plain.static_count());
    }
  }
}

TEST_CASE("a static instruction's record equals the record without addresses") {
  for (const auto& a : {tracepack::about_champsim(), tracepack::about_cloudsuite()}) {
    const std::size_t size = a.shape.size;
    const bytes records = program(2000, a.shape);
    const bytes file = packed(records, options_of(300, level::high, a));
    tracepack::reader r(opened(file, way::mapped), {.statics = true});
    bytes is(size);
    std::size_t n = 0;
    for (auto b = r.next(); !b.bytes.empty(); b = r.next()) {
      CHECK(r.frame() == n / 300);
      REQUIRE(b.statics.size() == b.bytes.size() / size);
      for (std::size_t i = 0; i != b.statics.size(); ++i, ++n) {
        r.static_record(b.statics[i], is);
        bytes expected = part(records, size * n, size);
        for (const std::uint16_t s : a.shape.slots)
          std::fill_n(expected.begin() + s, 8, std::byte{0});
        CHECK(is == expected);
        CHECK(r.static_property(b.statics[i]) == property{});
      }
    }
    CHECK(n == 2000);
    CHECK(r.frame() == 6);
  }
}

TEST_CASE("returns static instructions on request, except for stored frames") {
  const bytes records = program(500) + noise(64 * 9000);
  const bytes file = packed(records, options_of(300));
  tracepack::reader plain(opened(file, way::mapped));
  CHECK(plain.next().statics.empty());
  tracepack::reader r(opened(file, way::mapped), {.statics = true});
  std::size_t stored = 0;
  for (auto b = r.next(); !b.bytes.empty(); b = r.next())
    if (b.statics.empty()) stored += b.bytes.size();
  CHECK(stored >= 64 * 9000);
}

TEST_CASE("refuses properties that do not match the records, and invalid lengths") {
  const bytes records = program(10);
  const auto given = properties_of(records);
  const auto code = [](auto f) {
    bytes out;
    tracepack::writer w(std::make_unique<vector_sink>(out), with_properties(all_of_them));
    const auto e = error_of([&] { f(w); });
    return e ? std::optional(e->code()) : std::nullopt;
  };
  CHECK(code([&](auto& w) { w.write(std::span(records).first(640), std::span(given).first(9)); }) ==
        trace_errc::refused);
  CHECK(code([&](auto& w) { w.write(std::span(records).first(639), given); }) ==
        trace_errc::refused);
  CHECK(code([&](auto& w) { w.write({}, given); }) == trace_errc::refused);
  CHECK(code([&](auto& w) {
          w.write(std::span(records).first(65));
          w.write(std::span(records).first(64), std::span(given).first(1));
        }) == trace_errc::refused);
  CHECK(code([&](auto& w) {
          w.write(records, given);
          w.write(records);
          w.write(std::span(records).first(60));
          w.finish();
        }) == std::nullopt);
  auto longer = given;
  longer[3].length = 16;
  bytes out;
  tracepack::writer w(std::make_unique<vector_sink>(out), with_properties(all_of_them));
  const auto e = error_of([&] { w.write(records, longer); });
  REQUIRE(e.has_value());
  CHECK(e->code() == trace_errc::refused);
  CHECK(e->field() == "length");
  CHECK(error_of([&] { w.write(records); })->code() == trace_errc::refused);
  CHECK(error_of([&] { w.finish(); })->code() == trace_errc::refused);
}

TEST_CASE("writes records with and without properties alternately") {
  const bytes records = program(20000);
  const auto given = properties_of(records);
  bytes out;
  tracepack::writer w(std::make_unique<vector_sink>(out), with_properties(all_of_them));
  for (std::size_t i = 0; i != 20000; i += 500) {
    const auto some = std::span(records).subspan(64 * i, 64 * 500);
    if (i % 1000 == 0)
      w.write(some, std::span(given).subspan(i, 500));
    else
      w.write(some);
  }
  w.finish();
  CHECK(unpacked(out).content == records);
  std::size_t at = 0;
  each_record(out, [&](auto, const tracepack::reader& r, std::uint32_t number) {
    CHECK(r.static_property(number) == (at / 500 % 2 == 0 ? given[at] : property{}));
    ++at;
  });
  CHECK(at == 20000);
}

TEST_CASE("only a record whose beginning was skipped has no static instruction") {
  const bytes records = program(500);
  const bytes file = packed(records, options_of(300));
  tracepack::reader r(opened(file, way::mapped), {.statics = true});
  CHECK(r.skip(70) == 70);
  const auto first = r.next();
  CHECK((first.bytes.size() + 70) % 64 == 0);
  CHECK(first.statics.empty());
  std::size_t n = (first.bytes.size() + 70) / 64;
  CHECK(n <= 300);
  for (auto b = r.next(); !b.bytes.empty(); b = r.next()) {
    CHECK(b.statics.size() == b.bytes.size() / 64);
    n += b.statics.size();
  }
  CHECK(n == 500);
}
