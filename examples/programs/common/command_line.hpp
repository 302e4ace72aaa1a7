// The command line: numbers, words of a list and options, with one style of what is said of a wrong
// one, that of the argument that comes first. Everything wrong with it is a usage_error. Only
// command_line.cpp knows the library that parses it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace examples {

// What may still be said of an option that was added.
class option {
 public:
  explicit option(CLI::Option* it) noexcept : it_(it) {}
  option& required();
  // How its value is called; empty: not at all.
  option& type_name(const std::string& name);
  // It cannot be given together with the option of this name, which is added already.
  option& excludes(const std::string& other);
  // It makes no sense without the option of this name, which is added already.
  option& needs(const std::string& other);
  // How often the command line has it.
  [[nodiscard]] std::size_t count() const;

 private:
  CLI::Option* it_;
};

// Takes a value; false: it does not understand it.
using take_value = std::function<bool(const std::string&)>;

class command_line {
 public:
  // `text` is what --help says first.
  command_line(const std::string& text, const std::string& program);
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;
  ~command_line();

  [[nodiscard]] const std::string& program() const;
  // What --help says last.
  void footer(const std::string& text);

  // An argument without an option's name, or an option with one value that is not looked at; of a list
  // all that stand there.
  option add_argument(const std::string& name, std::string& to, const std::string& text);
  option add_argument(const std::string& name, std::vector<std::string>& to,
                      const std::string& text);
  // An option without a value, "-c,--compact".
  option add_flag(const std::string& names, bool& to, const std::string& text);
  option add_flag(const std::string& names, std::function<void()> set, const std::string& text);

  // Parses a command line, the program's name first. Returns false if --help or --version was asked for
  // and printed. Throws usage_error, of the first argument that is wrong.
  bool parse(const std::vector<std::string>& line);

  [[nodiscard]] CLI::App& app() noexcept { return *app_; }

 private:
  std::unique_ptr<CLI::App> app_;
};

// Throws what says of an option that its value is wrong, for what takes values: "--format: `why`".
[[noreturn]] void refuse_value(const std::string& name, const std::string& why);

// Adds an option with a value, "-n,--limit" or "--skip". set(value) is called for each where it
// stands; if it does not understand it `what`, its type with the article if nothing is said, was
// expected: "--limit: expected WHAT, got 'x'".
option add_value(command_line& line, const std::string& names, const std::string& type,
                 take_value set, const std::string& text, const std::string& what);
// The same of one that may be given several times: set() is called for each.
option add_values(command_line& line, const std::string& names, const std::string& type,
                  take_value set, const std::string& text, const std::string& what);

// A word of a list, and others that mean the same.
struct choice {
  std::string name;
  std::vector<std::string> also = {};
};
using choices = std::vector<choice>;
using take_choice = std::function<void(const std::string&)>;

// The names of a list: "none|xz|gzip".
std::string type_of(const choices& all);
// "one of none, xz or gzip".
std::string one_of(const choices& all);
// The name that `s` means, in any case of letters.
std::optional<std::string> choose(const choices& all, std::string s);

// An option with a word of a list: set(its name).
option add_choice(command_line& line, const std::string& names, const choices& all, take_choice set,
                  const std::string& text);
// The same of one that may be given several times: set() is called for each.
option add_choices(command_line& line, const std::string& names, const choices& all,
                   take_choice set, const std::string& text);

// Decimal digits and nothing else: 010 is 10, and what does not fit is no number.
std::optional<std::uint64_t> count_of(const std::string& s);

// A number from `least` to `most`.
inline constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
option add_count(command_line& line, const std::string& names, std::uint64_t& to,
                 const std::string& text, std::uint64_t least = 0, std::uint64_t most = everything);
option add_count(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                 const std::string& text, std::uint64_t least = 0, std::uint64_t most = everything);

// How many of something, as --limit says it in every program: 0 is none, "all" is `everything`, or
// nothing in an optional `to`.
option add_most(command_line& line, const std::string& names, std::uint64_t& to,
                const std::string& text);
option add_most(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                const std::string& text);

// A number that a letter may precede, as trace_view writes it: V16 and v16 are 16.
std::optional<std::uint64_t> id_of(const std::string& s, char letter);

// The command line with each `option` that no number follows made `option=value`: what follows may
// be the trace.
std::vector<std::string> with_numbers(std::vector<std::string> args, const std::string& option,
                                      const std::string& value);

}  // namespace examples
