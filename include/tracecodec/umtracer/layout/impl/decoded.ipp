// What decoded.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../../wire/layout/laid_out_as.hpp"
#include "../decoded.hpp"

namespace tracecodec::umtracer {

static_assert(wire::is_laid_out_as<explicit_operand_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     name
2       2     size
4       1     flags
5       1     before_slot
6       1     after_slot
7       1     before_offset
8       1     after_offset
9       3     (padding)
)">);

static_assert(wire::is_laid_out_as<slot_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     name
2       2     common_name
4       2     value_size
6       2     offset
8       1     address_width
9       3     (padding)
)">);

static_assert(wire::is_laid_out_as<decoded_codec, R"(
Offset  Size             Field
------  ---------------  ----------------------
0       2                category
2       2                mnemonic
4       2                form
6       1                flags
7       1                operand_count
8       48               operands
56      1                operand_size
57      1                address_size
58      2                values_size
60      1                first_out_slot
61      1                first_after_slot
62      1                slot_count
63      1                mem0_segment_slot
64      1                mem0_base_slot
65      1                mem0_scale
66      1                mem0_index_slot
67      1                mem1_base_slot
68      4                (padding)
72      16               constants
88      12 x slot_count  slots
)">);

}  // namespace tracecodec::umtracer
