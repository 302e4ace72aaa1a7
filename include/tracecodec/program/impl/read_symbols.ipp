// Implementation of program/read_symbols.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../../io/window.hpp"
#include "../read_symbols.hpp"

namespace tracecodec {

namespace detail {
// Reads a line of nm output, "ADDRESS TYPE NAME" or "ADDRESS SIZE TYPE NAME", and appends the
// symbol to `to`. Omits symbols that are not code. Returns false if the line has neither form.
TRACECODEC_FUNC bool read_symbol_line(std::string_view line, std::vector<program_symbol>& to) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto word = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string_view w = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(w.size());
    return w;
  };
  const auto number = [](std::string_view s) -> std::optional<std::uint64_t> {
    std::uint64_t n = 0;
    const auto [used, error] = std::from_chars(s.data(), s.data() + s.size(), n, 16);
    if (error != std::errc() || used != s.data() + s.size()) return std::nullopt;
    return n;
  };
  const std::string_view all = line;
  std::string_view first = word();
  if (first.empty() || all.ends_with(':')) return true;  // file name, such as "libx.a:"
  const auto is_type = [](std::string_view s) {
    return s.size() == 1 && ((s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z') ||
                             s[0] == '?' || s[0] == '-');
  };
  program_symbol symbol;
  std::string_view type = first;
  // Undefined symbols have no address.
  if (!(is_type(type) && std::string_view("UwvV").find(type[0]) != std::string_view::npos)) {
    const auto address = number(first);
    if (!address) return false;
    symbol.address = *address;
    type = word();
    // If the word is not a single letter, it is a size with as many digits as the address.
    if (!is_type(type)) {
      const auto size = number(type);
      if (!size) return false;
      symbol.size = *size;
      type = word();
    }
    if (!is_type(type)) return false;
  } else {
    return true;
  }
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.empty()) return false;
  if (std::string_view("tTwWi").find(type[0]) == std::string_view::npos) return true;
  if (symbol.address + symbol.size < symbol.address) return false;
  // In kallsyms, a tab and the name of a module follow the name of the symbol.
  symbol.name = line.substr(0, line.find('\t'));
  // Arm's mapping symbols, such as "$x" and "$d.1", mark the kind of code, and do not name it.
  if (const std::string& n = symbol.name;
      n.size() > 1 && n[0] == '$' &&
      std::string_view("adtx").find(n[1]) != std::string_view::npos &&
      (n.size() == 2 || n[2] == '.'))
    return true;
  to.push_back(std::move(symbol));
  return true;
}
}  // namespace detail

TRACECODEC_FUNC std::vector<program_symbol> read_symbols(io::input in, std::uint64_t memory) {
  constexpr std::size_t longest_line = std::size_t{1} << 16;
  const std::string file = in.name();
  io::window text(std::move(in));
  text.pass_byte_order_mark();
  std::vector<program_symbol> all;
  std::uint64_t used = 0;
  for (;;) {
    const auto rest = text.look(longest_line);
    if (rest.empty()) break;
    const std::string_view seen(reinterpret_cast<const char*>(rest.data()),
                                std::min(rest.size(), longest_line));
    const std::size_t end = seen.find('\n');
    if (end == seen.npos && seen.size() == longest_line)
      throw trace_error(trace_errc::bad_value, {.file = file, .offset = text.offset()},
                        "a line has more than 65535 bytes: expected the output of nm");
    const std::string_view line = seen.substr(0, end);
    const std::size_t before = all.size();
    if (!detail::read_symbol_line(line, all))
      throw trace_error(trace_errc::bad_value, {.file = file, .offset = text.offset()},
                        "expected the output of nm: address, type and name");
    // While a vector grows, it stores two copies of its elements.
    if (all.size() != before) used += 2 * sizeof(program_symbol) + all.back().name.size();
    if (used > memory)
      throw trace_error(trace_errc::unsupported, {.file = file},
                        "needs more memory, but the limit is " + std::to_string(memory >> 20) +
                            " MiB" + std::string(io::raise_memory_limit));
    text.consume(end == seen.npos ? seen.size() : end + 1);
  }
  text.check_end();
  if (all.empty())
    throw trace_error(trace_errc::not_a_trace, {.file = file},
                      "has no functions: expected the output of nm");
  return all;
}

}  // namespace tracecodec
