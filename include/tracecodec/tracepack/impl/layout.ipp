#pragma once
#include "../layout.hpp"

#include "../../wire/layout/laid_out_as.hpp"

namespace tracecodec::tracepack {

static_assert(wire::is_laid_out_as<front_codec, R"(
Offset  Size  Field
------  ----  -----------
0       8     magic
8       2     major
10      2     minor
12      4     about_size
16      4     about_crc
20      4     front_crc
)">);
static_assert(wire::is_laid_out_as<frame_codec, R"(
Offset  Size  Field
------  ----  --------------
0       4     magic
4       1     kind
5       3     (padding)
8       4     number
12      4     content_size
16      4     payload_size
20      4     base
24      8     content_offset
32      8     digest
40      4     payload_crc
44      4     header_crc
)">);
static_assert(wire::is_laid_out_as<index_codec, R"(
Offset  Size  Field
------  ----  -----------
0       4     magic
4       4     frames
8       4     entries_crc
12      4     header_crc
)">);
static_assert(wire::is_laid_out_as<entry_codec, R"(
Offset  Size  Field
------  ----  --------------
0       8     offset
8       8     content_offset
16      4     base
20      4     payload_crc
)">);
static_assert(wire::is_laid_out_as<end_codec, R"(
Offset  Size  Field
------  ----  ------------
0       8     index_offset
8       8     frames
16      8     records
24      8     content_size
32      4     crc
36      4     magic
)">);

}  // namespace tracecodec::tracepack
