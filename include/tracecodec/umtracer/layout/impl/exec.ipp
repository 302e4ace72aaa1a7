// What exec.hpp describes is laid out as the tables of the specification say.
#pragma once
#include "../../../wire/layout/laid_out_as.hpp"
#include "../exec.hpp"

namespace tracecodec::umtracer {

static_assert(wire::is_laid_out_as<exec_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     version
4       4     (padding)
8       8     record_count
)">);

static_assert(wire::is_laid_out_as<exec_record_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     thread_id
4       1     type
5       1     flags
)">);

static_assert(wire::is_laid_out_as<execution_codec, R"(
Offset  Size                   Field
------  ---------------------  --------------
0       4                      head.thread_id
4       1                      head.type
5       1                      head.flags
6       0 or 8                 instruction_id  instruction
14      0 or 1 x what is left  values
6       0 or 1 x what is left  context         thread begin
6       0 or 4                 exit_code       thread end, application end
10      0 or what is left      (padding)
6       0 or 8                 syscall_id      system call entry, system call exit
14      0 or 1 x what is left  context
6       0 or 8                 syscall_id      skipped system call exit
14      0 or what is left      (padding)
6       0 or 1 x what is left  context         8 to 11
6       0 or 1 x what is left  data            7, and what is above 11
)">);

static_assert(wire::is_laid_out_as<context_record_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     memory_count
4       4     (padding)
8       8     registers
)">);

static_assert(wire::is_laid_out_as<context_memory_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     address
8       8     size
16      8     data
)">);

static_assert(wire::is_laid_out_as<neighbours_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     previous
8       8     next
)">);

}  // namespace tracecodec::umtracer
