// from_x86/registers.hpp: the context map of traces converted from other sources.
#include "tracecodec/umtracer/from_x86/registers.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tracecodec/umtracer/reader/register_numbers.hpp"
#include "tracecodec/umtracer/writer.hpp"
#include "umtracer/support.hpp"

using namespace test;
using tracecodec::x86::reg;

TEST_CASE("the map contains every register that instructions use") {
  const umtracer::x86_register_map map;
  const folder dir;
  umtracer::writer out(dir / "t", map.file());
  const umtracer::context_map& file = out.registers();
  CHECK(file.dump_size() == map.dump_size());
  for (std::size_t n = 0; n < 256; ++n) {
    const auto r = static_cast<reg>(n);
    const std::string name(tracecodec::x86::name(r).view());
    if (name.starts_with("r#") || r == reg::none || r == reg::from_memory) continue;
    if (r >= reg::test0 && r < reg::gdtr) continue;  // test registers, which only the 80486 has
    CAPTURE(name);
    const umtracer::x86_register& whole = map.whole(r, true);
    REQUIRE(whole.id != 0);
    CHECK(umtracer::register_of(file.name(whole.id)) == r);
    CHECK(umtracer::register_of(file.name(whole.common)) == r);
    CHECK(file.common_name(whole.id) == whole.common);
    CHECK(file.info(whole.id, true).largest == whole.id);
  }
  // Rules of the specification (11.1) for names and parts of registers.
  const auto id = [&](const char* name) { return file.find(name).value(); };
  for (const char* name : {"AL", "AH", "AX", "EAX", "RAX"})
    CHECK(file.name(file.common_name(id(name))) == "AX");
  CHECK(file.name(file.common_name(id("BPL"))) == "BP");
  CHECK(file.name(file.common_name(id("R8W"))) == "R8");
  CHECK(file.name(file.common_name(id("YMM3"))) == "XMM3");
  CHECK(file.name(file.common_name(id("RIP"))) == "IP");
  CHECK(file.name(file.info(id("AL"), false).largest) == "EAX");
  CHECK(file.name(file.info(id("AL"), true).largest) == "RAX");
  CHECK(file.name(file.info(id("XMM7"), false).largest) == "YMM7");
  CHECK(file.info(id("AH"), true).offset == file.info(id("RAX"), true).offset + 1);
  for (const char* name : {"RAX", "R8", "SPL", "XMM8", "RIP"})
    CHECK_FALSE(file.info(id(name), false).present());
  for (const char* name : {"STACKPUSH", "STACKPOP", "FSBASE", "GSBASE", "K1", "CR0"})
    CHECK_FALSE(file.info(id(name), true).present());
}

TEST_CASE("the largest registers of a mode do not overlap") {
  const umtracer::x86_register_map map;
  for (const bool code64 : {false, true}) {
    std::set<std::size_t> taken;
    std::size_t n = 0;
    for (std::size_t r = 0; r < 256; ++r) {
      const umtracer::x86_register& w = map.whole(static_cast<reg>(r), code64);
      for (std::size_t b = 0; b < w.size; ++b, ++n) taken.insert(w.offset + b);
    }
    CHECK(taken.size() == n);
    CHECK(*taken.rbegin() < map.dump_size());
    if (code64) CHECK(n == map.dump_size());
  }
}
