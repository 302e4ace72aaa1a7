// Lists the members of a zip archive. This header does not include a compression library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../config.hpp"
#include "../input/source.hpp"
#include "../options.hpp"

namespace tracecodec::io {

// Member of a zip archive, as the central directory describes it (APPNOTE.TXT 4.3.12).
struct zip_member {
  std::string name;
  std::uint64_t at = 0;      // offset of the local header in the file
  std::uint64_t packed = 0;  // size in bytes in the file, after the local header
  std::uint64_t size = 0;    // size in bytes of the content
};

// Maximum size in bytes of a central directory. It is sufficient for a million members of usual
// names. A list of members needs up to three times this memory.
inline constexpr std::uint64_t largest_zip_directory = std::uint64_t{64} << 20;

// Returns the members of the zip archive `from` in the order of their offsets, without directories
// and without the resource forks of macOS. Supports zip64. `from` must be seekable, and its
// position after the call is unspecified. `name` appears in error messages. Throws:
// - trace_error(truncated) if the file does not end with a directory
// - trace_error(corrupt) if the directory or the members do not fit into the file, or overlap
// - trace_error(unsupported) for several disks, and for more than largest_zip_directory bytes
// - trace_error(refused) if `from` is not seekable
TRACECODEC_FUNC std::vector<zip_member> zip_members(source& from, const std::string& name);

// Returns the number of a member with a name such as "chunk.0012", here 12, or nullopt for any
// other name. drmemtrace divides a trace into members with these names.
constexpr std::optional<std::uint64_t> zip_chunk_number(std::string_view name) {
  constexpr std::string_view prefix = "chunk.";
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (name.empty() || name.size() > 18) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

// Returns the members of `all` that make up the content of an archive, in the order of the content:
// the member `o.member`, or all members, or all chunks by their numbers, or the only member. The offset of a member
// in the content is the sum of the sizes of the preceding members. Throws trace_error(unsupported),
// with the names of the members, if there is no such member or if the choice is ambiguous.
TRACECODEC_FUNC std::vector<zip_member> zip_content(std::vector<zip_member> all,
                                                    const zip_options& o, const std::string& name);

namespace detail {

// Maximum size in bytes of the record at the end of an archive, including its comment.
inline constexpr std::size_t longest_zip_end = 22 + 65535;

// Returns the offset in `tail` of the record at the end of an archive. The record and its comment
// must end where `tail` ends. Returns nullopt if there is no such record.
TRACECODEC_FUNC std::optional<std::size_t> find_zip_end(std::span<const std::byte> tail);

// Returns true for directories and for the resource forks of macOS, which have no content.
constexpr bool is_zip_decor(std::string_view member) {
  return member.ends_with('/') || member.starts_with("__MACOSX/");
}

// Returns the little-endian integer of `n` bytes at `at`. These bytes must exist.
constexpr std::uint64_t zip_number(std::span<const std::byte> in, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  while (n-- != 0) value = value << 8 | std::to_integer<std::uint64_t>(in[at + n]);
  return value;
}

}  // namespace detail

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/zip_members.ipp"
#endif
