// Writes code coverage as drcov files (version 2), which DynamoRIO's drcov writes, and as
// module+offset lines. Lighthouse, Cartographer, lightkeeper and bncov show them in IDA, Ghidra and
// Binary Ninja.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../config.hpp"
#include "../../io/output/sink.hpp"
#include "../../io/output/text_output.hpp"
#include "../../program/map.hpp"
#include "../../wire/layout/laid_out_as.hpp"
#include "../../wire/record.hpp"
#include "../executed_blocks.hpp"

namespace tracecodec::analysis {

// Entry of the table of blocks, which ends a drcov file.
struct drcov_block {
  std::uint32_t start;   // offset from the base of the module
  std::uint16_t size;    // number of bytes
  std::uint16_t module;  // number of the module in the table of modules, from 0
};
using drcov_block_codec = wire::record<drcov_block>;
static_assert(wire::is_laid_out_as<drcov_block_codec, R"(
Offset  Size  Field   Type  Byte order
------  ----  ------  ----  ----------
0       4     start   u32   little
4       2     size    u16   little
6       2     module  u16   little
)">);

// Returns modules that contain all blocks, for a program whose modules are unknown: one module from
// the first to the last byte, or several ones if it would be larger than 4 GiB, which is the limit
// of drcov. `path` is the path of the module; several ones have their address after it.
TRACECODEC_FUNC std::vector<program_module> modules_around(std::span<const executed_block> blocks,
                                                           const std::string& path);

// Writes a drcov file with the modules that contain a block, and each block once. Blocks of more
// than 65,535 bytes become several entries. Returns the number of blocks that were left out because
// no module contains them, or because they are more than 4 GiB after the base of their module.
// Throws trace_error(refused) for more than 65,535 modules with blocks. Errors of the sink
// propagate. The caller must finish the sink.
TRACECODEC_FUNC std::size_t write_drcov(io::sink& to, const program_map& map,
                                        std::span<const executed_block> blocks);

// Writes a line for each instruction: the name of its module, a plus sign, and the offset in
// hexadecimal digits. Returns the number of instructions that were left out because no module
// contains them. Errors of the output propagate. The caller must finish the output.
TRACECODEC_FUNC std::size_t write_module_offsets(
    io::text_output& to, const program_map& map,
    std::span<const executed_instruction> instructions);

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/drcov.ipp"
#endif
