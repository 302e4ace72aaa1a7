// Branch prediction as in ChampSim, with one target predictor and any number of direction
// predictors. The target predictor learns from actual branches, not from predictions.
#pragma once
#include <tracecodec/feed/instruction.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "sizes.hpp"
#include "target_predictor.hpp"

namespace frontend {

// Branch predictors that are updated in program order. Therefore the number of mispredictions does
// not depend on timing, and is the same as in ChampSim.
template <class Targets, class... Directions> class branch_unit {
 public:
  branch_unit() : branch_unit(sizes{}) {}
  explicit branch_unit(const sizes& s)
      : directions_(Directions(s.table.value_or(Directions::default_size))...), targets_(s) {}

  // Predicts the next instruction, which need not be a branch, and updates the predictors. Bit k of
  // the result is set if direction predictor k and the target predictor together mispredict the
  // instruction.
  template <tracecodec::feed::instruction I> [[gnu::always_inline]] unsigned step(const I& i) {
    // Look up a target for every instruction. Even if the instruction is not a branch, a hit
    // affects which entry is replaced next.
    const target_prediction prediction = targets_.predict(i.ip());
    return i.is_branch() ? branch(i, prediction, std::index_sequence_for<Directions...>()) : 0;
  }
  // Processes an instruction that is not a branch.
  void pass(std::uint64_t ip) { targets_.predict(ip); }

 private:
  template <class I, std::size_t... K>
  unsigned branch(const I& i, const target_prediction& p, std::index_sequence<K...> /*all*/) {
    const branch_class c = i.branch();
    const bool has_direction = c == branch_class::conditional || c == branch_class::other;
    // A prediction does not change the state of a direction predictor, so only branches are
    // predicted.
    const auto mispredicted = [&](auto& direction) {
      const bool predicted_taken = direction.predict(i.ip()) || p.always_taken;
      const std::uint64_t predicted_target = predicted_taken ? p.target : 0;
      return predicted_target != i.target() || (has_direction && predicted_taken != i.taken());
    };
    const unsigned all = ((mispredicted(std::get<K>(directions_)) ? 1U << K : 0U) | ... | 0U);
    targets_.update(i.ip(), i.target(), i.taken(), c);
    (std::get<K>(directions_).update(i.ip(), i.taken()), ...);
    return all;
  }

  std::tuple<Directions...> directions_;
  Targets targets_;
};

}  // namespace frontend
