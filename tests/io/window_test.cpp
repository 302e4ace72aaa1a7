// Tests that a window shows the whole stream, for any size of the buffer, the input and the
// requests.
#include "tracecodec/io/window.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes numbered(std::size_t n) {
  bytes all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::byte>(i * 7 + i / 251);
  return all;
}

// Source that delivers the bytes of `all`, then an error.
class failing_source final : public source {
 public:
  explicit failing_source(const bytes& all) : from_(all) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = from_.read(out);
    if (n == 0) throw trace_error(trace_errc::corrupt, {.file = "failing"}, "here");
    return n;
  }

 private:
  memory_source from_;
};

constexpr std::size_t kib = 1024, mib = 1024 * kib;

}  // namespace

TEST_CASE("shows a whole stream of any size in pieces of any size") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, 16 * kib - 1, 16 * kib,
                                 16 * kib + 1, mib - 1, mib, mib + 1, 3 * mib}) {
    const bytes all = numbered(size);
    for (const std::size_t wanted : {std::size_t{1}, std::size_t{1000}, 16 * kib + 1, 2 * mib}) {
      CAPTURE(size);
      CAPTURE(wanted);
      for (const bool in_place : {false, true}) {
        window w(open_bytes(all, "f", {.compression = codec::none, .map = in_place}));
        std::size_t at = 0;
        bool enough = true, same = true, counted = true;
        for (auto in = w.look(wanted); !in.empty(); in = w.look(wanted)) {
          const std::size_t n = std::min({in.size(), wanted, size - at});
          enough = enough && in.size() >= std::min(wanted, size - at);
          same = same && n != 0 && std::memcmp(in.data(), all.data() + at, n) == 0;
          w.consume(n);
          at += n;
          counted = counted && w.offset() == at;
          if (!enough || !same || !counted) break;
        }
        CHECK(enough);
        CHECK(same);
        CHECK(counted);
        CHECK(at == size);
        CHECK_NOTHROW(w.check_end());
        w.resume();
        CHECK(w.look(1).empty());
      }
    }
  }
}

TEST_CASE("an error after any number of bytes comes when those bytes are consumed") {
  for (const std::size_t size : {std::size_t{1}, 16 * kib, mib}) {
    const bytes all = numbered(size);
    window w(open_source(std::make_unique<failing_source>(all), "f", {.compression = codec::none}));
    CHECK(w.skip(2 * mib) == size);
    CHECK(w.look(1).empty());
    CHECK_THROWS_AS(w.check_end(), trace_error);
  }
}
