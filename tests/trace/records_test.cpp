// Tests trace/records.hpp: traces of any format as ChampSim records.
#include "tracecodec/trace/records.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/record_source.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/x64dbg/opens.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

namespace {

struct made {
  std::vector<champsim::instruction> records = {};
  std::uint64_t dropped_operands = 0;
  friend bool operator==(const made&, const made&) = default;
};

made of(trace::records& from, std::size_t most = trace::records::most_records) {
  made all;
  for (auto batch = from.next(most); !batch.empty(); batch = from.next(most))
    all.records.insert(all.records.end(), batch.begin(), batch.end());
  all.dropped_operands = from.dropped_operands();
  return all;
}
trace::record_losses losses_by_hand(const std::string& path) {
  return trace::visit(path, [](auto in) {
    trace::record_losses all;
    feed::for_each(in, [&](const auto& i) {
      using type = std::remove_cvref_t<decltype(i)>;
      all.clipped += champsim::record_of(i).dropped_operands != 0;
      if constexpr (feed::with_uncertainty<type>) {
        const auto is = [&i](feed::uncertainty d) {
          return (i.uncertainty() & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
        };
        all.incomplete += is(feed::uncertainty::unknown_address);
        all.undecoded += is(feed::uncertainty::undecoded);
        all.estimated += is(feed::uncertainty::estimated_outcome);
      }
      if constexpr (feed::with_known_thread<type>) {
        all.switches += all.thread && *all.thread != i.asid();
        all.thread = i.asid();
        all.branches += i.is_branch();
      }
    });
    return all;
  });
}
made by_hand(const std::string& path) {
  return trace::visit(path, [](auto in) {
    made all;
    feed::for_each(in, [&](const auto& i) {
      const auto r = champsim::record_of(i);
      all.records.push_back(r.record);
      all.dropped_operands += r.dropped_operands;
    });
    return all;
  });
}

}  // namespace

TEST_CASE("records equal record_of() for each instruction") {
  for (const char* name : {"rapidbin/r250.data", "rapidbin/r250.std", "umtracer/awkward64",
                           "threads3_64.trace64.xz", "work32.trace32.xz"}) {
    CAPTURE(name);
    const std::string n = name;
#if !TRACECODEC_OPENS_UMTRACER
    if (n.find("umtracer") == 0) continue;
#endif
#if !TRACECODEC_OPENS_X64DBG
    if (n.find(".trace") != std::string::npos) continue;
#endif
    if (!test::with_xz && n.find(".xz") != std::string::npos) continue;
    const made wanted = by_hand(test::data(name));
    REQUIRE(wanted.records.size() > 200);
    trace::records from(test::data(name));
    CHECK(of(from) == wanted);
    from.rewind();
    CHECK(from.losses() == trace::record_losses());
    from.rewind();
    from.count_losses();
    CHECK(of(from, 10) == wanted);
    CHECK(from.losses() == losses_by_hand(test::data(name)));
  }
}

TEST_CASE("records of a ChampSim trace are the file's and are not copied") {
  const test::folder here;
  const auto all = test::records(10000);
  trace::records from(here.file("t", test::bytes_of(all)),
                      {.format = &champsim::descriptor::facts});
  CHECK(&from.format() == &champsim::descriptor::facts);
  CHECK(from.has(feed::column::recorded_taken));
  CHECK(from.count() == all.size());
  const champsim::instruction* behind = nullptr;
  std::vector<champsim::instruction> got;
  for (auto batch = from.next(); !batch.empty(); batch = from.next()) {
    // Records are not copied only if the host has the file's byte order.
    if (behind != nullptr && std::endian::native == std::endian::little)
      CHECK(batch.data() == behind);
    behind = batch.data() + batch.size();
    got.insert(got.end(), batch.begin(), batch.end());
  }
  CHECK(got == all);
  CHECK(from.dropped_operands() == 0);
}

TEST_CASE("delivers the whole records before an error, which repeats") {
  const test::folder here;
  const auto all = test::records(5000);
  auto bytes = test::bytes_of(all);
  bytes.resize(bytes.size() - 24);
  for (const bool map : {true, false}) {
    trace::records from(here.file("t", bytes), {.input = {.map = map}});
    std::size_t n = 0;
    for (int again = 0; again != 2; ++again) {
      try {
        for (auto batch = from.next(); !batch.empty(); batch = from.next()) n += batch.size();
        FAIL("no error");
      } catch (const tracecodec::trace_error& e) {
        CHECK(e.code() == tracecodec::trace_errc::truncated);
        CHECK(e.record() == 4999);
        CHECK(e.field() == "source_memory");
      }
    }
    CHECK(n == 4999);
  }
}

namespace {

// Feed in which one instruction is damaged.
struct damaged {
  struct value_type {
    std::uint64_t number;
    [[nodiscard]] std::uint64_t ip() const {
      if (number == 7) throw std::runtime_error("damaged");
      return number;
    }
    [[nodiscard]] feed::branch_class branch() const { return feed::branch_class::not_branch; }
    [[nodiscard]] bool is_branch() const { return false; }
    [[nodiscard]] bool taken() const { return false; }
    [[nodiscard]] std::uint64_t target() const { return 0; }
    [[nodiscard]] std::uint32_t asid() const { return 0; }
    [[nodiscard]] std::span<const std::uint8_t> destination_registers() const { return {}; }
    [[nodiscard]] std::span<const std::uint8_t> source_registers() const { return {}; }
    [[nodiscard]] std::span<const std::uint64_t> destination_memory() const { return {}; }
    [[nodiscard]] std::span<const std::uint64_t> source_memory() const { return {}; }
  };
  struct batch_type {
    using value_type = damaged::value_type;
    std::uint64_t from = 0, to = 0;
    bool last = true;
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(to - from); }
    value_type operator[](std::size_t i) const { return {from + i}; }
    [[nodiscard]] batch_type first(std::size_t n) const { return {from, from + n, false}; }
    [[nodiscard]] batch_type drop(std::size_t n) const { return {from + n, to, last}; }
    [[nodiscard]] bool last_batch() const { return last; }
    void mark_last() { last = true; }
    void set_next_ip(std::uint64_t /*ip*/) {}
  };
  std::uint64_t at = 0;
  batch_type next() {
    const std::uint64_t from = std::min<std::uint64_t>(at, 20);
    at = std::min<std::uint64_t>(from + 5, 20);
    return {from, at, at == 20};
  }
  std::uint64_t skip(std::uint64_t n) {
    n = std::min(n, 20 - at);
    at += n;
    return n;
  }
  void rewind() { at = 0; }
  static std::optional<std::uint64_t> count() { return 20; }
  [[nodiscard]] static std::optional<double> progress() { return std::nullopt; }
};

}  // namespace

TEST_CASE("an instruction that cannot be converted ends a batch and can be skipped") {
  const auto from = trace::make_record_source(damaged());
  const auto before = from->next(100);
  REQUIRE(before.records.size() == 7);
  CHECK(before.records[6].ip == 6);
  CHECK_THROWS_AS(from->next(100), std::runtime_error);
  CHECK_THROWS_AS(from->next(100), std::runtime_error);
  CHECK(from->position() == 7);
  CHECK(from->skip(1) == 1);
  const auto behind = from->next(100);
  REQUIRE(behind.records.size() == 12);
  CHECK(behind.records[0].ip == 8);
  CHECK(from->next(100).records.empty());
}

namespace {
static_assert(std::ranges::input_range<trace::records>);

// Record with the branch class, outcome and target of the feed's instruction.
struct outcome {
  champsim::instruction record;
  feed::branch_class branch;
  bool is_branch, taken;
  std::uint64_t target;
  friend bool operator==(const outcome&, const outcome&) = default;
};
std::vector<outcome> outcomes_by_hand(const std::string& path) {
  return trace::visit(path, [](auto in) {
    std::vector<outcome> all;
    feed::for_each(in, [&](const auto& i) {
      all.push_back(
          {champsim::record_of(i).record, i.branch(), i.is_branch(), i.taken(), i.target()});
    });
    return all;
  });
}
std::vector<outcome> outcomes_of(trace::records& from) {
  std::vector<outcome> all;
  for (const trace::record_instruction& i : from)
    all.push_back({i.record(), i.branch(), i.is_branch(), i.taken(), i.target()});
  return all;
}
}  // namespace

TEST_CASE("records as a range have branch class and target") {
  for (const char* name : {"rapidbin/r250.data", "umtracer/awkward64", "threads3_64.trace64.xz",
                           "work32.trace32.xz", "sed64.champsimtrace.xz"}) {
    CAPTURE(name);
    const std::string n = name;
#if !TRACECODEC_OPENS_UMTRACER
    if (n.find("umtracer") == 0) continue;
#endif
#if !TRACECODEC_OPENS_X64DBG
    if (n.find(".trace") != std::string::npos) continue;
#endif
    if (!test::with_xz && n.find(".xz") != std::string::npos) continue;
    std::vector<outcome> wanted = outcomes_by_hand(test::data(name));
    // A ChampSim record keeps its flags as written, but record_of() computes the flags.
    trace::records from(test::data(name));
    if (&from.format() == &champsim::descriptor::facts) {
      const made written = of(from);
      REQUIRE(written.records.size() == wanted.size());
      for (std::size_t i = 0; i != wanted.size(); ++i) wanted[i].record = written.records[i];
      from.rewind();
    }
    REQUIRE(wanted.size() > 200);
    CHECK(outcomes_of(from) == wanted);
    // The last instruction of a part has its target even if the next instruction is outside. Losses
    // are also counted.
    from.rewind();
    from.count_losses();
    from.limit(wanted.size() / 2);
    CHECK(outcomes_of(from) ==
          std::vector<outcome>(wanted.begin(),
                               wanted.begin() + static_cast<std::ptrdiff_t>(wanted.size() / 2)));
    CHECK(outcomes_of(from).empty());
    // Batches continue after the range.
    trace::records mixed(test::data(name));
    for (const trace::record_instruction& i : mixed) {
      CHECK(i.record() == wanted[0].record);
      break;
    }
    const std::size_t at = static_cast<std::size_t>(mixed.position());
    const auto batch = mixed.next(1);
    CHECK((batch.empty() ? at == wanted.size() : batch[0] == wanted[at].record));
  }
}
