// The STD text of RAPID: an event a line, T0|acq(L1)|23. Wasmgrind's dialect also has requests.
#pragma once
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../layout.hpp"

namespace tracecodec::rapidbin {

// RAPID takes a line it does not know for the event before it, without a word: its dialect must
// leave out requests and branches.
enum class dialect : std::uint8_t { wasmgrind, rapid };

constexpr bool has(dialect d, operation o) noexcept {
  return d == dialect::wasmgrind || (o != operation::request && o != operation::branch);
}

// "acq", "rel", "r", "w", "fork", "join", "begin", "end", "req", "branch"; empty for 10 and more.
constexpr std::string_view std_name(operation o) noexcept {
  constexpr std::array<std::string_view, operation_count> names{
      "acq", "rel", "r", "w", "fork", "join", "begin", "end", "req", "branch"};
  return defined(o) ? names[static_cast<std::size_t>(o)] : std::string_view();
}

// The letter before an id: L of a lock, V of a variable, T of a thread; 0 for none.
constexpr char std_letter(operand kind) noexcept {
  switch (kind) {
    case operand::lock:
      return 'L';
    case operand::variable:
      return 'V';
    case operand::thread:
      return 'T';
    case operand::none:
      break;
  }
  return 0;
}

// The field that a line of text has no place for: "sign", "decor" of an operation without operand,
// an undefined "operation"; empty if the text holds all of `e`.
constexpr std::string_view not_in_std(const event& e) noexcept {
  if (e.sign) return "sign";
  if (!defined(e.operation)) return "operation";
  if (operand_of(e.operation) == operand::none && e.decor != 0) return "decor";
  return {};
}

// Appends the line of `e`, whose operation is defined, without a line end.
inline void append_std(std::string& s, const event& e) {
  std::array<char, 64> line;
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

// The parts of a line; they point into it.
struct std_line {
  std::string_view thread = {};
  rapidbin::operation operation = {};
  std::string_view decor = {};  // empty for an operation without operand
  std::string_view location = {};
};

// What is wrong with a line.
struct std_error {
  std::string_view field;  // "thread", "operation", "decor", "location"
  std::string message;
};

// Takes a line apart, without its end. Names may hold anything but |, and parentheses that match
// those around them. On success `error` is left alone.
inline std::optional<std_line> split_std(std::string_view line, std_error& error) {
  const auto bad = [&error](std::string_view field, std::string message) {
    error = {field, std::move(message)};
    return std::nullopt;
  };
  const std::size_t first = line.find('|'), last = line.rfind('|');
  if (first == std::string_view::npos || first == last)
    return bad("operation", "expected THREAD|OPERATION(OPERAND)|LOCATION");
  std_line l;
  l.thread = line.substr(0, first);
  l.location = line.substr(last + 1);
  const std::string_view middle = line.substr(first + 1, last - first - 1);
  const std::size_t open = middle.find('(');
  const std::string_view word = middle.substr(0, open);
  bool known = false;
  for (std::size_t i = 0; i < operation_count && !known; ++i) {
    l.operation = static_cast<rapidbin::operation>(i);
    known = std_name(l.operation) == word;
  }
  if (l.thread.empty()) return bad("thread", "no thread");
  if (!known) return bad("operation", "unknown operation '" + std::string(word) + "'");
  const bool wants = operand_of(l.operation) != operand::none;
  const bool there = open != std::string_view::npos;
  if (there && (middle.back() != ')' || middle.size() == open + 1))
    return bad("decor", "no closing parenthesis");
  if (there) l.decor = middle.substr(open + 1, middle.size() - open - 2);
  if (wants && l.decor.empty()) return bad("decor", std::string(word) + " needs an operand");
  if (!wants && there) return bad("decor", std::string(word) + " has no operand");
  if (l.location.empty()) return bad("location", "no location");
  return l;
}

}  // namespace tracecodec::rapidbin
