// Command-line parsing: numbers, choices and options, with consistent error messages. Only the
// first wrong argument is reported, always as a usage_error. Only command_line.cpp depends on the
// parsing library (CLI11).
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

// Handle of an added option. Its member functions change further settings of the option.
class option {
 public:
  explicit option(CLI::Option* it) noexcept : it_(it) {}
  option& required();
  // Sets the placeholder of the value in --help. If `name` is empty, --help shows no placeholder.
  option& type_name(const std::string& name);
  // Forbids a combination with option `other`, which must already have been added.
  option& excludes(const std::string& other);
  // Requires that option `other` is also present. `other` must already have been added.
  option& needs(const std::string& other);
  // Returns the number of times that the option occurs on the command line.
  [[nodiscard]] std::size_t count() const;

 private:
  CLI::Option* it_;
};

// Callback that receives a value; returns false if the value is invalid.
using take_value = std::function<bool(const std::string&)>;

class command_line {
 public:
  // Creates a command line without options. `text` is the description at the beginning of --help.
  command_line(const std::string& text, const std::string& program);
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;
  ~command_line();

  [[nodiscard]] const std::string& program() const;
  // Sets the text at the end of --help.
  void footer(const std::string& text);

  // Adds a positional argument, or an option with a value that is not validated. If `to` is a
  // vector, it receives all values.
  option add_argument(const std::string& name, std::string& to, const std::string& text);
  option add_argument(const std::string& name, std::vector<std::string>& to,
                      const std::string& text);
  // Adds an option without a value, such as "-c,--compact".
  option add_flag(const std::string& names, bool& to, const std::string& text);
  option add_flag(const std::string& names, std::function<void()> set, const std::string& text);

  // Parses a command line, which begins with the program's name. Returns false after printing
  // the text for --help or --version. Throws usage_error for the first wrong argument.
  bool parse(const std::vector<std::string>& line);

  [[nodiscard]] CLI::App& app() noexcept { return *app_; }

 private:
  std::unique_ptr<CLI::App> app_;
};

// Throws usage_error for an invalid value; call it within a take_value callback. The message is
// "NAME: WHY", where NAME is, for example, --format.
[[noreturn]] void refuse_value(const std::string& name, const std::string& why);

// Adds an option with a value, such as "-n,--limit" or "--skip". Parsing calls set(value). If set()
// returns false, the error is "--limit: expected WHAT, got 'x'".
option add_value(command_line& line, const std::string& names, const std::string& type,
                 take_value set, const std::string& text, const std::string& what);
// Adds an option that may occur several times. Parsing calls set() for each occurrence.
option add_values(command_line& line, const std::string& names, const std::string& type,
                  take_value set, const std::string& text, const std::string& what);

// Word that an option accepts, and synonyms of the word.
struct choice {
  std::string name;
  std::vector<std::string> also = {};
};
using choices = std::vector<choice>;
using take_choice = std::function<void(const std::string&)>;

// Returns the choices' names as --help shows them, such as "none|xz|gzip".
std::string type_of(const choices& all);
// Returns the choices' names as error messages show them, such as "one of none, xz or gzip".
std::string one_of(const choices& all);
// Returns the name of the choice whose name or synonym is `s`, ignoring case. Returns nullopt if no
// choice matches.
std::optional<std::string> choose(const choices& all, std::string s);

// Adds an option that accepts one word of `all`. Parsing calls set() with the name of the choice.
option add_choice(command_line& line, const std::string& names, const choices& all, take_choice set,
                  const std::string& text);
// Adds an option that accepts one word of `all` and may occur several times. Parsing calls set()
// for each occurrence.
option add_choices(command_line& line, const std::string& names, const choices& all,
                   take_choice set, const std::string& text);

// Parses a number that consists only of decimal digits. For example, "010" is 10. Returns nullopt
// for other text and for numbers that exceed 64 bits.
std::optional<std::uint64_t> count_of(const std::string& s);

// Value that stands for "no limit". add_count() adds an option that takes a number from `least` to
// `most`.
inline constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
option add_count(command_line& line, const std::string& names, std::uint64_t& to,
                 const std::string& text, std::uint64_t least = 0, std::uint64_t most = everything);
option add_count(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                 const std::string& text, std::uint64_t least = 0, std::uint64_t most = everything);

// Adds an option for an upper limit, such as --limit, with a number or "all" as its value. The
// value 0 selects nothing. The value "all" sets `to` to `everything`, or resets `to` if it is
// optional.
option add_most(command_line& line, const std::string& names, std::uint64_t& to,
                const std::string& text);
option add_most(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                const std::string& text);

// Parses an id as trace_view prints it, with an optional prefix `letter` in either case: V16, v16
// and 16 are all 16.
std::optional<std::uint64_t> id_of(const std::string& s, char letter);

// Rewrites each `option` that no number follows to `option=value`. Otherwise the parser would take
// the next argument, perhaps the trace, for the option's value.
std::vector<std::string> with_numbers(std::vector<std::string> args, const std::string& option,
                                      const std::string& value);

}  // namespace examples
