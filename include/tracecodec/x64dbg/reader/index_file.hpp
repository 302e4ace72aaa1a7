// Saves an index of snapshots beside its trace, and validates it when it is loaded.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../../wire/layout/laid_out_as.hpp"
#include "../../wire/record.hpp"
#include "../../wire/rules/constant.hpp"
#include "index.hpp"

namespace tracecodec::x64dbg {

struct index_prefix {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t trace_size;    // size of the trace's file on disk, in bytes
  std::int64_t modified;       // time of that file's last change: nanoseconds since 1970
  std::uint64_t fingerprint;   // hash of bytes all over that file
  std::uint64_t instructions;  // number of instructions in the trace
  std::uint64_t end;           // offset after the last whole block
  std::uint64_t entries;       // number of entries that follow
  std::uint64_t repaired;      // 1 if built with block_options::repair, else 0
  std::uint64_t checksum;      // hash of the entries and of the bytes before this field
};
using index_prefix_codec = wire::record<wire::fields<
    wire::constant<&index_prefix::magic, "TCXI">, wire::constant<&index_prefix::version, 2>,
    wire::field<&index_prefix::trace_size>, wire::field<&index_prefix::modified>,
    wire::field<&index_prefix::fingerprint>, wire::field<&index_prefix::instructions>,
    wire::field<&index_prefix::end>, wire::field<&index_prefix::entries>,
    wire::field<&index_prefix::repaired>, wire::field<&index_prefix::checksum>>>;
static_assert(wire::is_laid_out_as<index_prefix_codec, R"(
Offset  Size  Field
0       4     magic
4       4     version
8       8     trace_size    of the trace's file on disk, in bytes
16      8     modified      when that file last changed: nanoseconds since 1970, signed
24      8     fingerprint   of bytes all over it
32      8     instructions  in the trace
40      8     end           offset after its last whole block
48      8     entries       how many follow
56      8     repaired      1: built with block_options::repair; else 0
64      8     checksum      of the entries' bytes and of those before this field
)">);

struct index_entry {
  std::uint64_t offset;       // offset of the snapshot's block in the trace
  std::uint64_t instruction;  // index of the snapshot's instruction
  std::uint32_t thread;
  std::uint32_t has_thread;  // 1 if `thread` is known, else 0
};
using index_entry_codec = wire::record<index_entry>;
static_assert(wire::is_laid_out_as<index_entry_codec, R"(
Offset  Size  Field
0       8     offset        of the snapshot's block in the trace
8       8     instruction   its index
16      4     thread
20      4     has_thread    1, or 0: unknown
)">);

// Returns the usual path of a trace's index.
inline std::string index_path(const std::string& trace) { return trace + ".idx"; }

struct loaded_index {
  std::optional<snapshot_index> index = {};
  std::string note = {};  // why there is no index
};

namespace detail {
// Returns the checksum of a saved index, without the checksum field, which is
// the last of the prefix.
TRACECODEC_FUNC std::uint64_t checksum(std::span<const std::byte> index) noexcept;
}  // namespace detail

// Saves the index of the trace file `trace` as `path`. The trace must be unchanged since it was
// indexed. The file `path` appears only when it is complete. Throws trace_error: refused (the
// trace is not a file that can be mapped), system.
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace,
                                const std::string& path);
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace);

// Loads the index of `trace` from `path`. Returns a note instead of an index if that is
// missing, damaged or does not fit; then build it anew. `options` are those of the reader that
// will use the index.
//
// An index fits a file with the same size, time of change and samples. It fits a copy only if
// the copy kept that time. Comparing all of the content would take as long as building the
// index. The index must have been built with repair if and only if the reader repairs.
//
// It must also reach the trace's end. That is checked unless the trace is compressed or,
// according to `options`, still growing. So the index of a truncated trace is never used.
// Loading costs 260 page accesses to the trace. Throws trace_error(system) if the trace itself
// cannot be opened.
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, const std::string& path,
                                        block_options options = {});
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, block_options options = {});

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/index_file.ipp"
#endif
