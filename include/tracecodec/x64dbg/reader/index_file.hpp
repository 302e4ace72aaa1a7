// Saves an index of snapshots beside its trace, and loads and validates a saved index.
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
  std::int64_t modified;       // time of the trace file's last change, in nanoseconds since 1970
  std::uint64_t fingerprint;   // hash of samples of the trace file
  std::uint64_t instructions;  // number of instructions in the trace
  std::uint64_t end;           // offset of the end of the last whole block
  std::uint64_t entries;       // number of entries that follow
  std::uint64_t repaired;      // 1 if built with block_options::repair, or 0
  std::uint64_t checksum;      // hash of the entries and of the bytes before this field
};
using index_prefix_codec =
    wire::record<wire::in_struct_order<index_prefix, wire::constant<&index_prefix::magic, "TCXI">,
                                       wire::constant<&index_prefix::version, 2>>>;
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
  std::uint32_t has_thread;  // 1 if `thread` is known, or 0
};
using index_entry_codec = wire::record<index_entry>;
static_assert(wire::is_laid_out_as<index_entry_codec, R"(
Offset  Size  Field
0       8     offset        of the snapshot's block in the trace
8       8     instruction   its index
16      4     thread
20      4     has_thread    1, or 0: unknown
)">);

// Returns the default path of a trace's index.
inline std::string index_path(const std::string& trace) { return trace + ".idx"; }

struct loaded_index {
  std::optional<snapshot_index> index = {};
  std::string note = {};  // reason why `index` is nullopt
};

namespace detail {
// Returns the checksum of a saved index. The checksum covers all bytes except the checksum itself,
// which is the last field of the prefix.
TRACECODEC_FUNC std::uint64_t checksum(std::span<const std::byte> index) noexcept;
}  // namespace detail

// Saves the index of the trace file `trace` as `path`. The second overload saves the index as
// index_path(trace). The trace must not have changed since it was indexed. The file `path` has its
// final name only when it is complete. Throws trace_error(refused) if the trace cannot be mapped,
// and trace_error(system) for errors of the operating system.
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace,
                                const std::string& path);
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace);

// Loads the index of `trace` from `path`. The second overload loads the index from
// index_path(trace). Returns a note instead of an index if the index is missing, is damaged, or
// does not match the trace. The caller should then build a new index. `options` must be the options
// of the reader that will use the index.
//
// The index stores the trace file's size, time of the last change, and a fingerprint of samples of
// the content. All three must match. A copy of the trace file therefore matches only if it
// preserves the time of the last change. Comparing the entire content would take as long as
// building the index. The index must have been built with the same block_options::repair.
//
// An index must also reach the end of the trace, so the index of a truncated trace does not match.
// This condition is not checked if the trace is compressed, or if it is still growing according to
// `options`. Loading an index reads about 260 pages of the trace. Throws trace_error(system) if the
// trace cannot be opened.
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, const std::string& path,
                                        block_options options = {});
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, block_options options = {});

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/index_file.ipp"
#endif
