// What syscall.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../../wire/layout/laid_out_as.hpp"
#include "../syscall.hpp"

namespace tracecodec::umtracer {

static_assert(wire::is_laid_out_as<syscall_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     version
4       4     unified_version
8       8     record_count
)">);

static_assert(wire::is_laid_out_as<syscall_place_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     offset
8       8     size
)">);

static_assert(wire::is_laid_out_as<syscall_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     raw_id
2       2     uniform_id
4       1     convention
5       1     completed
6       1     argument_count
7       1     extra_count
8       8     begin_eid
16      8     end_eid
24      8     stack_pointer
32      8     result
40      8     arguments
48      8     extras
)">);

}  // namespace tracecodec::umtracer
