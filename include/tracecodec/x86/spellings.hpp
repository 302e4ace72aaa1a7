// Names that different disassemblers use for one mnemonic, such as je and jz.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec::x86 {

// Returns `name` in lower case, then its other names. jcc, setcc, cmovcc and loopcc have one
// for each spelling of the condition: "jb" is also "jc" and "jnae". A few other mnemonics have
// aliases: "sal" is "shl", "retn" is "ret".
TRACECODEC_FUNC std::vector<std::string> spellings_of(std::string_view name);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/spellings.ipp"
#endif
