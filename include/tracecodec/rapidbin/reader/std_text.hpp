// The STD text of RAPID and of tools that record races: an event a line, T0|acq(L1)|23.
// Wasmgrind's dialect also has requests.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "../../config.hpp"
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

// The letter before an id: T of a thread, L of a lock, V of a variable; 0 of a location, or for none.
constexpr char std_letter(id_kind kind) noexcept {
  switch (kind) {
    case id_kind::thread:
      return 'T';
    case id_kind::lock:
      return 'L';
    case id_kind::variable:
      return 'V';
    case id_kind::location:
      break;
  }
  return 0;
}
constexpr char std_letter(operand kind) noexcept {
  return kind == operand::none ? '\0' : std_letter(kind_of(kind));
}

// The largest number that text has for an id of this kind: columns of threads and locations have 32 bits. A larger one
// is a name.
constexpr std::uint64_t largest_std_number(id_kind kind) noexcept {
  return kind == id_kind::thread || kind == id_kind::location
             ? std::numeric_limits<std::uint32_t>::max()
             : std::numeric_limits<std::uint64_t>::max();
}

// Returns the number that text reads as an id of this kind: 17, or V17 of a variable; nullopt for a name.
std::optional<std::uint64_t> std_number(id_kind kind, std::string_view s);

// The field that a line of text has no place for: "sign", "decor" of an operation without operand,
// an undefined "operation"; empty if the text holds all of `e`.
constexpr std::string_view not_in_std(const event& e) noexcept {
  if (e.sign) return "sign";
  if (!defined(e.operation)) return "operation";
  if (operand_of(e.operation) == operand::none && e.decor != 0) return "decor";
  return {};
}

// What names an id in a line: called with its kind and number, returns null for one that is written
// as a number.
using std_names = std::function<const std::string*(id_kind, std::uint64_t)>;

// Appends the line of `e`, whose operation is defined, without a line end.
void append_std(std::string& s, const event& e);
// Appends the line with names, which are written as they are: names_for_std() (std_writer.hpp) has those that fit.
void append_std(std::string& s, const event& e, const std_names& names);

// Whether a line that has `name` for an id of this kind is read back as that name, whatever the other lines have: text
// without a bar, a line end, or a space at either end, short enough for a line, and not itself a number.
bool readable_in_std(id_kind kind, std::string_view name);

// The parts of a line; they point into it.
struct std_line {
  std::string_view thread = {};
  rapidbin::operation operation = {};
  std::string_view decor = {};  // empty for an operation without operand
  std::string_view location = {};
  bool left_out = false;  // an operation that RapidBin lacks: wait, notify, notifyAll, dummy
  bool more = false;      // there are columns after the location
};

// What is wrong with a line.
struct std_error {
  std::string_view field;  // "thread", "operation", "decor", "location"
  std::string message;
};

// Whether a line is empty, blank, or a comment, which begins with #.
constexpr bool says_nothing(std::string_view line) noexcept {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos || line[at] == '#';
}

// Takes a line apart, without its end. The words of other tools are operations, too: rd and read,
// wr and write, acquire and lock, release and unlock, request; in any case of letters. Spaces and
// tabs around the parts do not count. Names may hold anything but |. On success `error` is left
// alone.
std::optional<std_line> split_std(std::string_view line, std_error& error);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_text.ipp"
#endif
