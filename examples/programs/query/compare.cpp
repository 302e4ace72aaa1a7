#include "../diff/compare.hpp"

#include <array>

#include "../common/number_set.hpp"
#include "../common/output.hpp"
#include "../common/program.hpp"
#include "question.hpp"

namespace ask {

namespace {

// Compares the trace with another one, as trace_diff --relocate auto does, or without relocation if a
// trace is a pipe or has no addresses.
bool compare_with(const options& o) {
  diff::options with{.a = o.trace,
                     .b = o.operands[0],
                     .as = o.as,
                     .relocate_if_possible = true,
                     .most = o.most.value_or(examples::everything),
                     .as_json = o.form == view::form::json};
  with.moved.add("auto");
  examples::working_on = with.a + " and " + with.b;
  examples::output out;
  return !diff::compare(with, out);
}

constexpr std::array about_comparison{
    question{"compare",
             "TRACE",
             "where this trace and the other one part and meet again, even if their addresses were "
             "randomised, as trace_diff --relocate auto prints it",
             {.most = true},
             compare_with},
};

}  // namespace

std::span<const question> comparison_questions() { return about_comparison; }

}  // namespace ask
