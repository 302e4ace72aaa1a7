// STD text, the format of RAPID and of tools that record data races. Each line is an event,
// such as T0|acq(L1)|23. Wasmgrind's dialect also has requests.
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

// Dialect of STD text. RAPID silently treats an unknown line as a repetition of the previous
// event, so its dialect must leave out requests and branches.
enum class dialect : std::uint8_t { wasmgrind, rapid };

constexpr bool has(dialect d, operation o) noexcept {
  return d == dialect::wasmgrind || (o != operation::request && o != operation::branch);
}

// Returns the name of an operation in STD text: "acq", "rel", "r", "w", "fork", "join", "begin",
// "end", "req" or "branch". Returns an empty string for undefined operations.
constexpr std::string_view std_name(operation o) noexcept {
  constexpr std::array<std::string_view, operation_count> names{
      "acq", "rel", "r", "w", "fork", "join", "begin", "end", "req", "branch"};
  return defined(o) ? names[static_cast<std::size_t>(o)] : std::string_view();
}

// Returns the letter before the number of an id: T for a thread, L for a lock, V for a variable.
// Returns 0 for a location or for operand::none.
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

// Returns the largest number that is read as an id of kind `kind` in STD text. Threads and
// locations have 32 bits. A larger number is read as a name.
constexpr std::uint64_t largest_std_number(id_kind kind) noexcept {
  return kind == id_kind::thread || kind == id_kind::location
             ? std::numeric_limits<std::uint32_t>::max()
             : std::numeric_limits<std::uint64_t>::max();
}

// Returns the number of `s`, such as 17 for "17" or, if `kind` is variable, for "V17". Returns
// nullopt if STD text reads `s` as a name.
std::optional<std::uint64_t> std_number(id_kind kind, std::string_view s);

// Returns the name of the first field of `e` that STD text cannot represent: "sign", an
// undefined "operation", or a "decor" for an operation without an operand. Returns an empty string
// if STD text can represent all of `e`.
constexpr std::string_view not_in_std(const event& e) noexcept {
  if (e.sign) return "sign";
  if (!defined(e.operation)) return "operation";
  if (operand_of(e.operation) == operand::none && e.decor != 0) return "decor";
  return {};
}

// Callback that returns the name to write for an id, or null if the id is written as a number.
using std_names = std::function<const std::string*(id_kind, std::uint64_t)>;

// Appends the line of `e`, whose operation must be defined, without a line end.
void append_std(std::string& s, const event& e);
// Appends the line of `e` with names, which are written unchanged. names_for_std()
// (std_writer.hpp) returns names that are safe to use.
void append_std(std::string& s, const event& e, const std_names& names);

// Returns true if STD text can contain `name` as the name of an id of kind `kind`. Such a name is
// not a number, fits in a line, and contains no bar, line end or zero byte. It does not begin or
// end with a space or tab. The name of a thread does not begin with #.
bool readable_in_std(id_kind kind, std::string_view name);

// Parts of a line. The strings are views into the line.
struct std_line {
  std::string_view thread = {};
  rapidbin::operation operation = {};
  std::string_view decor = {};  // operand; empty for an operation without an operand
  std::string_view location = {};
  // True for an operation that RapidBin lacks: wait, notify, notifyAll or dummy.
  bool left_out = false;
  bool more = false;  // true if there are columns after the location
};

// Error in a line of STD text.
struct std_error {
  std::string_view field;  // "thread", "operation", "decor" or "location"
  std::string message;
};

// Returns true if a line is empty, blank, or a comment. A comment begins with #.
constexpr bool says_nothing(std::string_view line) noexcept {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos || line[at] == '#';
}

// Splits a line, which must not include its line end. Ignores the case of operation names, and
// also accepts the names of other tools: rd and read, wr and write, acquire and lock, release and
// unlock, request. Spaces and tabs around the parts are ignored. Names may contain any character
// except |. On failure, returns nullopt and sets `error`. On success, `error` is unchanged.
std::optional<std_line> split_std(std::string_view line, std_error& error);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_text.ipp"
#endif
