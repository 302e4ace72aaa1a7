// Functions that save an index of snapshots beside its trace, and that load and validate it.
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

// Returns the default path of a trace's index.
inline std::string index_path(const std::string& trace) { return trace + ".idx"; }

struct loaded_index {
  std::optional<snapshot_index> index = {};
  std::string note = {};  // reason why `index` is nullopt
};

namespace detail {
// Returns the checksum of a saved index. It covers all bytes except the checksum field, which is
// the last field of the prefix.
TRACECODEC_FUNC std::uint64_t checksum(std::span<const std::byte> index) noexcept;
}  // namespace detail

// Saves the index of the trace file `trace` as `path`, or as index_path(trace) if `path` is
// omitted. The trace must not have changed since it was indexed. The file `path` appears only when
// it is complete. Throws trace_error(refused) if the trace cannot be mapped, and
// trace_error(system) for errors of the operating system.
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace,
                                const std::string& path);
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace);

// Loads the index of `trace` from `path`, or from index_path(trace) if `path` is omitted. Returns a
// note instead of an index if the index is missing, damaged, or does not fit. The caller should
// then build a new index. `options` are the options of the reader that will use the index.
//
// An index fits a file with the same size, time of last change and samples. It fits a copy of the
// file only if the copy has the same time of last change. A comparison of the whole content would
// take as long as building the index. The index must have been built with the same
// block_options::repair.
//
// An index must also reach the end of the trace, so the index of a truncated trace does not fit.
// This is not checked if the trace is compressed, or is still growing according to `options`.
// Loading reads about 260 pages of the trace. Throws trace_error(system) if the trace cannot be
// opened.
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, const std::string& path,
                                        block_options options = {});
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, block_options options = {});

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/index_file.ipp"
#endif
