// Compares two traces: aligns the instructions by ip, and reports where the traces diverge and
// where they meet again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "diff/source.hpp"
#include "diff/step.hpp"
#include "diff/values.hpp"
#include "relocation.hpp"

namespace tracecodec::analysis {

struct diff_options {
  // Number of consecutive equal ips after which the traces count as aligned again, at least 1.
  std::size_t run = 16;
  // Maximum number of instructions of each feed to keep in memory and to search for a meeting
  // point, at least `run`. An instruction takes 128 bytes, and up to three times as much while more
  // instructions are read and searched. If values are compared, they take up to 240 bytes more for
  // each instruction of the window, or of 8,192 instructions if the window is smaller. While this
  // memory is full, the values of further instructions are not compared.
  std::size_t window = 65536;
  // Maximum number of consecutive windows to skip if they contain no meeting point. After each
  // skipped window, the search continues in the next window.
  std::size_t retries = 0;
  // Number of aligned instructions to report before each divergence.
  std::size_t context = 3;
  // True to compare values if both feeds contain values, as the feeds of x64dbg and UMTracer traces
  // do. Registers of x64dbg traces are compared only if the feed stores registers.
  bool values = true;
  // Relocation of the second trace's modules to their addresses in the first trace. Reports contain
  // the relocated addresses of the second trace. If a value is an address in a moved region, it
  // counts as equal to its relocated address.
  relocation moved = {};
  // Address in the first trace at which the comparison begins. In the second trace, the comparison
  // begins at the corresponding address. If no address is set, it begins with the first
  // instructions.
  std::optional<std::uint64_t> from = {};
  // Callback that returns true for two instructions at the same ip whose results are expected to
  // differ, such as instructions that read the time. Values computed from such results are then
  // also expected to differ. If no callback is set, no results are expected to differ.
  std::function<bool(const diff_step&, const diff_step&)> expected = {};
  // True if addresses are expected to differ. The stack pointer counts as an address. Any other
  // value counts as an address if its two versions are as far apart as the stack pointers, or as
  // the memory addresses that aligned instructions access.
  bool addresses_expected = false;
};

// Place at which the feeds take different paths. The spans are valid only until the callback that
// receives the divergence returns.
struct divergence {
  std::span<const diff_step> before_a, before_b;  // last aligned instructions of each feed
  // Instructions before the feeds meet again. Contains only the first of these instructions if one
  // feed has more than a window of them, or if windows were skipped.
  std::span<const diff_step> only_a, only_b;
  // Total numbers of instructions before the feeds meet again.
  std::uint64_t count_a = 0, count_b = 0;
  // Instructions at which the feeds meet again, or nullptr if a feed ends first or the search
  // fails.
  const diff_step *meets_a = nullptr, *meets_b = nullptr;
  bool lost = false;  // true if the search failed; the rest of the traces is then not compared
};

// Result of a comparison. Most members are numbers of instructions.
struct diff_summary {
  std::uint64_t aligned = 0;  // number of instructions at equal ips
  // Numbers of aligned instructions that differ, one for each member of `differences`.
  std::uint64_t registers = 0, memory = 0, outcome = 0, values = 0, code = 0, events = 0;
  std::uint64_t divergences = 0;
  // Numbers of instructions between divergences and meeting points.
  std::uint64_t only_a = 0, only_b = 0;
  std::uint64_t retries = 0;     // number of windows skipped
  bool lost = false;             // true if the rest of both traces was not compared
  bool values_compared = false;  // true if both feeds have values
  bool code_compared = false;    // true if both feeds have code
  bool events_compared = false;  // true if both are feeds of events
  // Number of aligned instructions whose values were not all compared. Either the limit on stored
  // values was reached (diff_options::window), or the instruction accesses more than 1,024 8-byte
  // pieces of memory.
  std::uint64_t values_left_out = 0;
  // Number of aligned instructions whose values differ as expected (diff_options::expected).
  std::uint64_t values_expected = 0;
  // True if both traces reached diff_options::from, or if diff_options::from is not set.
  bool started = false;
  // Returns true if no differences were found in the compared part of the traces.
  [[nodiscard]] constexpr bool same() const noexcept {
    return divergences == 0 && registers == 0 && memory == 0 && outcome == 0 && values == 0 &&
           code == 0 && events == 0;
  }
};

namespace detail {

// Receiver of a comparison's reports.
class diff_listener {
 public:
  diff_listener() = default;
  diff_listener(const diff_listener&) = delete;
  diff_listener& operator=(const diff_listener&) = delete;
  virtual void differs(const diff_step& a, const diff_step& b, const differences& d,
                       std::span<const value_difference> values) = 0;
  virtual void diverges(const divergence& d) = 0;

 protected:
  ~diff_listener() = default;
};

TRACECODEC_FUNC void compare(diff_source a, diff_source b, const diff_options& options,
                             diff_summary& sum, diff_listener& listener);

}  // namespace detail

// Compares two feeds to their ends, and adds the counts to `sum`. If the traces have several
// threads, compare one thread at a time: a different interleaving is not a difference between
// programs.
//
// Calls differs(a, b, differences), or differs(a, b, differences, values) with a span of
// value_difference, for two instructions at the same ip that differ. Calls diverges(divergence) if
// the ips differ.
//
// Compares the lists of registers and addresses, limited to two destinations and four sources, as
// in a ChampSim record. Compares code, events and values (diff/values.hpp) if both feeds contain
// this data. If the values of a register or a piece of memory differ, reports only the instruction
// at which they become different.
//
// Throws the error of a feed after comparing all intact instructions. Throws trace_error(refused)
// for invalid options.
template <class Differs, class Diverges> void diff(diff_source a, diff_source b,
                                                   const diff_options& options, diff_summary& sum,
                                                   Differs differs, Diverges diverges) {
  class every_report final : public detail::diff_listener {
   public:
    every_report(Differs& differs, Diverges& diverges) : differs_(differs), diverges_(diverges) {}
    void differs(const diff_step& x, const diff_step& y, const differences& d,
                 std::span<const value_difference> values) override {
      if constexpr (std::is_invocable_v<Differs&, const diff_step&, const diff_step&, differences,
                                        std::span<const value_difference>>)
        differs_(x, y, d, values);
      else
        differs_(x, y, d);
    }
    void diverges(const divergence& d) override { diverges_(d); }

   private:
    Differs& differs_;
    Diverges& diverges_;
  } listener(differs, diverges);
  detail::compare(std::move(a), std::move(b), options, sum, listener);
}

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/diff.ipp"
#endif
