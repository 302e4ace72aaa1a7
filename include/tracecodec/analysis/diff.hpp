// Two traces side by side: aligned by ip, told where they part and where they meet again.
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
  // So many equal ips in a row are taken for the same way again; at least 1.
  std::size_t run = 16;
  // So many instructions of each feed at most are searched for it, and held in memory: 128 bytes
  // for each, up to three times that while more are taken in and searched. If values are compared,
  // also what is told of them: up to 240 bytes for each instruction on average, of 8,192 at least;
  // of those that come when so much is held values are not compared. At least `run`.
  std::size_t window = 65536;
  // So many windows in a row without a meeting point are given up, and searched behind them.
  std::size_t retries = 0;
  // So many instructions before a divergence are told with it.
  std::size_t context = 3;
  // Compare values, if both feeds tell any: x64dbg's and UMTracer's; of x64dbg's registers, if the feed
  // keeps them.
  bool values = true;
  // Where the modules of the second lie in the first. Its addresses are told moved; a value that is
  // an address in such a region is equal to where it moves.
  relocation moved = {};
  // Compare each from its first instruction at this address, of the first, on.
  std::optional<std::uint64_t> from = {};
  // Two instructions at the same ip that write what is expected to differ, as the time, and so is what
  // is computed from it; empty: none.
  std::function<bool(const diff_step&, const diff_step&)> expected = {};
  // Addresses are expected to differ: the stack pointer, and values that are as far apart as the
  // stack pointers, or as memory that one instruction accesses in both.
  bool addresses_expected = false;
};

// Where the feeds go different ways. The spans are valid during the report.
struct divergence {
  std::span<const diff_step> before_a, before_b;  // of both the last ones at equal ips
  // Those until the feeds meet again: all, or the first if one feed has more than a window of them
  // or it took a second try.
  std::span<const diff_step> only_a, only_b;
  std::uint64_t count_a = 0, count_b = 0;  // how many there are
  // Where they meet again; nullptr if one of them ends before, or if no try finds it.
  const diff_step *meets_a = nullptr, *meets_b = nullptr;
  bool lost = false;  // no try finds it: the rest is not compared
};

// Counts of instructions.
struct diff_summary {
  std::uint64_t aligned = 0;  // at equal ips
  // Of those: that differ so.
  std::uint64_t registers = 0, memory = 0, outcome = 0, values = 0, code = 0, events = 0;
  std::uint64_t divergences = 0;
  std::uint64_t only_a = 0, only_b = 0;  // between the divergences and where the feeds meet again
  std::uint64_t retries = 0;             // windows that were given up
  bool lost = false;                     // the rest of both was not compared
  bool values_compared = false;          // both feeds tell values
  bool code_compared = false;            // both feeds have code
  bool events_compared = false;          // both are feeds of events
  // At equal ips, and not all their values were compared: too much was held (diff_options::window),
  // or one accesses more than 1,024 pieces of 8 bytes.
  std::uint64_t values_left_out = 0;
  std::uint64_t values_expected = 0;  // became different, as expected (diff_options)
  bool started = false;               // diff_options::from was reached in both, or there is none
  // As far as they were compared.
  [[nodiscard]] constexpr bool same() const noexcept {
    return divergences == 0 && registers == 0 && memory == 0 && outcome == 0 && values == 0 &&
           code == 0 && events == 0;
  }
};

namespace detail {

// What a comparison tells.
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

// Compares two feeds to their ends and adds what it counts to `sum`. Of traces with several threads
// take one thread at a time: how threads take turns is no difference between programs.
//
// Calls differs(a, b, differences), or differs(a, b, differences, values) with a span of
// value_difference, for two instructions at the same ip that differ, and diverges(divergence) where
// the ips do. Compared are lists of registers and addresses, of which a record has two and four;
// code and events where both feeds have them; and values where both tell them (diff/values.hpp):
// what a register or memory holds counts where it becomes different, not as long as it is. Throws
// what a feed throws, when all that is whole is compared; refused: options that make no sense.
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
