// Implementation of umtracer/layout/enumeration.hpp.
#pragma once
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "../../../io/error.hpp"
#include "../../../io/input/byte_order_mark.hpp"
#include "../../../io/window.hpp"
#include "../enumeration.hpp"

namespace tracecodec::umtracer {

namespace detail {
class enumeration_parser {
 public:
  enumeration_parser(std::string_view text, std::string_view prefix, const std::string& file)
      : text_(text), prefix_(prefix), file_(file) {
    at_ = text.size() - io::without_byte_order_mark(text).size();
    next();
  }

  // Returns the enumerators that have the prefix. The result may be empty.
  std::vector<name_table::entry> run() {
    const bool bare = !skip_to_list();
    do list(bare);
    while (!bare && skip_to_list());
    return std::move(entries_);
  }

 private:
  // Moves past the { of the next enum. If there is no such enum, moves back to the start of the
  // text and returns false.
  bool skip_to_list() {
    bool in_enum = false;
    for (; !token_.empty(); next()) {
      if (token_ == "enum")
        in_enum = true;
      else if (token_ == "{" && in_enum) {
        next();
        return true;
      } else if (!is_name(token_) && token_ != ":")
        in_enum = false;
    }
    at_ = 0;
    next();
    return false;
  }

  // Reads enumerators up to the }, or up to the end of the text if the text is a bare list.
  void list(bool bare) {
    std::uint64_t value = 0;
    while (token_ != "}" && !(bare && token_.empty())) {
      if (token_.empty()) fail("the text ends inside the enumeration");
      if (!is_name(token_)) fail("expected a name, found " + shown(token_));
      const std::string_view name = token_;
      const std::size_t start = start_;
      next();
      if (token_ == "=") {
        next();
        value = number();
      }
      if (token_ == ",")
        next();
      else if (token_ != "}" && !(bare && token_.empty()))
        fail("expected a comma, found " + (token_.empty() ? "the end" : shown(token_)));
      add(name, value, start);
      ++value;
    }
  }

  // Returns the value of the current token. The token must be a number or an earlier enumerator.
  std::uint64_t number() {
    std::uint64_t n = 0;
    if (is_name(token_)) {
      const auto at = values_.find(token_);
      if (at == values_.end()) fail(shown(token_) + " is not an earlier enumerator");
      n = at->second;
    } else {
      std::string_view digits = token_;
      while (!digits.empty() && std::string_view("uUlL").find(digits.back()) < 4)
        digits.remove_suffix(1);
      const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
      const bool octal = !hex && digits.size() > 1 && digits.front() == '0';
      if (hex) digits.remove_prefix(2);
      const char* const end = digits.data() + digits.size();
      const auto [used, error] = std::from_chars(digits.data(), end, n, hex ? 16 : octal ? 8 : 10);
      if (error != std::errc() || used != end) fail(shown(token_) + " is not a number");
    }
    next();
    return n;
  }

  void add(std::string_view name, std::uint64_t value, std::size_t start) {
    if (value > std::numeric_limits<std::uint32_t>::max())
      fail(shown(name) + " is " + std::to_string(value) + ", which has more than 32 bits", start);
    if (!values_.emplace(name, value).second) fail(shown(name) + " occurs twice", start);
    if (!name.starts_with(prefix_) || name.size() == prefix_.size()) return;
    name.remove_prefix(prefix_.size());
    if (name == "LAST") return;  // LAST stands for the number of enumerators
    entries_.push_back({static_cast<std::uint32_t>(value), std::string(name)});
  }

  // Reads the next token: a word (name or number) or a single other character. The token is empty
  // at the end of the text. Skips comments and preprocessor directives.
  void next() {
    while (skip_space() || skip_comment() || skip_directive()) {
    }
    start_ = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == start_ && at_ < text_.size()) ++at_;
    token_ = text_.substr(start_, at_ - start_);
  }
  bool skip_space() {
    const std::size_t from = at_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ != from;
  }
  bool skip_comment() {
    if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return true;
    }
    if (text_.substr(at_, 2) != "/*") return false;
    start_ = at_;
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail("the comment is unterminated");
    at_ = end + 2;
    return true;
  }
  bool skip_directive() {
    if (text_.substr(at_, 1) != "#") return false;
    for (bool more = true; more && at_ < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      if (line.ends_with('\r')) line.remove_suffix(1);
      more = line.ends_with('\\');
      at_ = std::min(end + 1, text_.size());
    }
    return true;
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  static bool is_name(std::string_view t) {
    return !t.empty() && is_word(t[0]) && !std::isdigit(static_cast<unsigned char>(t[0]));
  }
  static std::string shown(std::string_view t) { return std::string(t.substr(0, 60)); }

  [[noreturn]] void fail(const std::string& why) const { fail(why, start_); }
  // Throws trace_error with the offset of the line that contains byte `at`.
  [[noreturn]] void fail(const std::string& why, std::size_t at) const {
    const std::string_view before = text_.substr(0, at);
    const std::size_t line = before.find_last_of('\n') + 1;  // npos + 1 is 0
    throw trace_error(trace_errc::bad_value, {.file = file_, .offset = line}, why);
  }

  std::string_view text_, prefix_;
  const std::string& file_;
  std::size_t at_ = 0, start_ = 0;  // end and start of the current token
  std::string_view token_ = {};
  std::map<std::string_view, std::uint64_t> values_ = {};
  std::vector<name_table::entry> entries_ = {};
};
}  // namespace detail

namespace detail {
TRACECODEC_FUNC std::string enumeration_text(const std::string& path) {
  io::window content(io::open_input(path));
  const auto all = content.look(largest_enumeration + 1);
  content.check_end();
  if (all.size() > largest_enumeration)
    throw trace_error(trace_errc::unsupported, {.file = path}, "too long for an enumeration");
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}
}  // namespace detail

TRACECODEC_FUNC name_table parse_enumeration(std::string_view text, std::string_view prefix,
                                             const std::string& name) {
  auto all = detail::enumeration_parser(text, prefix, name).run();
  if (all.empty())
    throw trace_error(trace_errc::bad_value, {.file = name, .offset = 0},
                      "no enumerator begins with " + std::string(prefix));
  return name_table(std::move(all));
}

TRACECODEC_FUNC name_table read_enumeration(const std::string& path, std::string_view prefix) {
  return parse_enumeration(detail::enumeration_text(path), prefix, path);
}

TRACECODEC_FUNC void read_names(const std::string& path, names& to) {
  const std::string text = detail::enumeration_text(path);
  bool any = false;
  const auto read = [&](std::string_view prefix, name_table& table) {
    if (text.find(prefix) == std::string::npos) return;
    // The result may be empty, because the prefix may occur only in a comment or inside a name.
    auto all = detail::enumeration_parser(text, prefix, path).run();
    if (all.empty()) return;
    table = name_table(std::move(all));
    any = true;
  };
  read(category_prefix, to.categories);
  read(mnemonic_prefix, to.mnemonics);
  read(form_prefix, to.forms);
  read(syscall_prefix, to.syscalls);
  if (!any)
    throw trace_error(trace_errc::bad_value, {.file = path},
                      "has no enumeration of categories, mnemonics, forms or system calls");
  to.files.push_back(path);
}

}  // namespace tracecodec::umtracer
