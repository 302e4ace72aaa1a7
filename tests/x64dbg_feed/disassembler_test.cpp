// Tests a user's own disassembler in place of Zydis. This file does not include Zydis.
#include <doctest/doctest.h>

#include "support.hpp"

using namespace test;

namespace {
// Disassembler of a single instruction: c3, which it treats as a jump to rax.
class own_disassembler {
 public:
  explicit own_disassembler(target t) : mode_(t) {}
  x86_::instruction decode(std::span<const std::byte> code) noexcept {
    x86_::instruction i;
    if (code.empty() || code[0] != std::byte{0xC3}) return i;
    i.length = 1;
    i.kind = x86_::kind::indirect_jump;
    i.operand = reg::rax;
    i.add_read(reg::rax);
    i.add_written(reg::ip);
    return i;
  }
  target mode() const noexcept { return mode_; }

 private:
  target mode_;
};
using own_feed = x64dbg::decoded_feed<x64, own_disassembler>;
static_assert(feed::stream<own_feed>);
}  // namespace

TEST_CASE("uses the caller's disassembler") {
  const folder dir;
  program<x64> p;
  p.set(0, 0x4000).step(4, 0x1000, "90").step(4, 0x1001, "c3");
  own_feed f(dir.file("t", p.trace()));
  const auto all = see_all(f);
  REQUIRE(all.size() == 2);
  CHECK(all[0].branch == feed::branch_class::not_branch);
  CHECK(all[1].branch == feed::branch_class::indirect);
  CHECK(all[1].target == 0x4000);
  CHECK(all[1].read == std::vector<unsigned>{10});
  CHECK(f.counts().undecoded == 1);
}
