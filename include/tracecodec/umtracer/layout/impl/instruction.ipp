// What instruction.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../../wire/layout/laid_out_as.hpp"
#include "../instruction.hpp"

namespace tracecodec::umtracer {

static_assert(wire::is_laid_out_as<instruction_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     id
8       1     type
9       1     code64
10      1     code_size
11      1     (padding)
12      4     module_id
16      8     address
24      15    code
39      1     (padding)
40      8     disassembly
48      8     decoded
56      8     (padding)
)">);

}  // namespace tracecodec::umtracer
