// Tests of mnemonics with all of their names, as in Intel's manual (appendix B.1.4.7).
#include "tracecodec/x86/spellings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {
std::vector<std::string> sorted(const char* name) {
  auto all = tracecodec::x86::spellings_of(name);
  std::sort(all.begin(), all.end());
  return all;
}
using names = std::vector<std::string>;
}  // namespace

TEST_CASE("conditions have several names in every conditional instruction") {
  for (const char* name : {"jb", "JC", "jnae"}) CHECK(sorted(name) == names{"jb", "jc", "jnae"});
  for (const char* name : {"jae", "jnb", "jnc"}) CHECK(sorted(name) == names{"jae", "jnb", "jnc"});
  CHECK(sorted("je") == names{"je", "jz"});
  CHECK(sorted("jnz") == names{"jne", "jnz"});
  CHECK(sorted("ja") == names{"ja", "jnbe"});
  CHECK(sorted("setpo") == names{"setnp", "setpo"});
  CHECK(sorted("cmovg") == names{"cmovg", "cmovnle"});
  CHECK(sorted("cmovnge") == names{"cmovl", "cmovnge"});
  CHECK(sorted("loopne") == names{"loopne", "loopnz"});
  CHECK(tracecodec::x86::spellings_of("JE").front() == "je");
}

TEST_CASE("most other mnemonics have a single name") {
  for (const char* name : {"jmp", "jo", "jns", "setup", "j", "", "rep"})
    CHECK(sorted(name) == names{name});
  CHECK(sorted("sal") == names{"sal", "shl"});
  CHECK(sorted("retn") == names{"ret", "retn"});
}
