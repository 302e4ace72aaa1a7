// Tests that results do not depend on the number of threads: records, batches, statics, marks,
// and errors.
#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "sanitized.hpp"
#include "support.hpp"
#include "tracecodec/io/checksum.hpp"

using namespace test;

namespace {

constexpr std::array<unsigned, 4> all_threads{1, 2, 3, 5};

// Records everything that a reader returns, as text.
class listener {
 public:
  listener(std::span<const std::byte> file, way how, unsigned threads, bool lenient)
      : lenient_(lenient) {
    thrown([&] { from_.emplace(opened(file, how), options(threads)); });
  }
  bool open() const { return from_.has_value(); }
  tracepack::reader& reader() { return *from_; }

  // Reads the next batch. Returns false at the end and after an error.
  bool next() {
    return step([&] { return told(from_->next()); });
  }
  bool next_into(std::size_t records) {
    bytes buffer(records * from_->about().shape.size);
    return step([&] { return told(from_->next(buffer)); });
  }
  bool read(std::size_t n) {
    bytes buffer(n);
    return step([&] {
      buffer.resize(from_->read(buffer));
      say("read", buffer.size(), sum(buffer));
      return !buffer.empty();
    });
  }
  bool skip(std::uint64_t n) {
    return step([&] {
      n = from_->skip(n);
      say("skipped", n);
      return n != 0;
    });
  }
  void rewind() {
    step([&] {
      from_->rewind();
      say("rewound");
      return true;
    });
  }
  void measure() {
    step([&] {
      say("of", from_->content_size(), from_->has_index().value_or(false));
      return true;
    });
  }
  void move() {
    tracepack::reader other(std::move(*from_));
    from_.emplace(std::move(other));
  }
  const std::string& said() const { return said_; }

 private:
  tracepack::reader_options options(unsigned threads) {
    tracepack::reader_options o;
    if (lenient_) o.lost = [this](const trace_error& e) { say("lost:", describe(e)); };
    o.statics = true;
    o.mark = [](std::span<const std::byte> record, const property& p) {
      return static_cast<std::uint8_t>(std::to_integer<unsigned>(record[0]) * 7 + p.length);
    };
    o.threads = threads;
    return o;
  }
  static std::string describe(const trace_error& e) { return e.what(); }
  static std::uint64_t sum(std::span<const std::byte> bytes) {
    io::crc32c c;
    c.update(bytes);
    return c.value();
  }
  bool told(const tracepack::batch& b) {
    say("batch", b.bytes.size(), sum(b.bytes), b.statics.size(), sum(std::as_bytes(b.statics)),
        b.marks.size(), sum(std::as_bytes(b.marks)));
    if (b.bytes.empty()) return false;
    say("frame", from_->frame(), from_->static_count());
    if (!b.statics.empty()) {
      bytes record(from_->about().shape.size);
      from_->static_record(b.statics.back(), record);
      say("static", sum(record), from_->static_property(b.statics.back()).length);
    }
    return true;
  }
  template <class F> bool step(F f) {
    bool more = false;
    thrown([&] { more = f(); });
    say("at", from_->position());
    return more;
  }
  template <class F> void thrown(F f) {
    if (const auto e = error_of(f)) say("error:", describe(*e));
  }
  void say(const std::string& word) { said_ += word + "\n"; }
  void say(const std::string& word, const std::string& text) { said_ += word + " " + text + "\n"; }
  template <class... N> void say(const std::string& word, N... numbers) {
    said_ += word;
    ((said_ += " " + std::to_string(numbers)), ...);
    said_ += "\n";
  }

  std::string said_ = {};
  bool lenient_;
  std::optional<tracepack::reader> from_ = {};
};

using use = std::function<void(listener&)>;

void same(std::span<const std::byte> file, way how, bool lenient, const use& uses,
          std::span<const unsigned> threads = all_threads) {
  const auto said = [&](unsigned n) {
    listener l(file, how, n, lenient);
    if (l.open()) uses(l);
    return l.said();
  };
  const std::string one = said(0);
  for (const unsigned n : threads) {
    CAPTURE(n);
    const std::string many = said(n);
    CHECK((many == one));
    if (many == one) continue;
    std::size_t at = 0;
    while (at < std::min(one.size(), many.size()) && one[at] == many[at]) ++at;
    const std::size_t from = at > 200 ? at - 200 : 0;
    MESSAGE("one: ", one.substr(from, 400), "\nmany: ", many.substr(from, 400));
  }
}
void hear_all(listener& l) {
  while (l.next()) {
  }
  l.next();
}
// Calls random functions of a reader.
void anything(listener& l, std::uint64_t seed, std::size_t size) {
  drawn d(seed);
  for (int i = 0; i != 60; ++i) {
    switch (d.below(9)) {
      case 0:
        l.next();
        break;
      case 1:
        l.next_into(static_cast<std::size_t>(128 + d.below(5000)));
        break;
      case 2:
        l.read(static_cast<std::size_t>(d.below(64 * 64 * 3)));
        break;
      case 3:
        l.skip(d.below(size / 8));
        break;
      case 4:
        l.skip(d.below(500));
        break;
      case 5:
        l.measure();
        break;
      case 6:
        l.move();
        break;
      case 7:
        if (d.below(5) == 0) l.rewind();
        break;
      default:
        l.read(static_cast<std::size_t>(d.below(200)));
        break;
    }
  }
  hear_all(l);
}

// Returns a program, noise, and another program.
bytes mixed(const tracepack::shape& s) {
  return program(3000, s) + noise(std::size_t{s.size} * 8500) + program(12000, s, 2) + noise(5);
}

}  // namespace

TEST_CASE("all thread counts return the same batches for all kinds of records and frames") {
  tracepack::about described;
  described.kind = record_kind::described;
  described.shape = {.size = 40, .ip = 8, .slots = {16, 24}, .bases = {0, 1}};
  for (tracepack::about a :
       {tracepack::about_champsim(), tracepack::about_cloudsuite(), described}) {
    a.properties = tracepack::has_classes | tracepack::has_lengths;
    const bytes all = mixed(a.shape);
    for (const level l : {level::fast, level::high})
      for (const std::uint32_t records : {700U, 2500U, 10000U}) {
        if (sanitized && records == 700) continue;
        const bytes file = packed(all, options_of(records, l, a));
        for (const way how : {way::mapped, way::again}) {
          same(file, how, false, hear_all);
          same(file, how, false, [](listener& r) {
            while (r.next_into(777)) {
            }
          });
          same(file, how, false, [](listener& r) {
            while (r.read(50001)) {
            }
          });
        }
      }
  }
  same(packed(noise(100000), of_bytes()), way::mapped, false, hear_all);
  same(packed({}), way::mapped, false, hear_all);
}

TEST_CASE("reads one frame of many batches") {
  const bytes all = program(300000);
  const bytes file = packed(all);
  same(file, way::mapped, false, hear_all);
  tracepack::reader r(opened(file, way::mapped), {.threads = 2});
  CHECK(drained(r).content == all);
}

TEST_CASE("random skips, rewinds and moves do not depend on the thread count") {
  const bytes all = mixed(tracepack::champsim_shape());
  for (const std::uint32_t records : {400U, 4000U}) {
    const bytes file = packed(all, options_of(records));
    for (std::uint64_t seed = 0; seed != (sanitized ? 2 : 6); ++seed)
      for (const way how : all_ways) {
        CAPTURE(seed);
        same(file, how, seed % 2 == 0, [&](listener& l) { anything(l, seed, all.size()); });
      }
  }
}

TEST_CASE("a reader can be replaced at any time") {
  const bytes all = program(60000);
  const bytes file = packed(all, options_of(5000));
  for (const unsigned threads : all_threads)
    for (int batches = 0; batches != 8; ++batches) {
      tracepack::reader r(opened(file, way::mapped), {.threads = threads});
      for (int i = 0; i != batches; ++i) r.next();
      tracepack::reader other(opened(file, way::mapped), {.threads = threads});
      const std::size_t n = other.next().bytes.size();
      r = std::move(other);
      const auto b = r.next().bytes;
      CHECK(bytes(b.begin(), b.end()) == part(all, n, b.size()));
    }
}

TEST_CASE("skips into a frame that another thread is still decoding") {
  // The other thread decodes the second frame, which has more addresses than are kept ready.
  const std::size_t records = 700000, frame = records * 64;
  bytes all(2 * frame);
  for (std::size_t i = 0; i != 2 * records; ++i) {
    std::byte* const r = all.data() + i * 64;
    r[0] = static_cast<std::byte>(4 * (i % 13));
    for (std::size_t at = 16; at != 64; at += 8)
      std::memset(r + at, static_cast<int>(1 + i % 251), 6);
  }
  const bytes file = packed(all, options_of(static_cast<std::uint32_t>(records)));
  for (const unsigned threads : {2U, 3U}) {
    tracepack::reader r(opened(file, way::mapped), {.threads = threads});
    for (int round = 0; round != 2; ++round) {
      const std::size_t n = r.next().bytes.size();
      CHECK(r.skip(frame + 64 * 10 - n) == frame + 64 * 10 - n);
      const auto b = r.next().bytes;
      CHECK(bytes(b.begin(), b.end()) == part(all, frame + 64 * 10, b.size()));
      CHECK(r.frame() == 1);
      // The thread continues until its buffer is full.
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (round == 0) r.rewind();
    }
  }
}

TEST_CASE("truncated and changed files cause the same errors at the same places") {
  bytes all = program(20 * 30 + 7);
  all.resize(all.size() - 5);
  const bytes file = packed(all, options_of(20));
  const std::array<unsigned, 1> threads{3};
  for (std::size_t cut = 0; cut < file.size(); cut += sanitized ? 997 : 113)
    for (const way how : all_ways)
      for (const bool lenient : {false, true}) {
        CAPTURE(cut);
        same(std::span(file).first(cut), how, lenient, hear_all, threads);
      }
  bytes bad = file;
  for (std::size_t at = 0; at < file.size(); at += sanitized ? 997 : 113) {
    CAPTURE(at);
    bad[at] ^= std::byte{1} << at % 8;
    for (const way how : all_ways)
      for (const bool lenient : {false, true}) {
        same(bad, how, lenient, hear_all, threads);
        if (at % 5 == 0)
          same(
              bad, how, lenient, [&](listener& l) { anything(l, at, all.size()); }, threads);
      }
    bad[at] = file[at];
  }
}

TEST_CASE("damaged streams with correct checksums cause the same errors") {
  const bytes all = program(20 * 400);
  for (const level l : {level::fast, level::high}) {
    const pack_parts sound = *split(packed(all, options_of(400, l)));
    REQUIRE(sound.frames.size() == 20);
    drawn d(3);
    for (int times = 0; times != (sanitized ? 12 : 40); ++times) {
      CAPTURE(times);
      pack_parts parts = sound;
      for (int i = times % 3; i >= 0; --i) {
        pack_frame& f = parts.frames[static_cast<std::size_t>(d.below(times % 2 == 0 ? 20 : 6))];
        auto streams = *streams_in(f.payload);
        auto at = streams.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(d.below(streams.size())));
        if (at->second.empty()) continue;
        // Change a byte of one stream, truncate it, or change the digest.
        const auto place = static_cast<std::size_t>(d.below(at->second.size()));
        if (times % 4 == 0)
          f.header.digest ^= 1;
        else if (times % 4 == 1)
          at->second.resize(place);
        else
          at->second[place] ^= static_cast<std::byte>(1 + d.below(255));
        f.payload = payload_of(streams);
      }
      mend(parts, 64);
      const bytes file = joined(parts);
      for (const bool lenient : {false, true}) {
        const way how = all_ways[static_cast<std::size_t>(times) % 3];
        same(file, how, lenient, hear_all);
        same(file, how, lenient, [](listener& r) {
          while (r.next_into(150)) {
          }
          r.read(100);
        });
        same(file, how, lenient,
             [&](listener& r) { anything(r, static_cast<std::uint64_t>(times), all.size()); });
      }
    }
  }
}
