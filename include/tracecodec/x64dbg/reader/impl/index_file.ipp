// Implementation of reader/index_file.hpp.
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

#include "../../../io/compression/codec.hpp"
#include "../../../io/open.hpp"
#include "../../../io/os/os.hpp"
#include "../../../io/window.hpp"
#include "../index_file.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Returns the hash of `bytes`, starting from the hash `h`. The hash function is a variant of FNV-1a
// that processes 8 bytes at a time.
TRACECODEC_FUNC std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t h) noexcept {
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
// Returns properties of the file on disk, without decompressing the file. Returns nullopt if the
// file cannot be mapped because it is a pipe or empty. The fingerprint covers the first and last 4
// KiB, and 255 samples of 64 bytes between them.
TRACECODEC_FUNC std::optional<trace_facts> facts_of_trace(const std::string& path) {
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
TRACECODEC_FUNC std::uint64_t checksum(std::span<const std::byte> index) noexcept {
  const std::size_t at = index_prefix_codec::offset_of<&index_prefix::checksum>;
  return hash(index.first(at), hash(index.subspan(index_prefix_codec::size), hash_start));
}
// Reads the entries after the prefix, up to the end of the file, and returns their hash. Returns
// nullopt if the number of entries differs from the number in the prefix, or if an entry is
// impossible. Only sound entries are stored, so a damaged file does not exhaust the memory. Each
// entry is read only once, because the file may change at any time.
TRACECODEC_FUNC std::optional<std::uint64_t> read_entries(io::window& in, const index_prefix& p,
                                                          std::vector<snapshot>& all) {
  constexpr std::size_t size = index_entry_codec::size;
  std::uint64_t sum = hash_start;
  std::array<std::byte, 1024 * size> some{};
  for (std::uint64_t left = p.entries; left != 0;) {
    const auto bytes = in.look(size);
    const auto n = static_cast<std::size_t>(
        std::min<std::uint64_t>(left, std::min(bytes.size(), some.size()) / size));
    if (n == 0) return std::nullopt;
    const auto copy = std::span(some).first(n * size);
    std::copy_n(bytes.begin(), copy.size(), copy.begin());
    sum = hash(copy, sum);
    for (std::size_t i = 0; i != n; ++i) {
      const index_entry e = index_entry_codec::load(copy.data() + i * size);
      const bool ordered =
          all.empty() || (e.offset > all.back().offset && e.instruction > all.back().instruction);
      if (!ordered || e.offset >= p.end || e.instruction >= p.instructions) return std::nullopt;
      all.push_back(
          {e.offset, e.instruction, e.has_thread != 0 ? std::optional(e.thread) : std::nullopt});
    }
    in.consume(copy.size());
    left -= n;
  }
  if (!in.look(1).empty()) return std::nullopt;
  return sum;
}
}  // namespace detail

TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace,
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
TRACECODEC_FUNC void save_index(const snapshot_index& index, const std::string& trace) {
  save_index(index, trace, index_path(trace));
}

TRACECODEC_FUNC loaded_index load_index(const std::string& trace, const std::string& path,
                                        block_options options) {
  const auto facts = detail::facts_of_trace(trace);
  const auto no = [&path](const char* why) { return loaded_index{{}, path + ": " + why}; };
  index_prefix p{};
  std::vector<snapshot> all;
  try {
    io::window in(io::open_input(path, {.compression = io::codec::none}));
    std::array<std::byte, index_prefix_codec::size> prefix{};
    const auto front = in.look(prefix.size());
    const std::size_t there = std::min(front.size(), prefix.size());
    std::copy_n(front.begin(), there, prefix.begin());
    if (const auto r = index_prefix_codec::decode(std::span(prefix).first(there), p); !r) {
      in.check_end();
      const bool other = r.error == wire::errc::invalid_value && r.field != "magic";
      return no(other ? "of another version" : "no index");
    }
    in.consume(prefix.size());
    const auto sum = detail::read_entries(in, p, all);
    in.check_end();
    constexpr std::size_t at = index_prefix_codec::offset_of<&index_prefix::checksum>;
    if (!sum || p.checksum != detail::hash(std::span(prefix).first(at), *sum)) return no("damaged");
  } catch (const trace_error& e) {
    return {{}, e.what()};
  }
  if (!facts || p.trace_size != facts->size || p.fingerprint != facts->fingerprint)
    return no("stale: made from different contents of the trace");
  if (p.modified != facts->modified)
    return no("stale: the trace was changed since, or is a copy with another modification time");
  if ((p.repaired != 0) != options.repair)
    return no(options.repair ? "made without repair" : "made with repair");
  if (!facts->compressed && !options.growing && p.end != facts->size)
    return no("does not reach the trace's end");
  return {snapshot_index(std::move(all), {p.end, p.instructions}, options.repair), {}};
}
TRACECODEC_FUNC loaded_index load_index(const std::string& trace, block_options options) {
  return load_index(trace, index_path(trace), options);
}

}  // namespace tracecodec::x64dbg
