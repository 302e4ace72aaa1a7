// What layout.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../wire/layout/laid_out_as.hpp"
#include "../layout.hpp"

namespace tracecodec::rapidbin {

static_assert(wire::is_laid_out_as<header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     threads      that act, are forked or are joined
2       4     locks        that are acquired, released or requested
6       4     variables    that are read or written
10      8     events
)">);

static_assert(wire::is_laid_out_as<event_codec, R"(
Bits    Width  Field
------  -----  ----------------------
0       1      sign         always 0; every reader ignores it
1-15    15     location     where in the program
16-49   34     decor        a lock, a variable or the other thread, as operand_of() says
50-53   4      operation
54-63   10     thread       which acts
)">);

}  // namespace tracecodec::rapidbin
