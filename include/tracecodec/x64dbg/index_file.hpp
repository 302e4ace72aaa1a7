// An index of snapshots saved beside its trace, and checked against it when it is loaded.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/open.hpp"
#include "index.hpp"

namespace tracecodec::x64dbg {

// Offset  Size  Field
// 0       4     magic         "TCXI"
// 4       4     version       1
// 8       8     trace_size    of the trace's file on disk, in bytes
// 16      8     fingerprint   of bytes all over that file
// 24      8     instructions  in the trace
// 32      8     end           offset behind its last whole block
// 40      8     entries       how many follow
// 48      8     checksum      of the entries' bytes
struct index_prefix {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t trace_size;
  std::uint64_t fingerprint;
  std::uint64_t instructions;
  std::uint64_t end;
  std::uint64_t entries;
  std::uint64_t checksum;
};
using index_prefix_codec = wire::record<index_prefix>;
static_assert(index_prefix_codec::size == 56);
inline constexpr std::array<char, 4> index_magic{'T', 'C', 'X', 'I'};
inline constexpr std::uint32_t index_version = 1;

// 0       8     offset        of the snapshot's block in the trace
// 8       8     instruction   its index
// 16      4     thread
// 20      4     has_thread    1, or 0: not known
struct index_entry {
  std::uint64_t offset;
  std::uint64_t instruction;
  std::uint32_t thread;
  std::uint32_t has_thread;
};
using index_entry_codec = wire::record<index_entry>;
static_assert(index_entry_codec::size == 24);

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
  std::uint64_t size = 0, fingerprint = 0;
};
// Of the file as it lies on disk, compressed or not: its first and last 4 KiB, and 256 samples of
// 64 bytes between. nullopt if it cannot be mapped: a pipe, or empty.
inline std::optional<trace_facts> facts_of_trace(const std::string& path) {
  const io::input in = io::open_input(path, {.compression = io::codec::none});
  const auto all = in.bytes();
  if (all.empty()) return std::nullopt;
  constexpr std::size_t edge = 4096, samples = 256, sample = 64;
  const std::size_t size = all.size();
  std::uint64_t h = hash(all.first(std::min(edge, size)), hash_start ^ size);
  h = hash(all.last(std::min(edge, size)), h);
  for (std::size_t i = 1; i < samples && size > samples * sample; ++i)
    h = hash(all.subspan(size / samples * i, sample), h);
  return trace_facts{size, h};
}
}  // namespace detail

// Saves the index of the trace file `trace` as `path`, which appears only when it is whole.
// Throws trace_error: refused (no file that can be mapped), system.
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
  index_prefix_codec::encode(
      {index_magic, index_version, facts->size, facts->fingerprint, index.instructions(),
       index.end().offset, all.size(), detail::hash(entries, detail::hash_start)},
      bytes);
  const auto out = io::open_output(path);
  out->write(bytes);
  out->finish();
}
inline void save_index(const snapshot_index& index, const std::string& trace) {
  save_index(index, trace, index_path(trace));
}

// The index of `trace` that was saved as `path`. No index and a note if there is none, if it is
// damaged, or if it belongs to another content: build it anew. Costs 260 page accesses to the
// trace. Throws trace_error(system) if the trace itself cannot be opened.
inline loaded_index load_index(const std::string& trace, const std::string& path) {
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
  if (!index_prefix_codec::decode(bytes, p) || p.magic != index_magic) return no("no index");
  if (p.version != index_version) return no("of another version");
  if (!facts || p.trace_size != facts->size || p.fingerprint != facts->fingerprint)
    return no("stale: made from another content of the trace");
  const auto entries = bytes.subspan(index_prefix_codec::size);
  if (p.entries != entries.size() / index_entry_codec::size ||
      entries.size() % index_entry_codec::size != 0 ||
      p.checksum != detail::hash(entries, detail::hash_start))
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
  return {snapshot_index(std::move(all), {p.end, p.instructions}), {}};
}
inline loaded_index load_index(const std::string& trace) {
  return load_index(trace, index_path(trace));
}

}  // namespace tracecodec::x64dbg
