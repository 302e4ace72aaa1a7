// What common.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../../wire/layout/laid_out_as.hpp"
#include "../common.hpp"

namespace tracecodec::umtracer {

static_assert(wire::is_laid_out_as<c_string_codec, R"(
Offset  Size          Field
------  ------------  ----------
0       u16 + 1 x it  characters
varies  1             (padding)   the last one
)">);

static_assert(wire::is_laid_out_as<u_string_codec, R"(
Offset  Size          Field
------  ------------  ---------
0       u16 + 2 x it  units
varies  2             (padding)  the last one
)">);

static_assert(wire::is_laid_out_as<table_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     header_version
4       4     record_version
8       8     row_count
16      8     row_size
24      8     table
)">);

static_assert(wire::is_laid_out_as<extra_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
32      8     extra
40      8     extra_size
)",
                                   table_header_codec::size>);

static_assert(wire::is_laid_out_as<module_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     load_eid
8       8     unload_eid
16      8     start_address
24      8     end_address
32      8     win_name
40      8     device_name
)">);

static_assert(wire::is_laid_out_as<module_version_codec, R"(
Offset  Size  Field
------  ----  ----------------------
48      8     last_write_time
56      8     version
)",
                                   module_codec::size>);

static_assert(wire::is_laid_out_as<thread_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     id
4       4     win_tid
8       8     tib_address
16      8     first_eid
24      8     last_eid
32      8     record_count
)">);

static_assert(wire::is_laid_out_as<address_range_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     first
8       8     last
)">);

}  // namespace tracecodec::umtracer
