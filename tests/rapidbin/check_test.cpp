// Tests of check.hpp: the samples are sound, and each rule is broken once.
#include "tracecodec/rapidbin/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/reader/metadata_match.hpp"
#include "tracecodec/rapidbin/reader/occurring_ids.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/rapidbin/read_metadata.hpp"
#endif

using namespace test;
using rapidbin::rule;
using tracecodec::diagnostic;
using tracecodec::severity;

namespace {

struct findings {
  std::vector<diagnostic> all = {};
  rapidbin::check_summary sum = {};
  // Returns the codes of the findings, in order.
  std::string codes() const {
    std::string s;
    for (const auto& d : all) {
      if (!s.empty()) s += ' ';
      s += d.code;
    }
    return s;
  }
};

findings check(const bytes& raw, const rapidbin::metadata* names = nullptr,
               tracecodec::check_options options = {}) {
  findings f;
  f.sum = rapidbin::check(
      input_of(raw), [&f](const diagnostic& d) { f.all.push_back(d); }, options, names);
  return f;
}
findings check_text(const std::string& text) {
  findings f;
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  const bytes raw(p, p + text.size());
  f.sum = rapidbin::check_std(input_of(raw), [&f](const diagnostic& d) { f.all.push_back(d); });
  return f;
}
// Checks events with a correct header.
findings check(const events& all) { return check(written(all)); }

}  // namespace

TEST_CASE("reports nothing for the samples, also with metadata and as text") {
  for (const std::string name : {"r250", "r6000"}) {
    const bytes trace = content(data("rapidbin/" + name + ".data"));
    const auto f = check(trace);
    CHECK(f.codes() == "");
#if defined(TRACECODEC_WITH_SIMDJSON)
    const auto names = rapidbin::read_metadata(data("rapidbin/" + name + ".json"));
    CHECK(check(trace, &names).codes() == "");
#endif
    CHECK(f.sum.events == (name == "r250" ? 256 : 6002));
    CHECK(f.sum.threads == (name == "r250" ? 4 : 12));
    CHECK(f.sum.locks == 4);
    CHECK(f.sum.variables == (name == "r250" ? 39 : 40));
    for (const char* suffix : {".std", ".rapid.std"}) {
      const bytes text = content(data("rapidbin/" + name + suffix));
      CHECK(check_text({reinterpret_cast<const char*>(text.data()), text.size()}).codes() == "");
    }
  }
}

TEST_CASE("reports nothing for a trace with every operation") {
  CHECK(check(every_operation()).codes() == "");
  CHECK(check(every_operation()).sum.events == 10);
}

TEST_CASE("reports each rule about events") {
  struct broken {
    const char* code;
    events all;
    std::uint64_t record;
  };
  const event fork = make(0, op::fork, 1, 0), join = make(0, op::join, 1, 0);
  const event take = make(0, op::acquire, 0, 0), give = make(0, op::release, 0, 0);
  const event act = make(1, op::read, 0, 0);
  event signed_event = make(0, op::read, 0, 0);
  signed_event.sign = true;
  const broken all[] = {
      {"undefined-operation", {make(0, static_cast<op>(10), 0, 0)}, 0},
      {"undefined-operation", {make(0, static_cast<op>(15), 0, 0)}, 0},
      {"sign-bit", {signed_event}, 0},
      {"lock-taken", {fork, take, make(1, op::acquire, 0, 0), make(1, op::release, 0, 0)}, 2},
      {"lock-reentrant", {take, take, give, give}, 1},
      {"lock-not-held", {give}, 0},
      {"lock-not-held", {take, give, give}, 2},
      {"lock-not-held", {fork, take, make(1, op::release, 0, 0), give}, 2},
      {"before-fork", {act, fork}, 1},
      {"before-fork", {make(0, op::fork, 0, 0)}, 0},
      {"forked-twice", {fork, fork}, 1},
      {"after-join", {fork, act, join, act}, 3},
      {"after-join", {make(0, op::join, 0, 0), make(0, op::read, 0, 0)}, 1},
      {"begin-not-first", {fork, act, make(1, op::begin, 0, 0)}, 2},
      {"after-end", {fork, make(1, op::end, 0, 0), act}, 2},
      {"held-at-end", {take}, 0},
  };
  for (const broken& b : all) {
    CAPTURE(b.code);
    const findings f = check(b.all);
    std::vector<diagnostic> hits;
    for (const auto& d : f.all)
      // A trace with few events naturally has ids above the counts.
      if (d.code != "id-above-count") hits.push_back(d);
    REQUIRE(hits.size() == 1);
    CHECK(hits[0].code == b.code);
    CHECK(hits[0].record == b.record);
    CHECK(hits[0].offset == 18 + 8 * b.record);
  }
}

TEST_CASE("counts re-entrant acquires and reports them as warnings") {
  const event take = make(0, op::acquire, 0, 0), give = make(0, op::release, 0, 0);
  const findings f = check({take, take, give, give, give});
  CHECK(f.codes() == "lock-reentrant lock-not-held");
  CHECK(f.all[0].severity == severity::warning);
  CHECK(check({take, take, give}).codes() == "lock-reentrant held-at-end");
}

TEST_CASE("reports locks that are still held in the order of their acquires") {
  const findings f = check({make(0, op::acquire, 2, 0), make(0, op::acquire, 0, 0),
                            make(0, op::acquire, 1, 0), make(0, op::release, 0, 0)});
  REQUIRE(f.all.size() == 2);
  CHECK(f.all[0].record == 0);
  CHECK(f.all[1].record == 2);
  CHECK(f.all[0].severity == severity::note);
  CHECK(f.sum.count(severity::error) == 0);
}

TEST_CASE("reports a header with wrong counts") {
  struct lie {
    const char* code;
    rapidbin::header h;
    std::uint64_t offset;
  };
  const lie all[] = {
      {"thread-count", {3, 1, 1, 10}, 0},   {"lock-count", {2, 2, 1, 10}, 2},
      {"variable-count", {2, 1, 7, 10}, 6}, {"event-count", {2, 1, 1, 11}, 10},
      {"event-count", {2, 1, 1, 9}, 10},    {"lock-count", {2, 0, 1, 10}, 2},
      {"variable-count", {2, 1, 0, 10}, 6}, {"header", {2, 1, -1, 10}, 6},
      {"header", {-2, 1, 1, 10}, 0},        {"header", {2, 1, 1, -10}, 10},
      {"unfinished", {0, 0, 0, 0}, 0},
  };
  for (const lie& l : all) {
    CAPTURE(l.code);
    const findings f = check(header_bytes(l.h) + event_bytes(every_operation()));
    REQUIRE(f.all.size() == 1);
    CHECK(f.all[0].code == l.code);
    CHECK(f.all[0].offset == l.offset);
    CHECK(f.all[0].severity == severity::error);
  }
  // If the header declares too few threads, an id is also not below the count.
  CHECK(check(header_bytes({1, 1, 1, 10}) + event_bytes(every_operation())).codes() ==
        "id-above-count thread-count");
}

TEST_CASE("checks truncated traces and traces with trailing bytes") {
  const bytes whole = every_operation_bytes();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const findings f = check(bytes(whole.begin(), whole.begin() + static_cast<long>(n)));
    if (n < 18) {
      CHECK(f.codes() == "header");
      continue;
    }
    CHECK(f.sum.events == (n - 18) / 8);
    CHECK(f.sum.count(rule::event_count) == 1);
    CHECK(f.sum.count(rule::trailing_bytes) == ((n - 18) % 8 != 0 ? 1 : 0));
  }
  for (std::size_t n = 1; n <= 7; ++n) {
    const findings f = check(whole + bytes(n));
    CHECK(f.codes() == "trailing-bytes");
    CHECK(f.all[0].offset == whole.size());
  }
  // Eight zero bytes are one more event, an acquire.
  CHECK(check(whole + bytes(8)).sum.count(rule::event_count) == 1);
}

TEST_CASE("reports ids that are not dense") {
  const findings f = check({make(0, op::read, 5, 0), make(0, op::read, 9, 0),
                            make(0, op::read, 9, 0), make(700, op::acquire, 3, 0),
                            make(700, op::release, 3, 0), make(0, op::fork, 1024 - 1, 0)});
  CHECK(f.codes() == "id-above-count id-above-count id-above-count id-above-count id-above-count");
  CHECK(f.sum.count(severity::warning) == 5);
  // The writer refuses a fork of a thread that cannot act, so encode the event directly.
  CHECK(check(header_bytes({2, 0, 0, 1}) + event_bytes({make(0, op::fork, 1024, 0)})).codes() ==
        "child-thread id-above-count");
}

TEST_CASE("reports each id that is missing from the metadata once") {
  rapidbin::metadata names;
  names.threads.add(0, 0);
  names.memory.add({4096, 4}, 0);
  const bytes raw =
      written({make(0, op::read, 0, 0), make(0, op::read, 1, 0), make(0, op::write, 1, 0),
               make(0, op::acquire, 0, 0), make(0, op::release, 0, 0), make(0, op::fork, 1, 0)});
  CHECK(check(raw, &names).codes() ==
        "unnamed-location unnamed-variable unnamed-lock unnamed-thread");
}

TEST_CASE("reports metadata of ids that do not occur in the trace") {
  rapidbin::metadata names;
  for (std::uint64_t id = 0; id < 3; ++id) names.threads.add(id, id);
  for (std::uint64_t id = 0; id < 5; ++id) names.memory.add({64 * id, 4}, id);
  names.locks.add(0, 0);
  names.locations.add({0, 0}, 0);
  const events all{make(0, op::read, 0, 0), make(0, op::fork, 1, 0), make(0, op::acquire, 0, 0),
                   make(0, op::release, 0, 0)};
  const findings f = check(written(all), &names);
  REQUIRE(f.codes() == "metadata-count metadata-count");
  CHECK(f.all[0].message == "the metadata has 3 threads, but the trace has 2");
  CHECK(f.all[1].message == "the metadata has 5 variables, but the trace has 1");
  CHECK(f.sum.count(severity::error) == 2);
  // A converter keeps only the metadata of the events that it writes.
  rapidbin::occurring_ids ids;
  for (const auto& e : all) ids.add(e);
  names.shared_variables = {{0, {0, 1, 2}}, {1, {0, 1}}};
  const rapidbin::metadata part = ids.part_of(names);
  CHECK(check(written(all), &part).codes() == "");
  CHECK(part.shared_variables == std::map<std::uint64_t, std::set<std::uint64_t>>{{0, {0, 1}}});
}

TEST_CASE("detects metadata of another trace from the trace's beginning") {
  rapidbin::metadata names;
  for (std::uint64_t id = 0; id < 2; ++id) names.threads.add(id, id);
  names.memory.add({64, 4}, 0);
  names.locations.add({0, 0}, 0);
  const events all{make(0, op::read, 0, 0), make(0, op::fork, 1, 0)};
  const bytes trace = written(all);
  const auto why = [&](const bytes& front, bool whole = false, bool text = false) {
    return rapidbin::mismatch(names, front, whole, text);
  };
  const auto text = [](std::string_view s) {
    const auto raw = std::as_bytes(std::span(s));
    return bytes(raw.begin(), raw.end());
  };
  for (const bool whole : {false, true}) CHECK(why(trace, whole) == "");
  CHECK(why(bytes(trace.begin(), trace.end() - 3), true) ==
        "");  // truncated, but the header still has the counts
  CHECK(why({}) == "");
  CHECK(why(text("T0|r(V0)|0\nT0|fork(T1)|0\n"), true, true) == "");
  names.locks.add(0, 0);
  CHECK(why(trace) == "it has 1 locks; the trace has 0");
  CHECK(why(text("T0|r(V0)|0\nT0|fork(T1)|0\n"), true, true) == "it has 1 locks; the trace has 0");
  CHECK(why(text("T0|r(V0)|0\nT0|fork(T1)|0\n"), false, true) == "");
  CHECK(why(text("T0|r(V0)|0\nT0|fork(T1)|0\nT0|r(V7"), false, true) == "");
  CHECK(why(text("T0|r(V0)|0\nT0|r(V7)|0\n"), false, true) == "variable 7 of event 1 is not in it");
  names.memory.add({128, 4}, 1);
  CHECK(why(trace) == "it has 2 variables, 1 locks; the trace has 1, 0");
  // An unfinished header declares nothing, but a whole trace can be counted.
  bytes zero = trace;
  std::fill(zero.begin(), zero.begin() + 18, std::byte{});
  CHECK(why(zero) == "");
  CHECK(why(zero, true) == "it has 2 variables, 1 locks; the trace has 1, 0");
  // The header does not store the number of locations.
  names = {};
  for (std::uint64_t id = 0; id < 2; ++id) names.threads.add(id, id);
  names.memory.add({64, 4}, 0);
  names.locations.add({0, 0}, 3);
  CHECK(why(trace) == "location 0 of event 0 is not in it");
  names.locations.add({0, 1}, 0);
  CHECK(why(trace) == "");
  CHECK(why(trace, true) == "it has 2 locations; the trace has 1");
}

TEST_CASE("reports variables that share bytes and threads") {
  rapidbin::metadata names;
  for (std::uint64_t id = 0; id < 2; ++id) names.threads.add(id, id);
  names.memory.add({100, 8}, 0);
  names.memory.add({104, 4}, 1);
  names.memory.add({106, 4}, 2);
  names.locations.add({0, 0}, 0);
  names.shared_variables = {{0, {0, 1}}, {1, {1, 2}}};
  const findings f = check(
      written({make(0, op::read, 0, 0), make(1, op::read, 1, 0), make(0, op::read, 2, 0)}), &names);
  // Variable 2 is not shared, so no thread accesses two overlapping variables.
  REQUIRE(f.codes() == "overlapping-variables");
  CHECK(f.all[0].message == "variables 0 and 1 share 4 bytes at 0x68, and 1 thread");
}

TEST_CASE("limits the reports of a rule and counts the remaining ones") {
  const events many(20, make(0, op::release, 0, 0));
  const findings f = check(many);
  CHECK(f.all.size() == 6);
  CHECK(f.all.back().message.starts_with("15 more: "));
  CHECK(check(written(many), nullptr, {.each = 100}).all.size() == 20);
  CHECK(f.sum.count(rule::lock_not_held) == 20);
}

TEST_CASE("text: continues after bad lines") {
  const findings f = check_text("T0|rel(L0)|1\nrubbish\nT0|w(V0)|1\nT0|w()|9\nT0|acq(L0)|1\n");
  CHECK(f.codes() == "lock-not-held bad-line bad-line held-at-end");
  CHECK(f.sum.events == 3);
  CHECK(f.all[1].record == 1);
  CHECK(f.all[1].offset == 13);
}

TEST_CASE("text: accepts names and large numbers, and reports notes") {
  const findings f = check_text(
      "# a comment\nmain|fork(w-1)|a.c:1\nw-1|rel(java.lang.Object@1f)|99999\n"
      "w-1|acq(7)|3\nT5000|fork(T6000)|3\nT6000|begin|3\nT5000|join(6000)|3\nT6000|r(V0)|3\n"
      "main|wait(L7)|3\nT5000|r(V1)|3|more\n");
  CHECK(f.codes() ==
        "two-spellings left-out-lines more-columns lock-not-held after-join held-at-end");
  CHECK(f.all[0].message ==
        "threads occur both with and without their letter: 6000 and T6000 are the same thread");
  CHECK(f.all[1].message == "1 line with wait, notify, notifyAll or dummy skipped");
  CHECK(f.all[2].message == "1 line with columns after the location, which are ignored");
  CHECK(f.all[3].message == "thread 1 (w-1) releases lock 0 (java.lang.Object@1f), which is free");
  CHECK(f.all[4].message == "thread 6000 acts after its join");
  CHECK(f.all[5].message == "thread 1 (w-1) still holds lock 7 at the end");
  CHECK(f.sum.events == 8);
  CHECK(f.sum.threads == 4);
}

TEST_CASE("a line with NUL characters is one bad line") {
  using namespace std::string_view_literals;
  const auto f = check_text(std::string("T0|r\0_\0_(V1)|5\nT0|r(V1)|5\n"sv));
  CHECK(f.codes() == "bad-line");
  CHECK(f.all[0].message == "operation: unknown operation 'r?_?_'");
  CHECK(f.sum.events == 1);
}
