// Tests of reading newer versions, and files that are not tracepack.
#include <doctest/doctest.h>

#include "support.hpp"
#include "tracecodec/tracepack/recognise.hpp"

using namespace test;

namespace {

namespace tp = tracepack;

// Return the error after a change of the front, or of the description.
template <class F> std::optional<trace_error> changed_front(F change) {
  pack_parts parts = *split(packed(program(100), options_of(50)));
  change(parts);
  mend(parts, 64);
  return unpacked(joined(parts)).error;
}
template <class F> std::optional<trace_error> changed_about(F change) {
  return changed_front([&](pack_parts& p) {
    tp::about_record a{};
    const bytes before = p.about;
    REQUIRE(tp::about_codec::decode(before, a));
    change(a);
    p.about.resize(10'000);
    const auto r = tp::about_codec::encode(a, p.about);
    REQUIRE(r);
    p.about.resize(r.used);
  });
}

}  // namespace

TEST_CASE("reads a newer minor version and ignores its additional text and streams") {
  const bytes content = program(1000);
  pack_parts parts = *split(packed(content, options_of(100)));
  parts.front.minor = 7;
  parts.about += from_hex("05 68 65 6c 6c 6f 00 00");
  for (pack_frame& f : parts.frames) {
    auto streams = *streams_in(f.payload);
    streams[128] = from_hex("010203");
    streams[255] = noise(1000);
    f.payload = payload_of(streams);
  }
  mend(parts, 64);
  const bytes file = joined(parts);
  for (const way how : all_ways) {
    const outcome got = unpacked(file, how);
    CHECK_FALSE(got.error.has_value());
    CHECK(got.content == content);
  }
}

TEST_CASE("refuses a newer major version and reports both versions") {
  for (const std::uint16_t major : {std::uint16_t{0}, std::uint16_t{2}, std::uint16_t{0xffff}}) {
    const auto e = changed_front([&](pack_parts& p) {
      p.front.major = major;
      p.front.minor = 3;
    });
    REQUIRE(e.has_value());
    CHECK(e->code() == trace_errc::unsupported);
    CHECK(e->offset() == 8);
    CHECK(e->message() ==
          "tracepack of version " + std::to_string(major) + ".3, but this program reads version 1");
  }
}

TEST_CASE("reports other files as not a trace, and short files as truncated") {
  const auto code_of = [](const bytes& file) { return unpacked(file).error->code(); };
  CHECK(code_of({}) == trace_errc::truncated);
  CHECK(code_of(from_hex("00")) == trace_errc::not_a_trace);
  CHECK(code_of(from_hex("89")) == trace_errc::truncated);
  CHECK(code_of(from_hex("8954")) == trace_errc::truncated);
  CHECK(code_of(from_hex("8955")) == trace_errc::not_a_trace);
  CHECK(code_of(noise(1000)) == trace_errc::not_a_trace);
  CHECK(code_of(program(10)) == trace_errc::not_a_trace);
  // Damage by a transfer in text mode, which converts line ends.
  bytes file = packed(program(10));
  CHECK(tp::begins_like_a_pack(file));
  CHECK_FALSE(tp::begins_like_a_pack(std::span(file).first(7)));
  file.erase(file.begin() + 6);
  CHECK(code_of(file) == trace_errc::not_a_trace);
  CHECK_FALSE(tp::begins_like_a_pack(file));
  CHECK_FALSE(tp::begins_like_a_pack(program(10)));
}

TEST_CASE("refuses wrong sizes and checksums in the front and the description") {
  const bytes file = packed(program(10));
  pack_parts parts = *split(file);
  const auto error_of_parts = [&parts] { return *unpacked(joined(parts)).error; };
  parts.front.about_size = tp::most_about + 1;
  CHECK(error_of_parts().code() == trace_errc::bad_value);
  CHECK(error_of_parts().offset() == 12);
  parts.front.about_size = 0xffffffff;
  CHECK(error_of_parts().code() == trace_errc::bad_value);
  parts.front.about_size = tp::most_about;
  CHECK(error_of_parts().code() == trace_errc::truncated);
  parts.front.about_size = 3;
  CHECK(error_of_parts().code() == trace_errc::corrupt);
  parts = *split(file);
  parts.front.about_crc ^= 1;
  CHECK(error_of_parts().code() == trace_errc::corrupt);
  CHECK(error_of_parts().offset() == tp::front_codec::size);
  const std::size_t whole = parts.about.size();
  for (std::size_t n = 0; n != whole; ++n) {
    parts = *split(file);
    parts.about.resize(n);
    mend(parts, 64);
    const trace_error e = error_of_parts();
    CHECK(e.code() == trace_errc::bad_value);
    CHECK_FALSE(e.field().empty());
    CHECK(*e.offset() >= tp::front_codec::size);
    CHECK(*e.offset() <= tp::front_codec::size + n);
  }
}

TEST_CASE("refuses invalid kinds and layouts of records") {
  const auto field_of = [](auto change) {
    const auto e = changed_about(change);
    return e ? e->field() : std::string();
  };
  CHECK(field_of([](tp::about_record& a) { a.record_size = 0; }) == "record_size");
  CHECK(field_of([](tp::about_record& a) { a.record_size = 96; }) == "record_size");
  CHECK(field_of([](tp::about_record& a) { a.kind = record_kind::cloudsuite; }) == "record_size");
  CHECK(field_of([](tp::about_record& a) {
          a.kind = record_kind::described;
          a.record_size = 4097;
        }) == "record_size");
  CHECK(changed_about([](tp::about_record& a) { a.kind = static_cast<record_kind>(4); })->code() ==
        trace_errc::unsupported);
  CHECK(field_of([](tp::about_record& a) { a.kind = static_cast<record_kind>(255); }) == "kind");
  // Layouts that cannot be modelled, in a file with model frames.
  static const bytes descending = from_hex("1800 1000");
  for (const auto& e : {changed_about([](tp::about_record& a) { a.ip_offset = 4; }),
                        changed_about([](tp::about_record& a) { a.ip_offset = 0xfff8; }),
                        changed_about([](tp::about_record& a) {
                          a.slots = tp::offsets_view(descending.data(), 2);
                        }),
                        changed_about([](tp::about_record& a) {
                          a.bases = tp::offsets_view(descending.data(), 1);
                        })}) {
    REQUIRE(e.has_value());
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->message().find("frame 0: is modelled, but the records have no model") == 0);
  }
  // The layout of kind `bytes` is not checked, but model frames are not allowed.
  CHECK(changed_about([](tp::about_record& a) { a.kind = record_kind::bytes; })->code() ==
        trace_errc::bad_value);
}
