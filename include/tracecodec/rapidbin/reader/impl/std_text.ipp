#pragma once
#include "../std_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "../numbers.hpp"

namespace tracecodec::rapidbin {

namespace detail {
// Spelling of an operation in STD text. Different tools use different spellings. `left_out` is true
// for operations that RapidBin lacks. Lines with these operations are skipped.
struct std_word {
  std::string_view text;
  operation means;
  bool left_out = false;
};
inline constexpr std::array<std_word, 23> std_words{{
    {"r", operation::read},           {"w", operation::write},      {"acq", operation::acquire},
    {"rel", operation::release},      {"rd", operation::read},      {"wr", operation::write},
    {"fork", operation::fork},        {"join", operation::join},    {"begin", operation::begin},
    {"end", operation::end},          {"req", operation::request},  {"branch", operation::branch},
    {"read", operation::read},        {"write", operation::write},  {"acquire", operation::acquire},
    {"release", operation::release},  {"lock", operation::acquire}, {"unlock", operation::release},
    {"request", operation::request},  {"wait", operation{}, true},  {"notify", operation{}, true},
    {"notifyall", operation{}, true}, {"dummy", operation{}, true},
}};

// Returns the entry with exactly the text `word`, or null if no entry matches.
TRACECODEC_FUNC const std_word* find_std_word(std::string_view word) noexcept {
  // Compare the length and the first letter first to avoid most calls to memcmp, which would
  // otherwise take most of the time.
  if (word.empty()) return nullptr;
  for (const std_word& w : std_words)
    if (w.text.size() == word.size() && w.text[0] == word[0] && w.text == word) return &w;
  return nullptr;
}
// Returns the entry that matches `word` ignoring case, or null if no entry matches.
TRACECODEC_FUNC const std_word* std_word_of(std::string_view word) {
  if (const std_word* w = find_std_word(word)) return w;
  constexpr std::size_t longest = 9;
  if (word.size() > longest) return nullptr;
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return find_std_word(lower);
}

// Returns `s` without leading and trailing spaces and tabs.
TRACECODEC_INLINE constexpr std::string_view trimmed(std::string_view s) noexcept {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}
}  // namespace detail

TRACECODEC_FUNC void append_std(std::string& s, const event& e) {
  std::array<char, 96> line;
  char* p = line.data();
  const auto number = [&](std::uint64_t v) {
    p = std::to_chars(p, line.data() + line.size(), v).ptr;
  };
  const auto text = [&p](std::string_view t) { p += t.copy(p, t.size()); };
  *p++ = 'T';
  number(e.thread);
  *p++ = '|';
  text(std_name(e.operation));
  if (const char letter = std_letter(operand_of(e.operation)); letter != 0) {
    *p++ = '(';
    *p++ = letter;
    number(e.decor);
    *p++ = ')';
  }
  *p++ = '|';
  number(e.location);
  s.append(line.data(), p);
}

TRACECODEC_FUNC void append_std(std::string& s, const event& e, const std_names& names) {
  const auto id = [&](id_kind kind, std::uint64_t n) {
    if (const std::string* name = names(kind, n)) {
      s += *name;
      return;
    }
    if (const char letter = std_letter(kind); letter != 0) s += letter;
    s += std::to_string(n);
  };
  id(id_kind::thread, e.thread);
  s += '|';
  s += std_name(e.operation);
  if (const operand kind = operand_of(e.operation); kind != operand::none) {
    s += '(';
    id(kind_of(kind), e.decor);
    s += ')';
  }
  s += '|';
  id(id_kind::location, e.location);
}

TRACECODEC_FUNC std::optional<std::uint64_t> std_number(id_kind kind, std::string_view s) {
  const char letter = std_letter(kind);
  if (letter != 0 && s.starts_with(letter)) s.remove_prefix(1);
  const auto number = detail::plain_number(s);
  return number && *number <= largest_std_number(kind) ? number : std::nullopt;
}

TRACECODEC_FUNC bool readable_in_std(id_kind kind, std::string_view name) {
  constexpr std::size_t longest = 16384;  // three names of this length fit in a line
  return !name.empty() && name.size() <= longest && detail::trimmed(name) == name &&
         name.find_first_of(std::string_view("|\r\n\0", 4)) == name.npos &&
         !(kind == id_kind::thread && name.front() == '#') && !std_number(kind, name);
}

TRACECODEC_FUNC std::optional<std_line> split_std(std::string_view line, std_error& error) {
  const auto bad = [&error](std::string_view field, std::string message) {
    error = {field, std::move(message)};
    return std::nullopt;
  };
  // A field has only a few letters, so a loop is faster than a call to memchr.
  const char* const end = line.data() + line.size();
  const auto find = [](char what, const char* from, const char* to) {
    while (from != to && *from != what) ++from;
    return from;
  };
  const auto part = [](const char* from, const char* to) {
    return detail::trimmed({from, static_cast<std::size_t>(to - from)});
  };
  const char* const first = find('|', line.data(), end);
  const char* const second = first == end ? end : find('|', first + 1, end);
  if (second == end) return bad("operation", "expected THREAD|OPERATION(OPERAND)|LOCATION");
  const char* const third = find('|', second + 1, end);
  const std::string_view middle = part(first + 1, second);
  const char* const middle_end = middle.data() + middle.size();
  const char* const open = find('(', middle.data(), middle_end);
  const std::string_view word = part(middle.data(), open);
  std_line l;
  l.more = third != end;
  l.thread = part(line.data(), first);
  l.location = part(second + 1, third);
  const detail::std_word* const known = detail::std_word_of(word);
  if (l.thread.empty()) return bad("thread", "no thread");
  if (known == nullptr) return bad("operation", "unknown operation '" + std::string(word) + "'");
  l.operation = known->means;
  l.left_out = known->left_out;
  const bool there = open != middle_end;
  if (there && (middle.back() != ')' || middle_end == open + 1))
    return bad("decor", "no closing parenthesis");
  if (there) l.decor = part(open + 1, middle_end - 1);
  if (!l.left_out) {
    const bool wants = operand_of(l.operation) != operand::none;
    if (wants && l.decor.empty()) return bad("decor", std::string(word) + " needs an operand");
    if (!wants && there) return bad("decor", std::string(word) + " takes no operand");
  }
  if (l.location.empty() && !l.left_out) return bad("location", "no location");
  return l;
}

}  // namespace tracecodec::rapidbin
