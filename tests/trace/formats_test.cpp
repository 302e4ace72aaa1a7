// Tests the list of formats, and options that only some formats have.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/champsim/branch_rules.hpp"
#include "tracecodec/champsim/register_numbers.hpp"
#include "tracecodec/format/own_options.hpp"
#include "tracecodec/rapidbin/trace_options.hpp"
#include "tracecodec/trace/formats.hpp"
#include "tracecodec/trace/source.hpp"

namespace champsim = tracecodec::champsim;
namespace format = tracecodec::format;
namespace rapidbin = tracecodec::rapidbin;
namespace trace = tracecodec::trace;
namespace umtracer = tracecodec::umtracer;
namespace x64dbg = tracecodec::x64dbg;
using tracecodec::trace_errc;
using tracecodec::trace_error;

// Optional members of descriptors are detected if and only if they exist.
static_assert(format::with_explanation<champsim::descriptor>);
static_assert(format::with_selection<champsim::descriptor> &&
              format::with_selection<champsim::cloudsuite_descriptor> &&
              !format::with_selection<rapidbin::descriptor>);
static_assert(format::with_statements<rapidbin::descriptor> &&
              format::with_statements<umtracer::descriptor> &&
              !format::with_statements<champsim::descriptor>);
static_assert(format::with_folders<umtracer::descriptor> &&
              !format::with_folders<x64dbg::descriptor>);
static_assert(format::with_check<champsim::descriptor> &&
              format::with_check<champsim::cloudsuite_descriptor> &&
              format::with_check<rapidbin::descriptor> &&
              format::with_check<rapidbin::std_descriptor> &&
              format::with_check<umtracer::descriptor>);
#if TRACECODEC_OPENS_X64DBG
static_assert(format::with_check<x64dbg::descriptor> &&
              format::with_statements<x64dbg::descriptor> &&
              format::with_narrow_layouts<x64dbg::descriptor>);
#endif

TEST_SUITE_BEGIN("formats");

TEST_CASE("finds each format by name, with the texts for messages") {
  std::set<std::string> names;
  for (const format::facts* const f : trace::all_formats()) {
    CAPTURE(f->name);
    CHECK(names.insert(std::string(f->name)).second);
    CHECK(trace::find_format(f->name) == f);
    CHECK_FALSE(f->title.empty());
    CHECK_FALSE(f->family.empty());
    CHECK((f->article == "a" || f->article == "an"));
    for (const std::string_view marked : f->marked_files)
      CHECK(std::find(f->folder_files.begin(), f->folder_files.end(), marked) !=
            f->folder_files.end());
  }
  CHECK(names == std::set<std::string>{"champsim", "cloudsuite", "rapidbin", "std", "umtracer",
                                       "x64dbg", "cvp1", "cbp2025", "drmemtrace", "stf", "bt9",
                                       "tarmac", "tenet", "lackey", "dinero", "mldpc"});
  CHECK(trace::find_format("ChampSim") == nullptr);
  CHECK(format::trace_of(*trace::find_format("x64dbg"), "x64dbg") == "an x64dbg trace");
}

TEST_CASE("names of options suit command lines and have one meaning") {
  for (const format::facts* const f : trace::all_formats())
    for (const format::option* const o : f->options) {
      CAPTURE(o->name);
      CHECK(trace::find_option(o->name) == o);
      CHECK(std::all_of(o->name.begin(), o->name.end(),
                        [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }));
      CHECK_FALSE(o->help.empty());
      CHECK(o->value.empty() == o->expected.empty());
      CHECK((o->set != nullptr));
    }
  CHECK(trace::find_option("colour") == nullptr);
}

TEST_CASE("sets an option by name and finds it by type") {
  format::own_options own;
  CHECK(own.empty());
  CHECK(own.get<champsim::branch_rules>() == nullptr);
  CHECK(trace::find_option("branch-rules")->set(own, "2022"));
  CHECK(own.value_or(champsim::branch_rules::current) == champsim::branch_rules::of_2022);
  CHECK_FALSE(trace::find_option("branch-rules")->set(own, "2024"));
  CHECK(own.value_or(champsim::branch_rules::current) == champsim::branch_rules::of_2022);
  CHECK(trace::find_option("branch-rules")->set(own, "2023"));
  CHECK(*own.get<champsim::branch_rules>() == champsim::branch_rules::current);
  CHECK(trace::find_option("map-registers")->set(own, "ip=35"));
  CHECK(own.get<champsim::register_numbers>()->ip == 35);
  own.reset<champsim::branch_rules>();
  CHECK_FALSE(own.has<champsim::branch_rules>());
  CHECK(own.has<champsim::register_numbers>());
}

TEST_CASE("a number selects events by id, and any other value by name") {
  format::own_options own;
  for (const char* const value : {"7", "main", "V7"})
    CHECK(trace::find_option("variable")->set(own, value));
  CHECK_FALSE(trace::find_option("variable")->set(own, ""));
  const auto& wanted = *own.get<rapidbin::selection>();
  CHECK(wanted.variables.contains(7));
  CHECK(wanted.variables.size() == 1);
  CHECK(wanted.names.variables == std::vector<std::string>{"main", "V7"});
}

TEST_CASE("options can be constructed from values and copied") {
  const format::own_options a{champsim::branch_rules::of_2022, rapidbin::metadata_file{"x.json"}};
  format::own_options b = a;
  b.set(rapidbin::metadata_file{"y.json"});
  CHECK(a.get<rapidbin::metadata_file>()->path == "x.json");
  CHECK(b.get<rapidbin::metadata_file>()->path == "y.json");
  CHECK(b.value_or(champsim::branch_rules::current) == champsim::branch_rules::of_2022);
}

TEST_CASE("refuses a format that is not in the list") {
  const test::folder dir;
  const std::string path = dir.file("t", std::vector<std::byte>(640));
  static constexpr format::facts mine{.name = "mine", .title = "Mine", .family = "Mine"};
  try {
    trace::source(path, {.format = &mine});
    FAIL("was opened");
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::refused);
    CHECK(e.message() == "the format mine is not in the list of formats");
  }
}

TEST_SUITE_END();
