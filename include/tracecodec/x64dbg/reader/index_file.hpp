// An index of snapshots saved beside its trace, and checked against it when it is loaded.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../io/open.hpp"
#include "../../io/os.hpp"
#include "index.hpp"

namespace tracecodec::x64dbg {

struct index_prefix {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t trace_size;
  std::int64_t modified;
  std::uint64_t fingerprint;
  std::uint64_t instructions;
  std::uint64_t end;
  std::uint64_t entries;
  std::uint64_t repaired;
  std::uint64_t checksum;
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
  std::uint64_t offset;
  std::uint64_t instruction;
  std::uint32_t thread;
  std::uint32_t has_thread;
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
// FNV-1a over 8 bytes at a time.
inline std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t h) noexcept {
  constexpr std::uint64_t prime = 0x100000001B3;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    h = (h ^ wire::u64le::load(bytes.data())) * prime;
    h ^= h >> 29U;
  }
  for (const std::byte b : bytes) h = (h ^ std::to_integer<std::uint64_t>(b)) * prime;
  return h;
}
inline constexpr std::uint64_t hash_start = 0xCBF29CE484222325;

struct trace_facts {
  std::uint64_t size = 0;
  std::int64_t modified = 0;
  std::uint64_t fingerprint = 0;
  bool compressed = false;
};
// Of the file as it lies on disk, compressed or not. The fingerprint is of its first and last
// 4 KiB, and of 255 samples of 64 bytes between. nullopt if it cannot be mapped: a pipe, or empty.
inline std::optional<trace_facts> facts_of_trace(const std::string& path) {
  const std::int64_t modified = io::os::facts_of(path).modified;
  const io::input in = io::open_input(path, {.compression = io::codec::none});
  const auto all = in.bytes();
  if (all.empty()) return std::nullopt;
  constexpr std::size_t edge = 4096, samples = 256, sample = 64;
  const std::size_t size = all.size();
  std::uint64_t h = hash(all.first(std::min(edge, size)), hash_start ^ size);
  h = hash(all.last(std::min(edge, size)), h);
  for (std::size_t i = 1; i < samples && size > samples * sample; ++i)
    h = hash(all.subspan(size / samples * i, sample), h);
  const bool compressed =
      io::recognise(all.first(std::min(io::recognise_window, size))) != io::codec::none;
  return trace_facts{size, modified, h, compressed};
}
// Of a saved index without the checksum itself, which is the prefix's last field.
inline std::uint64_t checksum(std::span<const std::byte> index) noexcept {
  const std::size_t at = index_prefix_codec::offset_of<&index_prefix::checksum>;
  return hash(index.first(at), hash(index.subspan(index_prefix_codec::size), hash_start));
}
}  // namespace detail

// Saves the index of the trace file `trace`, unchanged since it was indexed, as `path`, which
// appears only when it is whole. Throws trace_error: refused (no file that can be mapped), system.
inline void save_index(const snapshot_index& index, const std::string& trace,
                       const std::string& path) {
  const auto facts = detail::facts_of_trace(trace);
  if (!facts)
    throw trace_error(trace_errc::refused, {.file = trace},
                      "only the index of a file can be saved");
  const auto& all = index.snapshots();
  std::vector<std::byte> bytes(index_prefix_codec::size + all.size() * index_entry_codec::size);
  const std::span entries = std::span(bytes).subspan(index_prefix_codec::size);
  for (std::size_t i = 0; i < all.size(); ++i)
    index_entry_codec::encode({all[i].offset, all[i].instruction, all[i].thread.value_or(0),
                               all[i].thread.has_value() ? 1U : 0U},
                              entries.subspan(i * index_entry_codec::size));
  index_prefix p{};
  p.trace_size = facts->size;
  p.modified = facts->modified;
  p.fingerprint = facts->fingerprint;
  p.instructions = index.instructions();
  p.end = index.end().offset;
  p.entries = all.size();
  p.repaired = index.repaired() ? 1 : 0;
  index_prefix_codec::encode(p, bytes);
  p.checksum = detail::checksum(bytes);
  index_prefix_codec::encode(p, bytes);
  const auto out = io::open_output(path);
  out->write(bytes);
  out->finish();
}
inline void save_index(const snapshot_index& index, const std::string& trace) {
  save_index(index, trace, index_path(trace));
}

// The index of `trace` that was saved as `path`. No index and a note, if there is none, if it is
// damaged or does not fit: build it anew. `options` are those of the reader that it is for.
//
// It fits a file of the same size and time of change, with the same samples; a copy only if its
// time was kept: whoever would compare all of the content could as well build the index, which
// takes no longer. It must have been built with repair if the reader has that, else without. And it
// must reach the trace's end, which is looked at if that is neither compressed nor, by `options`,
// still growing; so the index of a cut trace is never used. Costs 260 page accesses to the trace.
// Throws trace_error(system) if the trace itself cannot be opened.
inline loaded_index load_index(const std::string& trace, const std::string& path,
                               block_options options = {}) {
  const auto facts = detail::facts_of_trace(trace);
  std::vector<std::byte> copy;
  try {
    const io::input in = io::open_input(path, {.compression = io::codec::none});
    copy.assign(in.bytes().begin(), in.bytes().end());
  } catch (const trace_error& e) {
    return {{}, e.what()};
  }
  const std::span<const std::byte> bytes = copy;
  const auto no = [&path](const char* why) { return loaded_index{{}, path + ": " + why}; };
  index_prefix p{};
  if (const auto r = index_prefix_codec::decode(bytes, p); !r) {
    const bool other = r.error == wire::errc::refused_value && r.field != "magic";
    return no(other ? "of another version" : "no index");
  }
  if (p.checksum != detail::checksum(bytes)) return no("damaged");
  if (!facts || p.trace_size != facts->size || p.fingerprint != facts->fingerprint)
    return no("stale: made from another content of the trace");
  if (p.modified != facts->modified)
    return no("stale: the trace was changed since, or is a copy with another time");
  if ((p.repaired != 0) != options.repair)
    return no(options.repair ? "made without repair" : "made with repair");
  if (!facts->compressed && !options.growing && p.end != facts->size)
    return no("does not reach the trace's end");
  const auto entries = bytes.subspan(index_prefix_codec::size);
  if (p.entries != entries.size() / index_entry_codec::size ||
      entries.size() % index_entry_codec::size != 0)
    return no("damaged");
  std::vector<snapshot> all;
  all.reserve(static_cast<std::size_t>(p.entries));
  for (std::size_t i = 0; i < p.entries; ++i) {
    index_entry e{};
    index_entry_codec::decode(entries.subspan(i * index_entry_codec::size), e);
    const bool ordered =
        all.empty() || (e.offset > all.back().offset && e.instruction > all.back().instruction);
    if (!ordered || e.offset >= p.end || e.instruction >= p.instructions) return no("damaged");
    all.push_back(
        {e.offset, e.instruction, e.has_thread != 0 ? std::optional(e.thread) : std::nullopt});
  }
  return {snapshot_index(std::move(all), {p.end, p.instructions}, options.repair), {}};
}
inline loaded_index load_index(const std::string& trace, block_options options = {}) {
  return load_index(trace, index_path(trace), options);
}

}  // namespace tracecodec::x64dbg
