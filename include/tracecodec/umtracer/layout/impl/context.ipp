// What context.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../../wire/layout/laid_out_as.hpp"
#include "../context.hpp"

namespace tracecodec::umtracer {

static_assert(wire::is_laid_out_as<register_info_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     offset
2       1     size
3       1     (padding)
4       2     largest
6       2     (padding)
)">);

static_assert(wire::is_laid_out_as<context_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     dump_size
2       2     element_count
4       12    (padding)
)">);

static_assert(common_name_offset == context_header_codec::size);
static_assert(name_offset == common_name_offset + 2 * context_registers);
static_assert(map32_offset == name_offset + register_name_codec::size * context_registers);
static_assert(map64_offset == map32_offset + register_info_codec::size * context_registers);
static_assert(context_map_size == map64_offset + register_info_codec::size * context_registers);

}  // namespace tracecodec::umtracer
