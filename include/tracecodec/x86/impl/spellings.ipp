// Implementation of x86/spellings.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "../lower_case.hpp"
#include "../spellings.hpp"

namespace tracecodec::x86 {

namespace detail {
using same_names = std::array<std::string_view, 3>;  // "" is an unused entry

// Groups of spellings that Intel's manual lists for the same condition.
inline constexpr std::array<same_names, 12> same_conditions{{{"b", "c", "nae"},
                                                             {"nb", "nc", "ae"},
                                                             {"z", "e", ""},
                                                             {"nz", "ne", ""},
                                                             {"be", "na", ""},
                                                             {"nbe", "a", ""},
                                                             {"p", "pe", ""},
                                                             {"np", "po", ""},
                                                             {"l", "nge", ""},
                                                             {"nl", "ge", ""},
                                                             {"le", "ng", ""},
                                                             {"nle", "g", ""}}};
// Stems of mnemonics that end in a condition. Only the conditions z and nz can follow `loop`.
inline constexpr std::array<std::string_view, 4> conditional_stems{"j", "set", "cmov", "loop"};

inline constexpr std::array<same_names, 10> same_mnemonics{{{"shl", "sal", ""},
                                                            {"ret", "retn", ""},
                                                            {"fwait", "wait", ""},
                                                            {"xlat", "xlatb", ""},
                                                            {"mov", "movabs", ""},
                                                            {"int1", "icebp", ""},
                                                            {"ud2", "ud2a", ""},
                                                            {"pusha", "pushaw", ""},
                                                            {"repe", "repz", ""},
                                                            {"repne", "repnz", ""}}};

template <std::size_t N>
const same_names* names_with(const std::array<same_names, N>& all, std::string_view name) {
  for (const same_names& names : all)
    if (!name.empty() && std::find(names.begin(), names.end(), name) != names.end()) return &names;
  return nullptr;
}
}  // namespace detail

TRACECODEC_FUNC std::vector<std::string> spellings_of(std::string_view name) {
  std::vector<std::string> all{lower_case(name)};
  const std::string first = all.front();
  const auto add = [&](std::string_view stem, const detail::same_names* names) {
    for (std::size_t n = 0; names != nullptr && n != names->size(); ++n) {
      std::string one(stem);
      one += (*names)[n];
      if (!(*names)[n].empty() && one != first) all.push_back(one);
    }
  };
  add("", detail::names_with(detail::same_mnemonics, first));
  for (const std::string_view stem : detail::conditional_stems)
    if (first.compare(0, stem.size(), stem) == 0)
      add(stem,
          detail::names_with(detail::same_conditions, std::string_view(first).substr(stem.size())));
  return all;
}

}  // namespace tracecodec::x86
