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

// Returns the name of an operation in STD text: "acq", "rel", "r", "w", "fork", "join",
// "begin", "end", "req" or "branch". Empty for 10 and above.
constexpr std::string_view std_name(operation o) noexcept {
  constexpr std::array<std::string_view, operation_count> names{
      "acq", "rel", "r", "w", "fork", "join", "begin", "end", "req", "branch"};
  return defined(o) ? names[static_cast<std::size_t>(o)] : std::string_view();
}

// Returns the letter before an id: T for a thread, L for a lock, V for a variable. Returns 0
// for a location or for operand::none.
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

// Returns the largest number that STD text can have for an id of this kind. Threads and
// locations have 32 bits. A larger number is read as a name.
constexpr std::uint64_t largest_std_number(id_kind kind) noexcept {
  return kind == id_kind::thread || kind == id_kind::location
             ? std::numeric_limits<std::uint32_t>::max()
             : std::numeric_limits<std::uint64_t>::max();
}

// Returns the number that STD text reads as an id of this kind, such as 17, or V17 for a
// variable. Returns nullopt for a name.
std::optional<std::uint64_t> std_number(id_kind kind, std::string_view s);

// Returns the name of the first field of `e` that STD text cannot represent: "sign", an
// undefined "operation", or "decor" for an operation without an operand. Empty if the text can
// represent all of `e`.
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

// Returns true if `name`, written for an id of this kind, is read back as that name in any
// text. The name must not be a number, and must fit in a line. It must not contain a bar, a
// line end or a zero byte, nor begin or end with a space or tab. The name of a thread must not
// begin with #.
bool readable_in_std(id_kind kind, std::string_view name);

// Parts of a line. They point into the line.
struct std_line {
  std::string_view thread = {};
  rapidbin::operation operation = {};
  std::string_view decor = {};  // empty for an operation without operand
  std::string_view location = {};
  // True for an operation that RapidBin lacks: wait, notify, notifyAll or dummy.
  bool left_out = false;
  bool more = false;  // true if there are columns after the location
};

// Error in a line.
struct std_error {
  std::string_view field;  // "thread", "operation", "decor", "location"
  std::string message;
};

// Returns true if a line is empty, blank or a comment, which begins with #.
constexpr bool says_nothing(std::string_view line) noexcept {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos || line[at] == '#';
}

// Splits a line, which must not include its line end. Also accepts the operation names of
// other tools, in any case: rd and read, wr and write, acquire and lock, release and unlock,
// request. Spaces and tabs around the parts are ignored. Names may contain anything but |. On
// failure, returns nullopt and sets `error`. On success, `error` is unchanged.
std::optional<std_line> split_std(std::string_view line, std_error& error);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_text.ipp"
#endif
