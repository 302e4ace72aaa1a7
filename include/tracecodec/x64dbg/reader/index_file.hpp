// An index of snapshots saved beside its trace, and checked against it when it is loaded.
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
  std::uint64_t trace_size;    // of the trace's file on disk, in bytes
  std::int64_t modified;       // when that file last changed: nanoseconds since 1970
  std::uint64_t fingerprint;   // of bytes all over it
  std::uint64_t instructions;  // in the trace
  std::uint64_t end;           // offset behind its last whole block
  std::uint64_t entries;       // how many follow
  std::uint64_t repaired;      // 1: built with block_options::repair; else 0
  std::uint64_t checksum;      // of the entries' bytes and of those before this field
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
40      8     end           offset behind its last whole block
48      8     entries       how many follow
56      8     repaired      1: built with block_options::repair; else 0
64      8     checksum      of the entries' bytes and of those before this field
)">);

struct index_entry {
  std::uint64_t offset;       // of the snapshot's block in the trace
  std::uint64_t instruction;  // its index
  std::uint32_t thread;
  std::uint32_t has_thread;  // 1, or 0: not known
};
using index_entry_codec = wire::record<index_entry>;
static_assert(wire::is_laid_out_as<index_entry_codec, R"(
Offset  Size  Field
0       8     offset        of the snapshot's block in the trace
8       8     instruction   its index
16      4     thread
20      4     has_thread    1, or 0: not known
)">);

// Where the index of a trace is looked for.
inline std::string index_path(const std::string& trace) { return trace + ".idx"; }

struct loaded_index {
  std::optional<snapshot_index> index = {};
  std::string note = {};  // why there is none
};

namespace detail {
// Of a saved index without the checksum itself, which is the prefix's last field.
TRACECODEC_FUNC std::uint64_t checksum(std::span<const std::byte> index) noexcept;
}  // namespace detail

// Saves the index of the trace file `trace`, unchanged since it was indexed, as `path`, which
// appears only when it is whole. Throws trace_error: refused (no file that can be mapped), system.
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace,
                                const std::string& path);
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace);

// The index of `trace` that was saved as `path`. No index and a note, if there is none, if it is
// damaged or does not fit: build it anew. `options` are those of the reader that it is for.
//
// It fits a file of the same size and time of change, with the same samples; a copy only if its
// time was kept: whoever would compare all of the content could as well build the index, which
// takes no longer. It must have been built with repair if the reader has that, else without. And it
// must reach the trace's end, which is looked at if that is neither compressed nor, by `options`,
// still growing; so the index of a cut trace is never used. Costs 260 page accesses to the trace.
// Throws trace_error(system) if the trace itself cannot be opened.
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, const std::string& path,
                                        block_options options = {});
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, block_options options = {});

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/index_file.ipp"
#endif
