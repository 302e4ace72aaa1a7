// Detects traces whose registers are not numbered like ChampSim's. A file does not store the
// numbering. Signs of another numbering are flagged branches that do not write the instruction
// pointer, and conditions that no record computes.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "layout.hpp"

namespace tracecodec::champsim {

// Use of registers in the records seen so far.
struct register_use {
  // Number of records with is_branch 1, while none of them writes the instruction pointer.
  std::uint64_t flagged = 0;
  // Number of branches that read the flags, while no record writes the flags.
  std::uint64_t conditional = 0;
  bool ip_written = false;     // true if a record with is_branch 1 writes the instruction pointer
  bool flags_written = false;  // true if any record writes the flags
  std::array<std::uint8_t, 4> in_common = {};  // registers that all flagged records write; 0: none
};

// Returns the reason why ChampSim probably does not see the trace's branches; empty if
// seen.ip_written is true or no record is flagged. `mappable` is true if the trace can be read
// with other register numbers (register_numbers.hpp).
inline std::string unseen_branches(const register_use& seen, bool mappable = true);
// Returns a note on conditional branches that read flags which no record writes. Empty if a
// record writes the flags, or if there are fewer than eight such branches.
inline std::string unwritten_flags(const register_use& seen);

// Examination of a trace's records until the register numbers are certain. A typical trace
// needs a few hundred records.
class register_watch {
 public:
  // Numbers of flagged records and of conditional branches that are sufficient for a finding.
  static constexpr std::uint64_t enough_flagged = 64, enough_conditional = 256;

  [[nodiscard]] bool watches() const noexcept { return watches_; }
  [[nodiscard]] const register_use& seen() const noexcept { return seen_; }

  template <trace_record R> void add(std::span<const R> records) noexcept {
    for (const R& r : records) add(r);
    examine(records.size());
  }
  // Adds a batch of a feed; the batch's records may be described by a table.
  template <class Batch> void add_batch(const Batch& b) noexcept {
    for (std::size_t i = 0; i != b.size(); ++i) add_instruction(b[i]);
    examine(b.size());
  }
  template <trace_record R> void add(const R& r) noexcept {
    add(r.is_branch, r.destination_registers, r.source_registers);
  }
  // Adds an instruction of a feed; the instruction's record may be described by a table.
  template <class View> void add_instruction(const View& i) noexcept {
    const auto& r = i.record();
    if constexpr (requires { r.destination_registers; })
      add(r);
    else
      add(r.is_branch, i.destination_registers(), i.source_registers());
  }

 private:
  void examine(std::size_t records) noexcept {
    records_ += records;
    const auto known = [](bool written, std::uint64_t n, std::uint64_t enough) {
      return written || n >= enough;
    };
    watches_ = records_ < most_records &&
               !(known(seen_.ip_written, seen_.flagged, enough_flagged) &&
                 known(seen_.flags_written, seen_.conditional, enough_conditional));
  }
  template <class Written, class Read>
  void add(std::uint8_t is_branch, const Written& written, const Read& read) noexcept {
    const auto writes = [&written](std::uint8_t which) {
      return std::find(written.begin(), written.end(), which) != written.end();
    };
    const bool branch = writes(instruction_pointer);
    seen_.ip_written |= branch && is_branch == 1;
    seen_.flags_written |= writes(flags);
    if (is_branch == 1 && !seen_.ip_written) {
      if (seen_.flagged++ == 0) {
        auto to = seen_.in_common.begin();
        for (const std::uint8_t w : written)
          if (to != seen_.in_common.end()) *to++ = w;
      } else {
        for (std::uint8_t& c : seen_.in_common)
          if (!writes(c)) c = 0;
      }
    }
    if (branch && !seen_.flags_written && std::find(read.begin(), read.end(), flags) != read.end())
      ++seen_.conditional;
  }

  static constexpr std::uint64_t most_records = std::uint64_t{1} << 20;

  register_use seen_ = {};
  std::uint64_t records_ = 0;
  bool watches_ = true;
};

// Reporter of the findings of a register_watch in the batches of a trace. Each finding is
// reported once: when there are enough records, when the trace ends, or when reading stops.
class register_reports {
 public:
  using listener = std::function<void(const std::string&)>;

  // Creates a reporter with the callbacks `warn` and `note`. `trace` is the name of the trace
  // for messages; `mappable` is passed to unseen_branches().
  register_reports(listener warn, listener note, std::string trace, bool mappable)
      : warn_(std::move(warn)),
        note_(std::move(note)),
        trace_(std::move(trace)),
        mappable_(mappable) {}
  register_reports(register_reports&&) = default;
  register_reports& operator=(register_reports&&) = default;
  ~register_reports() { report(true); }

  [[nodiscard]] bool watches() const noexcept { return watch_.watches() && (warn_ || note_); }
  // Add a span of records, or a batch of a feed; `ends` is true if no record follows.
  template <trace_record R> void add(std::span<const R> records, bool ends) noexcept {
    watch_.add(records);
    report(ends);
  }
  template <class Batch> void add_batch(const Batch& b) noexcept {
    watch_.add_batch(b);
    report(b.last_batch());
  }

 private:
  // Reports findings; at the end of the trace fewer records are sufficient.
  void report(bool end) noexcept {
    const register_use& seen = watch_.seen();
    try {
      if (warn_ && (end || seen.flagged >= watch_.enough_flagged))
        call(warn_, unseen_branches(seen, mappable_));
      if (note_ && (end || seen.conditional >= watch_.enough_conditional))
        call(note_, unwritten_flags(seen));
    } catch (...) {
      // Failure to deliver a warning is not an error.
    }
  }
  void call(listener& to, const std::string& what) {
    if (!what.empty()) std::exchange(to, nullptr)(trace_ + ": " + what);
  }

  listener warn_, note_;
  std::string trace_;
  bool mappable_;
  register_watch watch_ = {};
};

inline std::string unseen_branches(const register_use& seen, bool mappable) {
  if (seen.ip_written || seen.flagged == 0) return {};
  std::string s = seen.flagged == 1
                      ? "a record flagged as a branch does not write"
                      : std::to_string(seen.flagged) + " records flagged as branches do not write";
  s += " register 26, the instruction pointer: ChampSim ignores these branches";
  if (mappable)
    s += ". If the trace numbers registers differently, map them with map_registers "
         "(--map-registers ip=N,sp=N,flags=N)";
  for (const std::uint8_t c : seen.in_common)
    if (c != 0) return s + "; register " + std::to_string(c) + " is written by all of them";
  return s;
}

inline std::string unwritten_flags(const register_use& seen) {
  // A partial trace may begin between the instruction that writes the flags and the branch.
  constexpr std::uint64_t least = 8;
  if (seen.flags_written || seen.conditional < least) return {};
  return std::to_string(seen.conditional) +
         " conditional branches read the flags, register 25, but no record writes them: in a "
         "simulator these branches wait for nothing";
}

}  // namespace tracecodec::champsim
