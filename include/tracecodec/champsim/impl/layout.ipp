#pragma once
#include "../layout.hpp"

#include "../../wire/layout/laid_out_as.hpp"

namespace tracecodec::champsim {

static_assert(wire::is_laid_out_as<instruction_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     ip                      virtual address of the instruction
8       1     is_branch               0 or 1
9       1     branch_taken            0 or 1
10      2     destination_registers   registers written, 0 = unused
12      4     source_registers        registers read, 0 = unused
16      16    destination_memory      virtual addresses written, 0 = none
32      32    source_memory           virtual addresses read, 0 = none
)">);
static_assert(wire::is_laid_out_as<cloudsuite_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     ip
8       1     is_branch
9       1     branch_taken
10      4     destination_registers
14      4     source_registers
18      6     (padding)
24      32    destination_memory
56      32    source_memory
88      2     asid                    address space
90      6     (padding)
)">);

}  // namespace tracecodec::champsim
