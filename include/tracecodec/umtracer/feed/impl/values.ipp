// The functions of umtracer/feed/values.hpp.
#pragma once
#include "../values.hpp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC register_place place_of(std::string_view name) noexcept {
  std::array<char, 16> capitals{};
  if (name.size() > capitals.size()) return {};
  for (std::size_t n = 0; n < name.size(); ++n)
    capitals[n] = name[n] >= 'a' && name[n] <= 'z' ? static_cast<char>(name[n] - 32) : name[n];
  const bool high = name.size() == 2 && capitals[1] == 'H';  // AH to DH
  return {register_of({capitals.data(), name.size()}), high ? 1U : 0U};
}

}  // namespace detail

TRACECODEC_FUNC register_places::register_places(const context_map& map) {
  for (std::uint16_t id = 0; id < map.size(); ++id) all_[id] = detail::place_of(map.name(id));
}
TRACECODEC_FUNC register_places register_places_of(const instruction_view& i) {
  return register_places(i.trace().registers());
}

TRACECODEC_FUNC std::string_view assembly(const instruction_view& i) {
  return i.trace().instructions().text(i.row());
}

TRACECODEC_FUNC bool is_called(const instruction_view& i, std::span<const std::string> names) {
  constexpr std::array<std::string_view, 13> prefixes{
      "lock",    "rep",      "repe",     "repz",       "repne",          "repnz", "bnd",
      "notrack", "xacquire", "xrelease", "hint-taken", "hint-not-taken", "data16"};
  const auto same = [](std::string_view word, std::string_view lower) {
    return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
  };
  for (std::string_view rest = assembly(i);;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word.empty()) return false;
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return same(word, name); }))
      return true;
    if (std::none_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return same(word, p); }))
      return false;
    rest.remove_prefix(word.size());
  }
}

}  // namespace tracecodec::umtracer
