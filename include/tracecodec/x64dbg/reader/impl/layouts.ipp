// What the headers of reader/ describe is laid out as the tables say, and REGDUMP as they take it to be.
#pragma once
#include <cstddef>

#include "../../../wire/layout/laid_out_as.hpp"
#include "../../layout/regdump.hpp"
#include "../index_file.hpp"
#include "../state.hpp"

namespace tracecodec::x64dbg {

static_assert(wire::is_laid_out_as<index_prefix_codec, R"(
Offset  Size  Field
0       4     magic
4       4     version
8       8     trace_size    of the trace's file on disk, in bytes
16      8     modified      when that file last changed: nanoseconds since 1970, signed
24      8     fingerprint   of bytes all over it
32      8     instructions  in the trace
40      8     end           offset behind its last whole block
48      8     entries       how many follow
56      8     repaired      1: built with block_options::repair; else 0
64      8     checksum      of the entries' bytes and of those before this field
)">);
static_assert(wire::is_laid_out_as<index_entry_codec, R"(
Offset  Size  Field
0       8     offset        of the snapshot's block in the trace
8       8     instruction   its index
16      4     thread
20      4     has_thread    1, or 0: not known
)">);

// What register_state goes by.
template <target T> constexpr bool has_words_of_states() {
  using codec = regdump_codec<T>;
  using state = register_state<T>;
  constexpr std::size_t word = sizeof(wire::word_t<T>);
  return codec::size == state::words * word &&
         codec::template offset_of<&regdump<T>::cip> == state::cip_word * word;
}
static_assert(has_words_of_states<target::x86>() && has_words_of_states<target::x64>());

}  // namespace tracecodec::x64dbg
