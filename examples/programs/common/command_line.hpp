// Command-line parsing: numbers, choices and options, with consistent error messages. Only the
// first error is reported, always as a usage_error. Only command_line.cpp depends on the parsing
// library (CLI11).
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

// Handle for an option of a command line, with functions that change the option's settings.
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
  // Returns how often the option occurs on the command line.
  [[nodiscard]] std::size_t count() const;

 private:
  CLI::Option* it_;
};

// Callback that receives a value; returns false if the value is invalid.
using take_value = std::function<bool(const std::string&)>;

class command_line {
 public:
  // Creates a command line without options. `text` is the description at the beginning of --help.
  // Its first sentence must state the purpose of the program.
  command_line(const std::string& text, const std::string& program);
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;
  ~command_line();

  [[nodiscard]] const std::string& program() const;
  // Begins a group of options in --help, or continues the group if it exists. Options that are
  // added afterwards belong to this group.
  void begin_group(const std::string& heading);
  [[nodiscard]] const std::string& group() const noexcept { return group_; }
  // Adds an example to --help. `arguments` is the command line without the program's name, and
  // `effect` describes what the command does.
  void add_example(const std::string& arguments, const std::string& effect);
  // Sets the description of the exit status in --help.
  void exit_status(const std::string& text) { exit_status_ = text; }
  // Adds a paragraph with a heading after the examples in --help.
  void add_note(const std::string& heading, const std::string& text);
  // Adds an entry to the list with this heading, after the examples in --help.
  void add_to_list(const std::string& heading, const std::string& name, const std::string& text);
  // Sets the text at the end of --help, which is printed unchanged.
  void footer(const std::string& text);

  // Adds a positional argument, or an option with a value that is not validated. If `to` is a
  // vector, it receives all values.
  option add_argument(const std::string& name, std::string& to, const std::string& text);
  option add_argument(const std::string& name, std::vector<std::string>& to,
                      const std::string& text);
  // Adds an option that has no value, such as "-c,--compact".
  option add_flag(const std::string& names, bool& to, const std::string& text);
  option add_flag(const std::string& names, std::function<void()> set, const std::string& text);

  // Parses a command line that begins with the program's name. Returns false after printing the
  // text for --help or --version. Throws usage_error for the first wrong argument.
  bool parse(const std::vector<std::string>& line);

  [[nodiscard]] CLI::App& app() noexcept { return *app_; }

 private:
  [[nodiscard]] std::string help() const;

  struct example {
    std::string arguments, effect;
  };
  // A paragraph or, if it has entries, a list.
  struct entry {
    std::string name, text;
  };
  struct paragraph {
    std::string heading, text = {};
    std::vector<entry> entries = {};
  };
  std::unique_ptr<CLI::App> app_;
  std::string group_ = "Options", exit_status_ = {};
  std::vector<example> examples_ = {};
  std::vector<paragraph> notes_ = {};
};

// Reports an invalid value; call it only within a take_value callback. The user sees the message
// "NAME: WHY", for example with the option --format as NAME.
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

// Returns the names of the choices in the form that --help uses, such as "none|xz|gzip".
std::string type_of(const choices& all);
// Returns the names of the choices in the form that error messages use, such as
// "one of none, xz or gzip".
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

// Parses a number that consists only of decimal digits; "010" is 10. Returns nullopt for other text
// and for numbers that exceed 64 bits.
std::optional<std::uint64_t> count_of(const std::string& s);

// Value that means "no limit".
inline constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
// Adds an option whose value is a number from `least` to `most`.
option add_count(command_line& line, const std::string& names, std::uint64_t& to,
                 const std::string& text, std::uint64_t least = 0, std::uint64_t most = everything);
option add_count(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                 const std::string& text, std::uint64_t least = 0, std::uint64_t most = everything);

// Adds an option for an upper limit, such as --limit. The value is a number or "all"; 0 selects
// nothing. The value "all" sets `to` to `everything`, or resets `to` if it is optional.
option add_most(command_line& line, const std::string& names, std::uint64_t& to,
                const std::string& text);
option add_most(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                const std::string& text);

// Parses an id in the form that trace_view prints. The prefix `letter` is optional and may have
// either case, so V16, v16 and 16 all mean 16.
std::optional<std::uint64_t> id_of(const std::string& s, char letter);

// Appends `=value` to each `option` that is not followed by a number. Without this suffix, the
// parser would use the next argument, perhaps the trace, as the option's value.
std::vector<std::string> with_numbers(std::vector<std::string> args, const std::string& option,
                                      const std::string& value);

}  // namespace examples
