// Compares two traces: aligns them by ip, and reports where they diverge and where they meet
// again.
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
  // Number of consecutive equal ips after which the traces are aligned again; at least 1.
  std::size_t run = 16;
  // Number of instructions of each feed that are held in memory and searched for a meeting
  // point; at least `run`. Memory: 128 bytes for each instruction, and up to three times as
  // much while more instructions are read and searched. Comparing values takes up to 240 bytes
  // more per instruction on average, for at least 8,192 instructions. Once that limit is
  // reached, values of further instructions are not compared.
  std::size_t window = 65536;
  // Number of consecutive windows without a meeting point that are skipped; the search
  // continues after them.
  std::size_t retries = 0;
  // Number of instructions before a divergence that are reported with it.
  std::size_t context = 3;
  // True if values are compared, provided that both feeds have values, as feeds of x64dbg and
  // UMTracer traces have. Registers of x64dbg traces are compared only if the feed stores
  // registers.
  bool values = true;
  // Relocation of the second trace's modules to their addresses in the first trace. The second
  // trace's addresses are reported relocated. A value that is an address in a moved region is
  // equal to its relocated address.
  relocation moved = {};
  // Address at which the comparison begins in each trace, as an address of the first trace. If
  // it is not set, the comparison begins with the first instructions.
  std::optional<std::uint64_t> from = {};
  // Returns true for two instructions at the same ip whose results are expected to differ, such
  // as the time. Values computed from such results are expected to differ, too. If it is not
  // set, there are no such instructions.
  std::function<bool(const diff_step&, const diff_step&)> expected = {};
  // True if addresses are expected to differ: the stack pointer, and values that differ by a
  // known distance. Known distances are the distances of the stack pointers, and of the memory
  // that the same instruction accesses in both traces.
  bool addresses_expected = false;
};

// Place where the feeds take different paths. The spans are valid during the report.
struct divergence {
  std::span<const diff_step> before_a, before_b;  // last aligned instructions of each feed
  // Instructions until the feeds meet again. Only the first instructions are included if one
  // feed has more than a window of them, or if windows were skipped.
  std::span<const diff_step> only_a, only_b;
  std::uint64_t count_a = 0, count_b = 0;  // total numbers of instructions until the feeds meet
  // Instructions at which the feeds meet again; nullptr if a feed ends first or the search
  // fails.
  const diff_step *meets_a = nullptr, *meets_b = nullptr;
  bool lost = false;  // true if the search failed, so that the rest is not compared
};

// Results of a comparison, as counts of instructions.
struct diff_summary {
  std::uint64_t aligned = 0;  // instructions at equal ips
  // Aligned instructions that differ, for each member of `differences`.
  std::uint64_t registers = 0, memory = 0, outcome = 0, values = 0, code = 0, events = 0;
  std::uint64_t divergences = 0;
  std::uint64_t only_a = 0, only_b = 0;  // instructions between divergences and meeting points
  std::uint64_t retries = 0;             // number of windows skipped
  bool lost = false;                     // true if the rest of both traces was not compared
  bool values_compared = false;          // true if both feeds have values
  bool code_compared = false;            // true if both feeds have code
  bool events_compared = false;          // true if both are feeds of events
  // Aligned instructions whose values were not all compared. Either too many values were held
  // (diff_options::window), or an instruction accesses more than 1,024 pieces of 8 bytes.
  std::uint64_t values_left_out = 0;
  std::uint64_t values_expected = 0;  // aligned instructions with expected differences of values
  bool started = false;  // true if both traces reached diff_options::from, or if it is not set
  // Returns true if no differences were found, as far as the traces were compared.
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

// Compares two feeds to their ends, and adds the counts to `sum`. For traces of several
// threads, compare one thread at a time: a different interleaving is not a difference between
// programs.
//
// Calls differs(a, b, differences), or differs(a, b, differences, values) with a span of
// value_difference, for two instructions at the same ip that differ. Calls diverges(divergence)
// where the ips differ. The lists of registers and addresses are compared, limited to the two
// and four slots of a ChampSim record. Code, events and values (diff/values.hpp) are compared
// if both feeds have them. The value of a register or of memory is reported where it becomes
// different, not while it stays different. Throws what a feed throws, after comparing all
// intact instructions. Throws trace_error(refused) for invalid options.
template <class Differs, class Diverges> void diff(diff_source a, diff_source b,
                                                   const diff_options& options, diff_summary& sum,
                                                   Differs differs, Diverges diverges) {
  class all_told final : public detail::diff_listener {
   public:
    all_told(Differs& differs, Diverges& diverges) : differs_(differs), diverges_(diverges) {}
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
