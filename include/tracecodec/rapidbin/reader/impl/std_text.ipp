#pragma once
#include "../std_text.hpp"

#include <charconv>
#include <cstddef>
#include <utility>

namespace tracecodec::rapidbin {

TRACECODEC_FUNC void append_std(std::string& s, const event& e) {
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

TRACECODEC_FUNC std::optional<std_line> split_std(std::string_view line, std_error& error) {
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
