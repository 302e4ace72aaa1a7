// ChampSim's basic_btb: a branch target buffer that stores the kind of each branch. The return
// stack predicts returns, and a separate table predicts indirect branches.
#pragma once
#include <tracecodec/feed/instruction.hpp>

#include <cstdint>

#include "indirect_table.hpp"
#include "lru_table.hpp"
#include "return_stack.hpp"
#include "sizes.hpp"

namespace frontend {

using tracecodec::feed::branch_class;

struct target_prediction {
  // Target of the branch, or 0 if the target is unknown.
  std::uint64_t target = 0;
  // True if the branch is taken regardless of the predicted direction.
  bool always_taken = false;
};

// Target policy of front_end. target_prediction predict(ip) is called for every instruction, even
// if it is not a branch. void update(ip, target, taken, class) is called for every branch. `target`
// is 0 if the branch is not taken.
template <class ReturnStack = return_stack, class IndirectTable = indirect_table>
class target_predictor {
 public:
  explicit target_predictor(const sizes& s = {})
      : buffer_(s.btb_sets, s.btb_ways), returns_(s.ras), indirect_(s.indirect) {}

  // Predicts the target. The function is not const, because a hit makes the entry the most recently
  // used one.
  target_prediction predict(std::uint64_t ip) {
    const entry* const e = buffer_.find(ip >> 2);
    if (e == nullptr) return {};
    switch (e->what) {
      case kind::return_:
        return {returns_.predict(), true};
      case kind::indirect:
        return {indirect_.predict(ip), true};
      case kind::conditional:
        return {e->target, false};
      case kind::always_taken:
        break;
    }
    return {e->target, true};
  }

  void update(std::uint64_t ip, std::uint64_t target, bool taken, branch_class c) {
    const bool indirect = c == branch_class::indirect || c == branch_class::indirect_call;
    if (c == branch_class::direct_call || c == branch_class::indirect_call) returns_.call(ip);
    if (indirect) indirect_.jumped(ip, target);
    if (c == branch_class::conditional) indirect_.conditional(taken);
    if (c == branch_class::return_) returns_.return_to(target);

    const entry now{target, indirect                         ? kind::indirect
                            : c == branch_class::return_     ? kind::return_
                            : c == branch_class::conditional ? kind::conditional
                                                             : kind::always_taken};
    entry* const known = buffer_.find(ip >> 2);
    // The lookup in predict() has already refreshed the entry. If the branch is not taken, the
    // entry remains unchanged.
    if (target == 0) return;
    if (known != nullptr)
      *known = now;
    else
      buffer_.insert(ip >> 2, now);
  }

 private:
  enum class kind : std::uint8_t { always_taken, conditional, indirect, return_ };
  struct entry {
    std::uint64_t target = 0;
    kind what = kind::always_taken;
  };
  lru_table<entry> buffer_;
  ReturnStack returns_;
  IndirectTable indirect_;
};

}  // namespace frontend
