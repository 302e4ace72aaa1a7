// Tests of the writer: refused input, frames, and the layout of a file.
#include <doctest/doctest.h>

#include "support.hpp"

using namespace test;

namespace {
std::optional<trace_errc> code_of(const tracepack::about& a) {
  const auto e = error_of([&] { packed(program(10), {.about = a}); });
  return e ? std::optional(e->code()) : std::nullopt;
}
// Returns the number of frames of one kind.
std::size_t frames_of(const bytes& file, tracepack::frame_kind kind) {
  const auto parts = split(file);
  REQUIRE(parts.has_value());
  return static_cast<std::size_t>(
      std::count_if(parts->frames.begin(), parts->frames.end(),
                    [kind](const pack_frame& f) { return f.header.kind == kind; }));
}
}  // namespace

TEST_CASE("decides which layouts can be modelled") {
  using tracepack::modelled, tracepack::shape;
  CHECK(modelled(tracepack::champsim_shape()));
  CHECK(modelled(tracepack::cloudsuite_shape()));
  CHECK(modelled({.size = 8}));
  CHECK(modelled({.size = 4096, .ip = 4088}));
  CHECK_FALSE(modelled({}));
  CHECK_FALSE(modelled({.size = 4104}));
  CHECK_FALSE(modelled({.size = 12}));
  CHECK_FALSE(modelled({.size = 16, .ip = 4}));
  CHECK_FALSE(modelled({.size = 16, .ip = 16}));
  CHECK_FALSE(modelled({.size = 64, .ip = 65528}));
  CHECK(modelled({.size = 32, .ip = 8, .slots = {0, 16}, .bases = {24}, .flags = {31}}));
  CHECK_FALSE(modelled({.size = 32, .ip = 8, .slots = {16, 0}}));
  CHECK_FALSE(modelled({.size = 32, .ip = 8, .slots = {16, 16}}));
  CHECK_FALSE(modelled({.size = 32, .ip = 8, .slots = {8}}));
  CHECK_FALSE(modelled({.size = 32, .ip = 8, .slots = {20}}));
  CHECK_FALSE(modelled({.size = 32, .ip = 8, .slots = {32}}));
  CHECK_FALSE(modelled({.size = 32, .bases = {32}}));
  CHECK_FALSE(modelled({.size = 32, .bases = {7}}));
  CHECK_FALSE(modelled({.size = 32, .slots = {8}, .bases = {15}}));
  CHECK_FALSE(modelled({.size = 32, .flags = {32}}));
  shape many{.size = 256};
  for (std::uint16_t i = 1; i != 17; ++i) many.slots.push_back(static_cast<std::uint16_t>(8 * i));
  CHECK(modelled(many));
  many.slots.push_back(8 * 17);
  CHECK_FALSE(modelled(many));
}

TEST_CASE("stores content that cannot be modelled") {
  tracepack::about a = tracepack::about_champsim();
  a.shape.flags = {64};
  const bytes all = program(1000);
  for (const auto& o :
       {options_of(50, level::fast, a), of_bytes(), of_bytes(64), of_bytes(65), of_bytes(4096)}) {
    const bytes file = packed(all, o);
    CHECK(frames_of(file, tracepack::frame_kind::stored) == 1);
    CHECK(split(file)->frames.size() == 1);
    CHECK(unpacked(file).content == all);
  }
}

TEST_CASE("refuses records of size 0, records that are too large, and texts that are too long") {
  tracepack::about a = tracepack::about_champsim();
  a.shape.size = 0;
  CHECK(code_of(a) == trace_errc::refused);
  a.kind = record_kind::bytes;
  CHECK(code_of(a) == trace_errc::refused);
  a.shape.size = 4097;
  CHECK(code_of(a) == trace_errc::refused);
  a.shape.size = 4096;
  CHECK(code_of(a) == std::nullopt);
  a.comment.assign(tracepack::most_about - 200, 'x');
  CHECK(code_of(a) == std::nullopt);
  a.comment.assign(tracepack::most_about, 'x');
  CHECK(code_of(a) == trace_errc::refused);
}

TEST_CASE("returns the description of a file") {
  tracepack::about a = tracepack::about_champsim();
  a.properties = tracepack::has_classes;
  a.frame_records = 77;
  a.table = "0 8 ip u64 little\n";
  a.program = "/bin/sed";
  a.arguments = "-n p";
  a.recorder = "trace_record 0.1";
  a.machine = "a host";
  a.date = "2026-11-26T10:00:00Z";
  a.region = std::string("from\0main", 9);
  a.comment = std::string(300, 'c');
  const bytes file = packed(program(100), {.about = a});
  const tracepack::reader r(opened(file, way::pipe));
  const tracepack::about& b = r.about();
  CHECK(b.kind == a.kind);
  CHECK(b.properties == a.properties);
  CHECK(b.frame_records == 77);
  a.shape.flags.clear();  // flags are used only by a writer
  CHECK(b.shape == a.shape);
  CHECK(b.table == a.table);
  CHECK(b.program == a.program);
  CHECK(b.arguments == a.arguments);
  CHECK(b.recorder == a.recorder);
  CHECK(b.machine == a.machine);
  CHECK(b.date == a.date);
  CHECK(b.region == a.region);
  CHECK(b.comment == a.comment);
  CHECK(r.name() == "t");
}

TEST_CASE("every eighth frame is a base, frames have the requested size, and noise is stored") {
  const auto parts = split(packed(program(1010), options_of(50)));
  REQUIRE(parts.has_value());
  REQUIRE(parts->frames.size() == 21);
  for (std::uint32_t i = 0; i != 21; ++i) {
    const tracepack::frame_header& h = parts->frames[i].header;
    CHECK(h.number == i);
    CHECK(h.kind == tracepack::frame_kind::fast);
    CHECK(h.base == i / 8 * 8);
    CHECK(h.content_offset == 64U * 50 * i);
    CHECK(h.content_size == (i == 20 ? 640U : 3200U));
    CHECK(parts->entries[i].base == h.base);
  }
  CHECK(parts->end.records == 1010);
  CHECK(parts->end.content_size == 64 * 1010);

  const bytes all = program(9000) + noise(64 * 9000) + program(36000);
  const bytes file = packed(all, options_of(2000, level::high));
  CHECK(frames_of(file, tracepack::frame_kind::high) > 2);
  CHECK(frames_of(file, tracepack::frame_kind::stored) == 1);
  CHECK(unpacked(file).content == all);
}

TEST_CASE("an error of the sink is an error of the writer") {
  class full_sink final : public io::sink {
   public:
    explicit full_sink(std::size_t capacity) : capacity_(capacity) {}
    void write(std::span<const std::byte> in) override {
      if (in.size() > capacity_) throw trace_error(trace_errc::system, {"disk"}, "is full");
      capacity_ -= in.size();
    }
    void finish() override { throw trace_error(trace_errc::system, {"disk"}, "is full"); }

   private:
    std::size_t capacity_;
  };
  const bytes all = program(20000);
  const std::size_t size = packed(all, options_of(1000)).size();
  CHECK(error_of([] { tracepack::writer(std::make_unique<full_sink>(10)); })->code() ==
        trace_errc::system);
  for (std::size_t capacity = 100; capacity <= size; capacity += size / 7) {
    tracepack::writer w(std::make_unique<full_sink>(capacity), options_of(1000));
    const auto first = error_of([&] {
      w.write(all);
      w.finish();
    });
    REQUIRE(first.has_value());
    CHECK(first->code() == trace_errc::system);
    CHECK(error_of([&] { w.write(all); })->code() == trace_errc::refused);
    CHECK(error_of([&] { w.finish(); })->code() == trace_errc::refused);
  }
  tracepack::writer once(std::make_unique<full_sink>(size));
  CHECK(error_of([&] { once.finish(); })->code() == trace_errc::system);
  CHECK(error_of([&] { once.finish(); })->code() == trace_errc::refused);
}

TEST_CASE("the output does not depend on the number of threads") {
  bytes content = program(6000);
  content += noise(64 * 9000);
  content += program(6000, 2);
  for (const level l : {level::fast, level::high}) {
    pack_options o = options_of(500, l);
    o.threads = 1;
    const bytes one = packed(content, o);
    for (const unsigned threads : {0U, 2U, 3U, 5U, 100U}) {
      o.threads = threads;
      CHECK(packed(content, o) == one);
    }
    const outcome back = unpacked(one);
    CHECK(back.content == content);
    CHECK(!back.error);
  }
}

TEST_CASE("a destroyed writer waits for its threads") {
  pack_options o = options_of(100);
  o.threads = 4;
  bytes out;
  tracepack::writer w(std::make_unique<vector_sink>(out), o);
  w.write(program(20000));
}
