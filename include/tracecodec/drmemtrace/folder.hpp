// Folders with a file for each thread or core as one trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "../file/merge.hpp"
#include "../format/own_option.hpp"
#include "trace_file.hpp"

namespace tracecodec::drmemtrace {

// Order of the records of a folder: one file after the other, or by the timestamps of all threads.
enum class order : std::uint8_t { thread, time };
// Treatment of accesses that do not fit into a ChampSim record.
enum class extra_accesses : std::uint8_t { records, drop };

// Rule for file::merged_source: a section begins at a timestamp, and a later section of a file begins
// with its thread.
template <target T> class time_rule {
 public:
  using codec = drmemtrace::codec<T>;
  static bool begins(std::span<const std::byte> front) noexcept { return target_of(front) == T; }
  explicit time_rule(bool merges) noexcept : merges_(merges) {}

  std::optional<std::uint64_t> key(const entry<T>& e) noexcept {
    if (e.is(record_type::thread)) thread_ = e;
    if (e.is(marker::chunk_footer)) repeats_ = true;
    // The first timestamp of a chunk is that of the previous chunk.
    if (!merges_ || !e.is(marker::timestamp) || std::exchange(repeats_, false)) return std::nullopt;
    return e.value;
  }
  [[nodiscard]] std::optional<entry<T>> resume() const noexcept { return thread_; }

 private:
  std::optional<entry<T>> thread_ = {};
  bool merges_, repeats_ = false;
};

}  // namespace tracecodec::drmemtrace

namespace tracecodec::format {
template <> inline constexpr bool is_own_option<drmemtrace::order> = true;
template <> inline constexpr bool is_own_option<drmemtrace::extra_accesses> = true;
}  // namespace tracecodec::format
