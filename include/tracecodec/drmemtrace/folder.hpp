// Folders with a file for each thread or core as one trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../file/merge.hpp"
#include "../format/own_option.hpp"
#include "schedule.hpp"
#include "trace_file.hpp"

namespace tracecodec::drmemtrace {

// Order of the records of a folder: one file after the other, by the timestamps of all threads, or as
// the files of schedules say.
enum class order : std::uint8_t { thread, time, schedule };
// Treatment of accesses that do not fit into a ChampSim record.
enum class extra_accesses : std::uint8_t { records, drop };

// Order of the files of a folder.
struct folder_order {
  order by = order::thread;
  std::shared_ptr<const drmemtrace::schedule> schedule = {};  // for order::schedule
  [[nodiscard]] bool merges() const noexcept { return by != order::thread; }
};

// Rule for file::merged_source: a section begins at a timestamp, and a later section of a file begins
// with its thread.
template <target T> class section_rule {
 public:
  using codec = drmemtrace::codec<T>;
  using settings = folder_order;
  static bool begins(std::span<const std::byte> front) noexcept { return target_of(front) == T; }
  explicit section_rule(settings how) noexcept : how_(std::move(how)) {}

  std::optional<std::uint64_t> key(const entry<T>& e) {
    if (e.is(record_type::thread)) {
      thread_ = e;
      if (!first_) first_ = e.value;
    }
    if (e.is(marker::filetype)) of_core_ = (e.value & file_type::core_sharded) != 0;
    if (e.is(marker::chunk_footer)) repeats_ = true;
    count_ += is_instruction(e.type) && e.size != 0;
    // The first timestamp of a chunk is that of the previous chunk.
    if (!how_.merges() || !e.is(marker::timestamp) || std::exchange(repeats_, false))
      return std::nullopt;
    return how_.by == order::time ? std::optional<std::uint64_t>(e.value) : scheduled(e.value);
  }
  [[nodiscard]] std::optional<entry<T>> resume() const noexcept { return thread_; }
  // Throws trace_error(corrupt) if the schedule contains parts after the end of the file of a thread,
  // or no thread of the file of a core.
  void end() const {
    if (how_.by != order::schedule || !thread_) return;
    if (of_core_ && (matched_ || count_ == 0 || !how_.schedule->parts_of(*first_).empty())) return;
    const auto parts = parts_of_thread();
    if (!of_core_ && next_ != parts.size()) refuse(parts[next_]);
  }

 private:
  [[nodiscard]] std::uint64_t thread() const noexcept { return thread_ ? thread_->value : 0; }
  // Returns the parts of the current thread. Throws trace_error(corrupt) if there are none.
  [[nodiscard]] std::span<const std::uint32_t> parts_of_thread() const {
    const auto parts = how_.schedule->parts_of(thread());
    if (parts.empty())
      throw trace_error(trace_errc::corrupt, {how_.schedule->name()},
                        "thread " + std::to_string(thread()) + " is not in the schedule");
    return parts;
  }
  // Returns the position of the part that begins at a timestamp, if one does.
  std::optional<std::uint64_t> scheduled(std::uint64_t timestamp) {
    if (of_core_) {
      auto position = how_.schedule->find(thread(), timestamp, count_);
      if (!position) position = how_.schedule->find(first_.value_or(0), timestamp, count_);
      matched_ = matched_ || position.has_value();
      return position;
    }
    const auto parts = parts_of_thread();
    if (next_ == parts.size()) return std::nullopt;
    const schedule_entry& p = (*how_.schedule)[parts[next_]];
    if (p.start == count_ && p.timestamp == timestamp) return parts[next_++];
    if (p.start < count_) refuse(parts[next_]);
    return std::nullopt;
  }
  [[noreturn]] void refuse(std::uint32_t position) const {
    const schedule_entry& p = (*how_.schedule)[position];
    throw trace_error(trace_errc::corrupt, {.file = how_.schedule->name(), .record = position},
                      "thread " + std::to_string(thread()) + " has no timestamp " +
                          std::to_string(p.timestamp) + " at instruction " +
                          std::to_string(p.start) + ": the schedule is of another trace");
  }

  folder_order how_;
  std::optional<entry<T>> thread_ = {};
  std::optional<std::uint64_t> first_ = {};  // first thread
  bool of_core_ = false, matched_ = false;   // true after a part of the schedule
  std::uint64_t count_ = 0;                  // instructions so far
  std::size_t next_ = 0;                     // number of the thread's next part in the schedule
  bool repeats_ = false;
};

}  // namespace tracecodec::drmemtrace

namespace tracecodec::format {
template <> inline constexpr bool is_own_option<drmemtrace::order> = true;
template <> inline constexpr bool is_own_option<drmemtrace::extra_accesses> = true;
}  // namespace tracecodec::format
