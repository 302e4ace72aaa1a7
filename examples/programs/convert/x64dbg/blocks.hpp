// Reads the selected instructions of an x64dbg trace, and reports repaired defects.
#pragma once
#include <tracecodec/x64dbg/reader.hpp>
#include <tracecodec/x64dbg/repair.hpp>
#include <tracecodec/x64dbg/skipped_log.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "../../common/progress.hpp"
#include "../conversion.hpp"

namespace convert {

namespace x64dbg = tracecodec::x64dbg;

// Options that select instructions for a conversion.
struct x64dbg_part {
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
  std::optional<std::uint32_t> thread = {};
  [[nodiscard]] bool whole() const { return skip == 0 && !limit && !thread; }
};

// Calls take(instruction) for each selected instruction, and mended(place) for each repaired block.
// Also calls passed(progress) regularly. Returns the error that ended the trace early, or null.
template <x64dbg::target T, class Take, class Mended, class Passed>
std::exception_ptr for_each_wanted(x64dbg::reader<T>& from, const x64dbg_part& part, Take take,
                                   Mended mended, Passed passed) {
  std::uint64_t left_out = 0, done = 0;
  const std::uint64_t wanted = part.limit.value_or(static_cast<std::uint64_t>(-1));
  x64dbg::instruction<T> i;
  while (done != wanted) {
    try {
      if (!from.next(i)) break;
    } catch (const tracecodec::trace_error& e) {
      // Rethrow errors of the output, and the error that a user block cannot be written.
      if (e.file() != from.name() || e.code() == tracecodec::trace_errc::refused) throw;
      return std::current_exception();
    }
    if ((part.thread && i.thread != part.thread) || left_out++ < part.skip) continue;
    take(i);
    if (from.was_mended()) mended(x64dbg::mended_place{i.offset, i.index, i.block.thread});
    if (++done % 65536 == 0) passed(from.window().progress());
  }
  return nullptr;
}

// Reporter of repaired blocks and skipped bytes. It prints the first five of each kind, or all of
// them with --verbose. finish() prints the totals.
class mended_blocks {
 public:
  explicit mended_blocks(const options& o) : repair_(o.as.repair), all_(o.verbose) {}

  void add(const x64dbg::mended_place& p) {
    if (++count_ > most && !all_) return;
    say("mended: offset " + std::to_string(p.offset) + ", instruction " +
        std::to_string(p.instruction) + ": thread id " + std::to_string(p.thread) + " marked");
  }
  void add(const x64dbg::skipped_bytes& s) {
    bytes_ += s.size;
    if (++skipped_ <= most || all_) say(x64dbg::text_of(s));
  }
  // Prints the totals. If `failed` is true, an error message follows, so a total of 0 is not
  // printed.
  void finish(bool failed) const {
    if (!repair_) return;
    const auto more = [this](std::uint64_t n) {
      return n > most && !all_ ? "; --verbose lists all" : "";
    };
    if (!failed || count_ != 0) say(some(count_, "place") + " mended" + more(count_));
    if (skipped_ != 0)
      say(some(skipped_, "place") + " skipped, with " + some(bytes_, "byte") + more(skipped_));
  }

 private:
  static constexpr std::uint64_t most = 5;
  std::uint64_t count_ = 0, skipped_ = 0, bytes_ = 0;
  bool repair_, all_;
};

}  // namespace convert
