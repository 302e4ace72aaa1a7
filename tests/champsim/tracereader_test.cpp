// Tests of the adapter for simulators that pull one instruction at a time, stored as ChampSim
// stores it.
#include <doctest/doctest.h>

#include <memory>

#include "input_instr.hpp"
#include "support.hpp"
#include "tracecodec/feed/adaptors.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;

namespace {
using test::input_instr;

// Address type that, like ChampSim's, can only be converted explicitly from an integer.
struct address {
  std::uint64_t value = 0;
  address() = default;
  explicit address(std::uint64_t v) : value(v) {}
};
struct model {
  std::uint64_t ip;
  std::uint8_t cpu;
  bool taken;
  address branch_target = {};
  model(std::uint8_t c, const input_instr& r) : ip(r.ip), cpu(c), taken(r.branch_taken != 0) {}
};
// Stores any type with operator() and a const eof(), as ChampSim's tracereader does.
class holder {
  struct interface {
    virtual ~interface() = default;
    virtual model get() = 0;
    virtual bool eof() const = 0;
  };
  template <class T> struct held final : interface {
    T it;
    explicit held(T t) : it(std::move(t)) {}
    model get() override { return it(); }
    bool eof() const override { return it.eof(); }
  };
  std::unique_ptr<interface> held_;

 public:
  template <class T> explicit holder(T t) : held_(std::make_unique<held<T>>(std::move(t))) {}
  model operator()() { return held_->get(); }
  bool eof() const { return held_->eof(); }
};
}  // namespace

TEST_CASE("delivers every instruction as the simulator's own type") {
  for (const bool map : {true, false}) {
    const test::folder dir;
    const auto records = test::records(10000);
    const auto path = dir.file("t", test::bytes_of(records));
    holder reader(
        champsim::model_reader<model, input_instr>(3, champsim::trace_feed<>(path, {.map = map})));
    std::size_t n = 0;
    while (!reader.eof()) {
      const model m = reader();
      REQUIRE(n < records.size());
      CHECK(m.ip == records[n].ip);
      CHECK(m.cpu == 3);
      const bool target = records[n].branch_taken && n + 1 < records.size();
      CHECK(m.branch_target.value == (target ? records[n + 1].ip : 0));
      ++n;
    }
    CHECK(n == records.size());
  }
}

TEST_CASE("an endless feed never reaches eof") {
  const test::folder dir;
  const auto path = dir.file("t", test::bytes_of(test::records(10)));
  holder reader(
      champsim::model_reader<model, input_instr>(0, champsim::trace_feed<>(path) | feed::repeat{}));
  for (std::size_t i = 0; i < 1000; ++i) {
    REQUIRE(!reader.eof());
    const model m = reader();
    CHECK(m.ip == 0x401000 + 4 * (i % 10));
    if (i % 10 == 9) CHECK(m.branch_target.value == 0x401000);  // across the end of a pass
  }
}

TEST_CASE("a truncated trace delivers every instruction before the error") {
  const test::folder dir;
  auto bytes = test::bytes_of(test::records(10));
  bytes.resize(bytes.size() - 1);
  holder reader(
      champsim::model_reader<model, input_instr>(0, champsim::trace_feed<>(dir.file("t", bytes))));
  for (std::size_t i = 0; i < 9; ++i) {
    REQUIRE(!reader.eof());
    CHECK(reader().ip == 0x401000 + 4 * i);
  }
  REQUIRE(!reader.eof());
  CHECK_THROWS_AS(reader(), tracecodec::trace_error);
  CHECK(reader.eof());
}
