// One mnemonic by the names that disassemblers have for it: je is jz.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec::x86 {

// `name` in lower case, then its other names. Of jcc, setcc, cmovcc and loopcc each spelling of the
// condition: "jb" is "jc" and "jnae", and the other way round. Of others the few that differ: "sal" is
// "shl", "retn" is "ret".
TRACECODEC_FUNC std::vector<std::string> spellings_of(std::string_view name);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/spellings.ipp"
#endif
