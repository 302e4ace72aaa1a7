// Detects traces in which registers have other numbers than in ChampSim. The numbering is not
// stored in the file. Two signs suggest another numbering. Either flagged branches do not write the
// instruction pointer, or conditional branches read the flags although no record writes the flags.
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

// Use of registers in the records examined so far.
struct register_use {
  // Number of records with is_branch 1. Valid as long as ip_written is false.
  std::uint64_t flagged = 0;
  // Number of branches that read the flags. Valid as long as flags_written is false.
  std::uint64_t conditional = 0;
  bool ip_written = false;     // true if a record with is_branch 1 writes the instruction pointer
  bool flags_written = false;  // true if any record writes the flags
  // Registers that all flagged records write. Unused elements are 0.
  std::array<std::uint8_t, 4> in_common = {};
};

// Returns the reason why ChampSim probably does not recognise the trace's branches. Returns an
// empty string if seen.ip_written is true or no record is flagged. `mappable` is true if the trace
// can be read with other register numbers (register_numbers.hpp).
inline std::string unseen_branches(const register_use& seen, bool mappable = true);
// Returns a note on conditional branches that read the flags although no record writes the flags.
// Returns an empty string if a record writes the flags, or if there are fewer than eight such
// branches.
inline std::string unwritten_flags(const register_use& seen);

// Observer of the registers in a trace's records. The observer stops once the register numbers are
// certain, which takes a few hundred records in a typical trace.
class register_watch {
 public:
  // Minimum numbers of flagged records and of conditional branches for a finding.
  static constexpr std::uint64_t enough_flagged = 64, enough_conditional = 256;

  [[nodiscard]] bool watches() const noexcept { return watches_; }
  [[nodiscard]] const register_use& seen() const noexcept { return seen_; }

  template <trace_record R> void add(std::span<const R> records) noexcept {
    for (const R& r : records) add(r);
    examine(records.size());
  }
  // Adds a batch of any feed, including a table_feed.
  template <class Batch> void add_batch(const Batch& b) noexcept {
    for (std::size_t i = 0; i != b.size(); ++i) add_instruction(b[i]);
    examine(b.size());
  }
  template <trace_record R> void add(const R& r) noexcept {
    add(r.is_branch, r.destination_registers, r.source_registers);
  }
  // Adds an instruction of any feed, including a table_feed.
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

// Reports the findings of a register_watch. Each finding is reported once: when enough records have
// been examined, when the trace ends, or when reading stops.
class register_reports {
 public:
  using listener = std::function<void(const std::string&)>;

  // Creates a reporter with the callbacks `warn` and `note`. `trace` is the name of the trace in
  // messages. `mappable` is passed to unseen_branches().
  register_reports(listener warn, listener note, std::string trace, bool mappable)
      : warn_(std::move(warn)),
        note_(std::move(note)),
        trace_(std::move(trace)),
        mappable_(mappable) {}
  register_reports(register_reports&&) = default;
  register_reports& operator=(register_reports&&) = default;
  ~register_reports() { report(true); }

  [[nodiscard]] bool watches() const noexcept { return watch_.watches() && (warn_ || note_); }
  // Adds a span of records, or a batch of a feed. `ends` is true if no record follows.
  template <trace_record R> void add(std::span<const R> records, bool ends) noexcept {
    watch_.add(records);
    report(ends);
  }
  template <class Batch> void add_batch(const Batch& b) noexcept {
    watch_.add_batch(b);
    report(b.last_batch());
  }

 private:
  // Reports findings. At the end of the trace, fewer records are sufficient.
  void report(bool end) noexcept {
    const register_use& seen = watch_.seen();
    try {
      if (warn_ && (end || seen.flagged >= watch_.enough_flagged))
        call(warn_, unseen_branches(seen, mappable_));
      if (note_ && (end || seen.conditional >= watch_.enough_conditional))
        call(note_, unwritten_flags(seen));
    } catch (...) {
      // Ignore the exception, because an undelivered warning is not an error.
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
  // A partial trace may begin between the instruction that writes the flags and a branch that reads
  // them, so ignore a few branches.
  constexpr std::uint64_t least = 8;
  if (seen.flags_written || seen.conditional < least) return {};
  return std::to_string(seen.conditional) +
         " conditional branches read the flags, register 25, but no record writes them: in a "
         "simulator these branches wait for nothing";
}

}  // namespace tracecodec::champsim
