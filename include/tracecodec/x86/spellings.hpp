// Names that different disassemblers use for one mnemonic, such as je and jz.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec::x86 {

// Returns `name` in lower case, then its other names. jcc, setcc, cmovcc and loopcc have a name
// for each spelling of the condition. For example, "jb" is also "jc" and "jnae". A few other
// mnemonics have aliases, such as "shl" for "sal" and "ret" for "retn".
TRACECODEC_FUNC std::vector<std::string> spellings_of(std::string_view name);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/spellings.ipp"
#endif
