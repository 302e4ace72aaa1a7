// Whether the registers of a trace's records have the numbers that ChampSim gives a meaning. Nothing in a file says
// so: it shows in branches that nothing marks as such, and in conditions that nothing computes.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../config.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// What was seen of registers.
struct register_use {
  std::uint64_t flagged =
      0;  // records with is_branch 1, while none of them wrote the instruction pointer
  std::uint64_t conditional = 0;  // branches that read the flags, while nothing wrote them
  bool ip_written = false;        // by a record with is_branch 1
  bool flags_written = false;     // by any record
  std::array<std::uint8_t, 4> in_common = {};  // registers that all flagged records write; 0: none
};

// What makes it doubtful that ChampSim sees the trace's branches; empty if nothing does.
TRACECODEC_FUNC std::string unseen_branches(const register_use& seen);
// What is missing before conditional branches; empty if nothing is.
TRACECODEC_FUNC std::string unwritten_flags(const register_use& seen);

// Looks at a trace's records until both is known: of a usual trace at a few hundred.
template <trace_record R> class register_watch {
 public:
  // Records that are enough to judge by, however many follow.
  static constexpr std::uint64_t enough_flagged = 64, enough_conditional = 256;

  [[nodiscard]] bool watches() const noexcept { return watches_; }
  [[nodiscard]] const register_use& seen() const noexcept { return seen_; }

  void add(std::span<const R> records) noexcept {
    for (const R& r : records) add(r);
    records_ += records.size();
    const auto known = [](bool written, std::uint64_t n, std::uint64_t enough) {
      return written || n >= enough;
    };
    watches_ = records_ < most_records &&
               !(known(seen_.ip_written, seen_.flagged, enough_flagged) &&
                 known(seen_.flags_written, seen_.conditional, enough_conditional));
  }
  void add(const R& r) noexcept {
    const auto& written = r.destination_registers;
    const auto writes = [&written](std::uint8_t which) {
      return std::find(written.begin(), written.end(), which) != written.end();
    };
    const bool branch = writes(instruction_pointer);
    seen_.ip_written |= branch && r.is_branch == 1;
    seen_.flags_written |= writes(flags);
    if (r.is_branch == 1 && !seen_.ip_written) {
      if (seen_.flagged++ == 0) {
        for (std::size_t i = 0; i < written.size() && i < seen_.in_common.size(); ++i)
          seen_.in_common[i] = written[i];
      } else {
        for (std::uint8_t& c : seen_.in_common)
          if (!writes(c)) c = 0;
      }
    }
    if (branch && !seen_.flags_written &&
        std::find(r.source_registers.begin(), r.source_registers.end(), flags) !=
            r.source_registers.end())
      ++seen_.conditional;
  }

 private:
  static constexpr std::uint64_t most_records = std::uint64_t{1} << 20;

  register_use seen_ = {};
  std::uint64_t records_ = 0;
  bool watches_ = true;
};

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/register_watch.ipp"
#endif
