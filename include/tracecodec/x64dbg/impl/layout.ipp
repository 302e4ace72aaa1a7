// What layout.hpp describes is laid out as the tables of the specification say.
#pragma once
#include <cstddef>
#include <cstdint>

#include "../../wire/layout/laid_out_as.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

static_assert(wire::is_laid_out_as<prefix_codec, R"(
Offset  Size  Field
------  ----  ------
0       4     magic
4       4     length  of the JSON text in bytes, which follows; NUL bytes may end it
)">);

static_assert(wire::is_laid_out_as<block_codec<target::x64>, R"(
Offset  Size             Field
------  ---------------  ------------
0       1                type          0
1       1                registers     register words given
2       1                accesses      memory words accessed
3       1 bit            has_thread    the most significant
3       3 bits           reserved      0
3       4 bits           opcode_size
4       0 or 4           thread        if has_thread; else as the block before
varies  1 x opcode_size  opcode
varies  1 x registers    positions     relative: the first absolute, each further one from the one
                                       before, + 1
varies  8 x registers    values
varies  1 x accesses     access_flags  bit 0: the memory was not changed
varies  8 x accesses     addresses
varies  8 x accesses     old_values
varies  8 x computed     new_values    one for each access whose bit 0 is clear
)">);

static_assert(wire::is_laid_out_as<user_block_codec<target::x64>, R"(
Offset  Size      Field
------  --------  -----
0       1         type  0x80 to 0xFF
1       4         size
5       1 x size  data
)">);

static_assert([] {
  for (unsigned type = 0; type <= 0xFF; ++type)
    if (wire::tag_has<any_block_codec<target::x64>, &block<target::x64>::size>(
            static_cast<std::uint8_t>(type)) != is_user_type(static_cast<std::uint8_t>(type)))
      return false;
  return true;
}());
static_assert(block_codec<target::x64>::front_size == 4 &&
              block_codec<target::x86>::front_size == 4);
static_assert(largest_block<target::x64> == 8693);

}  // namespace tracecodec::x64dbg
