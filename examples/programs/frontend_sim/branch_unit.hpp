// Branch prediction in the manner of ChampSim's: a target predictor, which learns from what branches
// do and not from what is predicted, and beside it any number of direction predictors.
#pragma once
#include <tracecodec/feed/instruction.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "sizes.hpp"
#include "target_predictor.hpp"

namespace frontend {

// Predictors are updated in program order, so the mispredictions do not depend on time: they are
// ChampSim's own, to the count.
template <class Targets, class... Directions> class branch_unit {
 public:
  branch_unit() : branch_unit(sizes{}) {}
  explicit branch_unit(const sizes& s)
      : directions_(Directions(s.table.value_or(Directions::default_size))...), targets_(s) {}

  // The next instruction, branch or not. Bit k of the result: direction predictor k and the targets
  // together mispredict it.
  template <tracecodec::feed::instruction I> [[gnu::always_inline]] unsigned step(const I& i) {
    // Every instruction asks for a target: hits of others than branches count for replacement.
    const target_prediction prediction = targets_.predict(i.ip());
    return i.is_branch() ? branch(i, prediction, std::index_sequence_for<Directions...>()) : 0;
  }
  // The same of one that is no branch.
  void pass(std::uint64_t ip) { targets_.predict(ip); }

 private:
  template <class I, std::size_t... K>
  unsigned branch(const I& i, const target_prediction& p, std::index_sequence<K...> /*all*/) {
    const branch_class c = i.branch();
    const bool has_direction = c == branch_class::conditional || c == branch_class::other;
    // What a direction predictor says later does not depend on what it was asked, so it is asked for
    // branches only.
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
