// Tests of well_formed.hpp, which makes a part of a trace a complete trace, and of
// reader/sharers.hpp, which finds shared variables.
#include "tracecodec/rapidbin/well_formed.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/open.hpp"
#include "tracecodec/rapidbin/reader/sharers.hpp"

using namespace test;
using rapidbin::rule;

namespace {

// Part of a trace and the changes that made it well-formed:
// - "+0" is an added acquire that repeats event 0.
// - "-7 lock-not-held" means that event 7 was omitted because of the rule lock-not-held.
struct made_part {
  events all = {};
  std::string changes = {};
};

std::string change(const rapidbin::changed_event& e) {
  const std::string at = std::to_string(e.index);
  if (!e.left_out_for) return "+" + at + ' ';
  return "-" + at + ' ' +
         std::string(rapidbin::check_rules[static_cast<std::size_t>(*e.left_out_for)].code) + ' ';
}

made_part part_of(const events& all, std::uint64_t skip,
                  std::optional<std::uint64_t> limit = std::nullopt) {
  made_part made;
  rapidbin::open_options how;
  how.well_formed = rapidbin::well_formed_part{
      skip, limit, [&made](const rapidbin::changed_event& e) { made.changes += change(e); }};
  const auto from = rapidbin::open_events(input_of(written(all)), std::move(how));
  made.all = all_of(*from);
  return made;
}

std::uint64_t errors_of(const events& all) {
  return rapidbin::check(input_of(written(all)), [](const auto&) {})
      .count(tracecodec::severity::error);
}

const events locked{make(0, op::acquire, 5, 0), make(0, op::acquire, 6, 1),
                    make(0, op::write, 1, 2),   make(0, op::release, 6, 3),
                    make(0, op::release, 5, 4), make(1, op::acquire, 5, 5),
                    make(1, op::release, 5, 6)};

}  // namespace

TEST_CASE("acquires held locks at the beginning of a part") {
  const made_part tail = part_of(locked, 2);
  CHECK(tail.all == locked);  // both acquires are repeated before the write
  CHECK_FALSE(tail.all[0].sign);
  CHECK(tail.changes == "+0 +1 ");
  const made_part one = part_of(locked, 4, 1);
  CHECK(one.all == events{locked[0], locked[4]});
  CHECK(one.changes == "+0 ");
  const made_part free = part_of(locked, 5);
  CHECK(free.all == events{locked[5], locked[6]});
  CHECK(free.changes.empty());
  CHECK(part_of(locked, 0).all == locked);
  CHECK(part_of(locked, 2, 0).all.empty());
  CHECK(part_of(locked, 7).all.empty());
}

TEST_CASE("acquires a re-entrant lock as often as it is held") {
  const event take = make(3, op::acquire, 9, 1), give = make(3, op::release, 9, 2);
  const made_part made = part_of({take, take, give, take, give, give, give}, 4);
  CHECK(made.all == events{take, take, give, give});
  CHECK(made.changes == "+0 +0 -6 lock-not-held ");
  CHECK(errors_of(made.all) == 0);
}

TEST_CASE("acquires more locks than a batch can contain") {
  events all;
  for (unsigned i = 0; i < 10'000; ++i) all.push_back(make(0, op::acquire, i, 0));
  events given;
  for (unsigned i = 0; i < 10'000; ++i) given.push_back(make(0, op::release, i, 1));
  events whole = all;
  whole.insert(whole.end(), given.begin(), given.end());
  CHECK(part_of(whole, 10'000).all == whole);
  events first = all;
  first.insert(first.end(), given.begin(), given.begin() + 5000);
  CHECK(part_of(whole, 10'000, 5000).all == first);
}

TEST_CASE("omits events that break a rule, and ignores their effects") {
  struct broken {
    std::string changes;
    events all;
  };
  const event fork = make(0, op::fork, 1, 0), join = make(0, op::join, 1, 0);
  const event take = make(0, op::acquire, 0, 0), give = make(0, op::release, 0, 0);
  const event act = make(1, op::read, 0, 0);
  const broken all[] = {
      {"-1 undefined-operation ", {act, make(0, static_cast<op>(10), 0, 0)}},
      // The acquire is omitted, so its release is omitted, too.
      {"-2 lock-taken -3 lock-not-held ",
       {fork, take, make(1, op::acquire, 0, 0), make(1, op::release, 0, 0), give}},
      {"-0 lock-not-held ", {give, take}},
      {"-1 before-fork ", {act, fork, act}},
      {"-1 forked-twice ", {fork, fork, act}},
      {"-3 after-join ", {fork, act, join, act}},
      {"-2 begin-not-first ", {fork, act, make(1, op::begin, 0, 0)}},
      {"-2 after-end ", {fork, make(1, op::end, 0, 0), act}},
      {"", {take, take, give, give}},
  };
  for (const broken& b : all) {
    CAPTURE(b.changes);
    const made_part made = part_of(b.all, 0);
    CHECK(made.changes == b.changes);
    CHECK(errors_of(made.all) == 0);
  }
}

TEST_CASE("a part of a trace is an ordinary event source") {
  rapidbin::open_options how;
  how.well_formed = rapidbin::well_formed_part{2, {}, {}};
  const folder dir;
  const auto from =
      rapidbin::open_events(io::open_input(dir.file("t", written(locked))), std::move(how));
  CHECK(from->count() == 7);
  CHECK(from->skip(3) == 3);
  CHECK(from->count() == 7);
  CHECK(all_of(*from) == events(locked.begin() + 3, locked.end()));
  from->rewind();
  CHECK(all_of(*from) == locked);
}

TEST_CASE("a part of a text keeps names, and numbers that do not fit a RapidBin file") {
  const auto part_of_text = [](const std::string& text, std::string& changes) {
    rapidbin::open_options how{.text = true};
    how.well_formed = rapidbin::well_formed_part{
        2, {}, [&changes](const rapidbin::changed_event& e) { changes += change(e); }};
    const auto raw = std::as_bytes(std::span(text));
    return rapidbin::open_events(input_of(bytes(raw.begin(), raw.end())), std::move(how));
  };
  std::string changes;
  const auto wide = part_of_text(
      "T0|fork(T5000)|1\nT0|acq(L99999999999)|70000\nT0|fork(T6000)|2\nT5000|w(V3)|3\n"
      "T0|rel(L99999999999)|4\nT5000|rel(L99999999999)|5\nT0|join(T5000)|6\nT5000|w(V3)|7\n",
      changes);
  CHECK(all_of(*wide) == events{make(0, op::acquire, 99'999'999'999, 70'000),
                                make(0, op::fork, 6000, 2), make(5000, op::write, 3, 3),
                                make(0, op::release, 99'999'999'999, 4),
                                make(0, op::join, 5000, 6)});
  CHECK(changes == "+1 -5 lock-not-held -7 after-join ");

  const auto named = part_of_text(
      "main|fork(worker)|0\nworker|acq(m)|a.c:1\nworker|w(x)|a.c:2\nworker|rel(m)|a.c:3\n",
      changes);
  const events all = all_of(*named);
  REQUIRE(all.size() == 3);
  CHECK(named->named() != 0);
  using rapidbin::id_kind;
  const auto name = [&named](id_kind kind, std::uint64_t id) {
    const std::string* const found = named->name_of(kind, id);
    return found != nullptr ? *found : std::string();
  };
  CHECK(name(id_kind::thread, all[0].thread) == "worker");
  CHECK(name(id_kind::lock, all[0].decor) == "m");
  CHECK(name(id_kind::location, all[0].location) == "a.c:1");
  CHECK(named->id_of(id_kind::variable, "x") == all[1].decor);
}

TEST_CASE("a variable is shared if several threads read or write it") {
  rapidbin::sharers all;
  for (const event& e :
       {make(0, op::write, 7, 0), make(0, op::read, 7, 0), make(1, op::acquire, 7, 0),
        make(1023, op::read, 7, 0), make(2, op::write, 8, 0), make(5, op::read, 7, 0),
        make(3, op::read, rapidbin::largest_decor, 0),
        make(2, op::read, rapidbin::largest_decor, 0)})
    all.add(e);
  CHECK(all.shared() == std::map<std::uint64_t, std::set<std::uint64_t>>{
                            {7, {0, 5, 1023}}, {rapidbin::largest_decor, {2, 3}}});
}
