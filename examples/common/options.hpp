// How the programs declare options: one way for numbers, for words of a list and for all else, with
// one style of what is said of a wrong one. What is said first is of the argument that comes first.
#pragma once
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace examples {

// "--format: expected WHAT, got 'x'".
[[noreturn]] inline void expected(const std::string& option, const std::string& what,
                                  const std::string& got) {
  throw CLI::ValidationError(option, "expected " + what + ", got '" + got + "'");
}

// Adds an option with a value, "-n,--limit" or "--skip". set(value) is called for each where it
// stands; false: it does not understand it, and `what`, its type with the article if nothing is
// said, was expected.
template <class Set> CLI::Option* add_value(CLI::App& app, const std::string& names,
                                            const std::string& type, Set set,
                                            const std::string& text, const std::string& what) {
  const std::string name = names.substr(names.rfind(',') + 1);
  return app
      .add_option_function<std::string>(
          names,
          [set, name, what](const std::string& s) {
            if (!set(s)) expected(name, what, s);
          },
          text)
      ->type_name(type)
      ->trigger_on_parse();
}

// The same of one that may be given several times: set() is called for each.
template <class Set> CLI::Option* add_values(CLI::App& app, const std::string& names,
                                             const std::string& type, Set set,
                                             const std::string& text, const std::string& what) {
  const std::string name = names.substr(names.rfind(',') + 1);
  return app
      .add_option_function<std::vector<std::string>>(
          names,
          [set, name, what](const std::vector<std::string>& all) {
            for (const std::string& s : all)
              if (!set(s)) expected(name, what, s);
          },
          text)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->trigger_on_parse();
}

// A word of a list, and others that mean the same.
struct choice {
  std::string name;
  std::vector<std::string> also = {};
};
using choices = std::vector<choice>;

// The names of a list: "none|xz|gzip".
inline std::string type_of(const choices& all) {
  std::string s;
  for (const choice& c : all) (s += s.empty() ? "" : "|") += c.name;
  return s;
}
// "one of none, xz or gzip".
inline std::string one_of(const choices& all) {
  std::string s;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0) s += i + 1 == all.size() ? " or " : ", ";
    s += all[i].name;
  }
  return all.size() > 1 ? "one of " + s : s;
}
// The name that `s` means, in any case of letters.
inline std::optional<std::string> choose(const choices& all, std::string s) {
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const choice& c : all) {
    if (c.name == s) return c.name;
    for (const std::string& other : c.also)
      if (other == s) return c.name;
  }
  return std::nullopt;
}

// An option with a word of a list: set(its name).
template <class Set> CLI::Option* add_choice(CLI::App& app, const std::string& names,
                                             const choices& all, Set set, const std::string& text) {
  const auto take = [all, set](const std::string& s) {
    const auto chosen = choose(all, s);
    if (chosen) set(*chosen);
    return chosen.has_value();
  };
  return add_value(app, names, type_of(all), take, text, one_of(all));
}

// The same of one that may be given several times: set() is called for each.
template <class Set> CLI::Option* add_choices(CLI::App& app, const std::string& names,
                                              const choices& all, Set set,
                                              const std::string& text) {
  const auto take = [all, set](const std::string& s) {
    const auto chosen = choose(all, s);
    if (chosen) set(*chosen);
    return chosen.has_value();
  };
  return add_values(app, names, type_of(all), take, text, one_of(all));
}

// Decimal digits and nothing else: CLI11 would take 010 for 8, and what does not fit for the
// largest number that does.
inline std::optional<std::uint64_t> count_of(const std::string& s) {
  std::uint64_t n = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), n);
  if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
  return n;
}

// A number from `least` to `most` for `to`, a std::uint64_t or an optional one.
template <class Number>
CLI::Option* add_count(CLI::App& app, const std::string& names, Number& to, const std::string& text,
                       std::uint64_t least = 0,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const auto set = [&to, least, most](const std::string& s) {
    const auto n = count_of(s);
    if (!n || *n < least || *n > most) return false;
    to = *n;
    return true;
  };
  std::string what = "a number";
  if (least != 0) what += " from " + std::to_string(least);
  if (most != std::numeric_limits<std::uint64_t>::max()) what += " to " + std::to_string(most);
  return add_value(app, names, "N", set, text, what);
}

// How many of something, as --limit says it in every program: 0 is none, "all" is `everything`, or
// nothing in an optional `to`.
inline constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
template <class Number> CLI::Option* add_most(CLI::App& app, const std::string& names, Number& to,
                                              const std::string& text) {
  const auto set = [&to](const std::string& s) {
    const auto n = s == "all" ? std::optional(everything) : count_of(s);
    if (!n) return false;
    to = *n;
    if constexpr (!std::is_integral_v<Number>)
      if (s == "all") to.reset();
    return true;
  };
  return add_value(app, names, "N|all", set, text, "a number or all");
}

// A number that a letter may precede, as trace_view writes it: V16 and v16 are 16.
inline std::optional<std::uint64_t> id_of(const std::string& s, char letter) {
  const bool lettered = !s.empty() && (s[0] == letter || s[0] == letter - 'A' + 'a');
  return count_of(lettered ? s.substr(1) : s);
}

}  // namespace examples
