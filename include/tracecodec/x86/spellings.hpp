// Alternative names of a mnemonic, such as je and jz. Disassemblers differ in the names that they
// use.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec::x86 {

// Returns `name` in lower case, followed by its other names. jcc, setcc, cmovcc and loopcc have a
// name for each spelling of the condition. For example, "jb" is also "jc" and "jnae". A few other
// mnemonics also have several names, such as "shl" and "sal", or "ret" and "retn".
TRACECODEC_FUNC std::vector<std::string> spellings_of(std::string_view name);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/spellings.ipp"
#endif
