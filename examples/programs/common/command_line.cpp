#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "nearest.hpp"
#include "output.hpp"
#include "version.hpp"

namespace examples {

namespace {
// Syntax error in a command line: the index of the wrong argument, and the message.
struct fault {
  std::size_t at = 0;
  std::string why = {};
};

bool takes_value(const CLI::Option& o) { return o.get_items_expected_max() != 0; }

// Returns the names of all options, including their dashes.
std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) all.push_back("--" + name);
    for (const std::string& name : o->get_snames()) all.push_back("-" + name);
  }
  return all;
}
std::string unknown_option(const CLI::App& app, const std::string& typed) {
  std::string near;
  const std::vector<std::string> known = names_of(app);
  const auto dashes = std::min(typed.find_first_not_of('-'), typed.size());
  if (typed.size() > dashes + 1) near = nearest("--" + typed.substr(dashes), known);
  if (near.empty() && typed.size() == dashes + 1)
    if (std::find(known.begin(), known.end(), "-" + typed.substr(dashes)) != known.end())
      near = "-" + typed.substr(dashes);
  return "unknown option '" + typed + "'" +
         (near.empty() ? "; see --help" : "; did you mean " + near + "?");
}

// Checker that finds the first misplaced argument. It reads the command line like CLI11. However,
// CLI11 reports all misplaced arguments in reverse order, and only after it has reported invalid
// values.
class form_check {
 public:
  form_check(const CLI::App& app, const std::vector<std::string>& line) : app_(app), line_(line) {
    for (const CLI::Option* o : app.get_options())
      if (o->get_positional())
        positionals_left_ += static_cast<std::size_t>(o->get_items_expected_max());
  }
  std::optional<fault> first_fault() {
    std::string why;
    for (std::size_t i = 1; i < line_.size(); ++i) {
      const std::size_t at = i;
      const std::string& s = line_[i];
      if (positional_only_ || s.size() < 2 || s[0] != '-')
        why = positional(s);
      else if (s == "--")
        positional_only_ = true;
      else if (s[1] == '-')
        why = long_option(s, i);
      else
        why = short_options(s, i);
      if (!why.empty()) return fault{at, why};
    }
    return std::nullopt;
  }

 private:
  std::string positional(const std::string& s) {
    if (positionals_left_ == 0) return "unexpected argument '" + s + "'; see --help";
    --positionals_left_;
    return {};
  }
  std::string long_option(const std::string& s, std::size_t& i) {
    const std::size_t equals = s.find('=');
    const std::string name = s.substr(0, equals);
    const CLI::Option* const o = app_.get_option_no_throw(name);
    if (o == nullptr || o->get_positional()) return unknown_option(app_, name);
    if (!takes_value(*o))
      return equals == s.npos ? std::string()
                              : name + ": expected no value, got '" + s.substr(equals + 1) + "'";
    if (equals != s.npos && equals + 1 == s.size()) return missing(name, *o);
    return value(name, *o, equals == s.npos, i);
  }
  // Checks an argument that consists of short options, such as "-n5" (an option with a value) or
  // "-cs" (several flags).
  std::string short_options(const std::string& s, std::size_t& i) {
    const std::vector<std::string> known = names_of(app_);
    if (s.size() > 2 && std::find(known.begin(), known.end(), "-" + s) != known.end())
      return unknown_option(app_, s);
    for (std::size_t n = 1; n < s.size(); ++n) {
      const std::string name = std::string("-") + s[n];
      const CLI::Option* const o = app_.get_option_no_throw(name);
      if (o == nullptr) return unknown_option(app_, n == 1 ? s : name);
      if (takes_value(*o)) return value(name, *o, n + 1 == s.size(), i);
    }
    return {};
  }
  // Checks that option `o` has a value. Also checks that the option occurs only once, unless it
  // accepts several values. If `next` is true, the value is the next argument.
  std::string value(const std::string& name, const CLI::Option& o, bool next, std::size_t& i) {
    const bool once = o.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll;
    if (once && std::find(seen_.begin(), seen_.end(), &o) != seen_.end())
      return name + " occurs twice; it takes one value";
    seen_.push_back(&o);
    if (next && i + 1 == line_.size()) return missing(name, o);
    if (next) ++i;
    return {};
  }
  static std::string missing(const std::string& name, const CLI::Option& o) {
    const std::string type = o.get_type_name();
    return name + ": expected " + (type.empty() ? "a value" : type) + " after it; see --help";
  }

  const CLI::App& app_;
  const std::vector<std::string>& line_;
  std::vector<const CLI::Option*> seen_ = {};
  std::size_t positionals_left_ = 0;  // number of further positional arguments allowed
  bool positional_only_ = false;
};
}  // namespace

option& option::required() {
  it_->required();
  return *this;
}
option& option::type_name(const std::string& name) {
  it_->type_name(name);
  return *this;
}
option& option::excludes(const std::string& other) {
  it_->excludes(other);
  return *this;
}
option& option::needs(const std::string& other) {
  it_->needs(other);
  return *this;
}
std::size_t option::count() const { return it_->count(); }

namespace {
// Heading of the option group with --help and --version, the last group in --help.
constexpr const char* last_group = "Other";
// Column at which the descriptions in --help begin, and the maximum line length.
constexpr std::size_t text_column = 22, line_length = 80;

// Appends `text` to `to` and wraps it. The first line continues the last line of `to`; the other
// lines begin in column `indent`.
void add_wrapped(std::string& to, const std::string& text, std::size_t indent) {
  std::size_t column = to.size() - (to.rfind('\n') + 1);
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (!first && column + 1 + length > line_length) {
      (to += '\n').append(indent, ' ');
      column = indent;
    } else if (!first) {
      to += ' ';
      ++column;
    }
    to.append(text, at, length);
    column += length;
    first = false;
    at = end + 1;
  }
  to += '\n';
}

// Appends a list entry: a name, and a description that begins in column text_column.
void add_entry(std::string& to, const std::string& name, const std::string& text) {
  to += "  " + name;
  const std::size_t used = 2 + name.size();
  if (used + 2 > text_column)
    (to += '\n').append(text_column, ' ');
  else
    to.append(text_column - used, ' ');
  add_wrapped(to, text, text_column);
}

// Returns the names of the options in `all`, such as "--reads, --writes".
std::string names_of(const std::set<CLI::Option*>& all) {
  std::vector<std::string> names;
  for (const CLI::Option* o : all) names.push_back(o->get_name());
  std::sort(names.begin(), names.end());
  std::string s;
  for (const std::string& name : names) (s += s.empty() ? "" : ", ") += name;
  return s;
}

void add_option_entry(std::string& to, const CLI::Option& o) {
  std::string name = o.get_positional() ? o.get_name() : o.get_name(false, true);
  for (std::size_t at = 0; !o.get_positional() && (at = name.find(',', at)) != name.npos;)
    name.insert(++at, " ");
  const std::string type = o.get_type_name();
  if (!type.empty() && takes_value(o)) name += ' ' + type;
  std::string text = o.get_description();
  if (o.get_required() && !o.get_positional()) text += " (required)";
  if (!o.get_excludes().empty()) text += " (not with " + names_of(o.get_excludes()) + ')';
  if (!o.get_needs().empty()) text += " (needs " + names_of(o.get_needs()) + ')';
  add_entry(to, name, text);
}
}  // namespace

command_line::command_line(const std::string& text, const std::string& program)
    : app_(std::make_unique<CLI::App>(text, program)) {
  app_->get_help_ptr()->group(last_group);
}
command_line::~command_line() = default;

const std::string& command_line::program() const { return app_->get_name(); }
void command_line::begin_group(const std::string& heading) { group_ = heading; }
void command_line::add_example(const std::string& arguments, const std::string& effect) {
  examples_.push_back({arguments, effect});
}
void command_line::add_note(const std::string& heading, const std::string& text) {
  notes_.push_back({.heading = heading, .text = text});
}
void command_line::add_to_list(const std::string& heading, const std::string& name,
                               const std::string& text) {
  if (notes_.empty() || notes_.back().heading != heading) notes_.push_back({.heading = heading});
  notes_.back().entries.push_back({name, text});
}
void command_line::footer(const std::string& text) { app_->footer(text); }

std::string command_line::help() const {
  std::string s;
  add_wrapped(s, app_->get_description(), 0);
  std::string usage = "\nUsage: " + program() + " [OPTION...]", arguments;
  std::vector<std::string> groups;
  for (const CLI::Option* o : app_->get_options()) {
    if (o->get_positional()) {
      const bool several = o->get_items_expected_max() > 1;
      const std::string name = o->get_name() + (several ? "..." : "");
      usage += o->get_required() ? ' ' + name : " [" + name + ']';
      add_option_entry(arguments, *o);
    } else if (o->get_group() != last_group &&
               std::find(groups.begin(), groups.end(), o->get_group()) == groups.end()) {
      groups.push_back(o->get_group());
    }
  }
  s += usage + "\n\nArguments:\n" + arguments;
  groups.emplace_back(last_group);
  for (const std::string& group : groups) {
    s += '\n' + group + ":\n";
    for (const CLI::Option* o : app_->get_options())
      if (!o->get_positional() && o->get_group() == group) add_option_entry(s, *o);
  }
  if (!examples_.empty()) s += "\nExamples:\n";
  for (const example& one : examples_) {
    s += "  " + program() + ' ' + one.arguments + "\n      ";
    add_wrapped(s, one.effect, 6);
  }
  if (!exit_status_.empty()) add_wrapped(s += "\nExit status:\n  ", exit_status_, 2);
  for (const paragraph& one : notes_) {
    s += '\n' + one.heading + ":\n";
    if (!one.text.empty()) add_wrapped(s += "  ", one.text, 2);
    for (const entry& of_list : one.entries) add_entry(s, of_list.name, of_list.text);
  }
  if (!app_->get_footer().empty()) s += '\n' + app_->get_footer() + '\n';
  return s;
}

option command_line::add_argument(const std::string& name, std::string& to,
                                  const std::string& text) {
  return option(app_->add_option(name, to, text)->group(group_));
}
option command_line::add_argument(const std::string& name, std::vector<std::string>& to,
                                  const std::string& text) {
  return option(app_->add_option(name, to, text)->group(group_));
}
option command_line::add_flag(const std::string& names, bool& to, const std::string& text) {
  return option(app_->add_flag(names, to, text)->group(group_));
}
option command_line::add_flag(const std::string& names, std::function<void()> set,
                              const std::string& text) {
  return option(app_->add_flag_callback(names, std::move(set), text)->group(group_));
}

bool command_line::parse(const std::vector<std::string>& line) {
  // "/x" can also be a path on Windows, so do not parse "/x" as an option.
  app_->allow_windows_style_options(false);
  app_->set_version_flag("--version", version_text(app_->get_name()),
                         "Print the version and the optional parts of this build, and exit")
      ->group(last_group);
  app_->get_help_ptr()->description("Print this help, and exit");
  for (const CLI::Option* o : app_->get_options())
    for (const std::string& name : o->get_lnames()) own_options.insert("--" + name);
  const auto fault = form_check(*app_, line).first_fault();
  const auto end = line.begin() + static_cast<std::ptrdiff_t>(fault ? fault->at : line.size());
  try {
    // CLI11 expects the arguments in reverse order.
    app_->parse(std::vector<std::string>(std::reverse_iterator(end), line.rend() - 1));
  } catch (const CLI::CallForHelp&) {
    print(help());
    return false;
  } catch (const CLI::CallForVersion& e) {
    print(e.what());
    return false;
  } catch (const CLI::ValidationError& e) {
    // Report the invalid value first, because it precedes any misplaced argument.
    throw usage_error(e.what() + std::string("; see --help"));
  } catch (const CLI::ParseError& e) {
    if (!fault) throw usage_error(e.what() + std::string("; see --help"));
  }
  if (fault) throw usage_error(fault->why);
  for (const CLI::Option* o : app_->get_options())
    if (working_on.empty() && o->get_positional() && o->count() != 0) working_on = o->results()[0];
  return true;
}

void refuse_value(const std::string& name, const std::string& why) {
  throw CLI::ValidationError(name, why);
}

namespace {

// Calls set(value). If set() returns false, throws an error that states the expected value.
void take(const take_value& set, const std::string& name, const std::string& what,
          const std::string& value) {
  if (!set(value)) refuse_value(name, "expected " + what + ", got '" + value + "'");
}
std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

take_value by_name(const choices& all, take_choice set) {
  return [all, set = std::move(set)](const std::string& s) {
    const auto chosen = choose(all, s);
    if (chosen) set(*chosen);
    return chosen.has_value();
  };
}

option add_number(command_line& line, const std::string& names,
                  std::function<void(std::uint64_t)> set, const std::string& text,
                  std::uint64_t least, std::uint64_t most) {
  std::string what = "a number";
  if (least != 0) what += " from " + std::to_string(least);
  if (most != everything) what += " to " + std::to_string(most);
  return add_value(
      line, names, "N",
      [set = std::move(set), least, most](const std::string& s) {
        const auto n = count_of(s);
        if (!n || *n < least || *n > most) return false;
        set(*n);
        return true;
      },
      text, what);
}

// Adds an option whose value is a number or "all". For "all", parsing calls set(nullopt).
option add_most(command_line& line, const std::string& names,
                std::function<void(std::optional<std::uint64_t>)> set, const std::string& text) {
  return add_value(
      line, names, "N|all",
      [set = std::move(set)](const std::string& s) {
        const auto n = count_of(s);
        if (!n && s != "all") return false;
        set(n);
        return true;
      },
      text, "a number or all");
}

}  // namespace

option add_value(command_line& line, const std::string& names, const std::string& type,
                 take_value set, const std::string& text, const std::string& what) {
  return option(line.app()
                    .add_option_function<std::string>(
                        names,
                        [set = std::move(set), name = last_name(names),
                         what](const std::string& s) { take(set, name, what, s); },
                        text)
                    ->type_name(type)
                    ->group(line.group())
                    ->trigger_on_parse());
}

option add_values(command_line& line, const std::string& names, const std::string& type,
                  take_value set, const std::string& text, const std::string& what) {
  return option(line.app()
                    .add_option_function<std::vector<std::string>>(
                        names,
                        [set = std::move(set), name = last_name(names),
                         what](const std::vector<std::string>& all) {
                          for (const std::string& s : all) take(set, name, what, s);
                        },
                        text)
                    ->type_name(type)
                    ->group(line.group())
                    ->expected(1)
                    ->take_all()
                    ->allow_extra_args(false)
                    ->trigger_on_parse());
}

std::string type_of(const choices& all) {
  std::string s;
  for (const choice& c : all) (s += s.empty() ? "" : "|") += c.name;
  return s;
}
std::string one_of(const choices& all) {
  std::string s;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0) s += i + 1 == all.size() ? " or " : ", ";
    s += all[i].name;
  }
  return all.size() > 1 ? "one of " + s : s;
}
std::optional<std::string> choose(const choices& all, std::string s) {
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const choice& c : all) {
    if (c.name == s) return c.name;
    for (const std::string& other : c.also)
      if (other == s) return c.name;
  }
  return std::nullopt;
}

option add_choice(command_line& line, const std::string& names, const choices& all, take_choice set,
                  const std::string& text) {
  return add_value(line, names, type_of(all), by_name(all, std::move(set)), text, one_of(all));
}
option add_choices(command_line& line, const std::string& names, const choices& all,
                   take_choice set, const std::string& text) {
  return add_values(line, names, type_of(all), by_name(all, std::move(set)), text, one_of(all));
}

std::optional<std::uint64_t> count_of(const std::string& s) {
  std::uint64_t n = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), n);
  if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
  return n;
}

option add_count(command_line& line, const std::string& names, std::uint64_t& to,
                 const std::string& text, std::uint64_t least, std::uint64_t most) {
  return add_number(
      line, names, [&to](std::uint64_t n) { to = n; }, text, least, most);
}
option add_count(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                 const std::string& text, std::uint64_t least, std::uint64_t most) {
  return add_number(
      line, names, [&to](std::uint64_t n) { to = n; }, text, least, most);
}

option add_most(command_line& line, const std::string& names, std::uint64_t& to,
                const std::string& text) {
  return add_most(
      line, names, [&to](std::optional<std::uint64_t> n) { to = n.value_or(everything); }, text);
}
option add_most(command_line& line, const std::string& names, std::optional<std::uint64_t>& to,
                const std::string& text) {
  return add_most(
      line, names, [&to](std::optional<std::uint64_t> n) { to = n; }, text);
}

std::optional<std::uint64_t> id_of(const std::string& s, char letter) {
  const bool lettered = !s.empty() && (s[0] == letter || s[0] == letter - 'A' + 'a');
  return count_of(lettered ? s.substr(1) : s);
}

std::vector<std::string> with_numbers(std::vector<std::string> args, const std::string& option,
                                      const std::string& value) {
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i)
    if (args[i] == option && (i + 1 == args.size() || !count_of(args[i + 1])))
      args[i] += '=' + value;
  return args;
}

}  // namespace examples
