// STD text, the format of RAPID and of tools that record traces for race detection. Each line is an
// event, such as T0|acq(L1)|23. Wasmgrind's dialect also has requests.
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

// Dialect of STD text. RAPID silently treats an unknown line as a repetition of the previous event.
// Therefore, requests and branches must not be written in RAPID's dialect.
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

// Returns the letter that precedes the number of an id: T for a thread, L for a lock, or V for a
// variable. Returns 0 for a location and for operand::none.
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

// Returns the largest number that STD text can contain as an id of the kind `kind`. Larger numbers
// are treated as names. Threads and locations are limited to 32 bits.
constexpr std::uint64_t largest_std_number(id_kind kind) noexcept {
  return kind == id_kind::thread || kind == id_kind::location
             ? std::numeric_limits<std::uint32_t>::max()
             : std::numeric_limits<std::uint64_t>::max();
}

// Returns the number that `s` represents. For example, "17" represents 17, and so does "V17" if
// `kind` is variable. Returns nullopt if `s` is a name.
std::optional<std::uint64_t> std_number(id_kind kind, std::string_view s);

// Returns the name of the first field of `e` that STD text cannot represent: "sign", an undefined
// "operation", or a "decor" for an operation without an operand. Returns an empty string if STD
// text can represent all fields.
constexpr std::string_view not_in_std(const event& e) noexcept {
  if (e.sign) return "sign";
  if (!defined(e.operation)) return "operation";
  if (operand_of(e.operation) == operand::none && e.decor != 0) return "decor";
  return {};
}

// Callback that returns the name of an id, or null if the id is to be written as a number.
using std_names = std::function<const std::string*(id_kind, std::uint64_t)>;

// Appends the line for `e`, without a newline. The operation of `e` must be defined.
void append_std(std::string& s, const event& e);
// Appends the line for `e`, without a newline. Writes names unchanged, so `names` must return only
// names that are safe to write (see names_for_std() in std_writer.hpp).
void append_std(std::string& s, const event& e, const std_names& names);

// Returns true if STD text can contain `name` as the name of an id of the kind `kind`. Such a name
// is not a number, fits in a line, and contains no bar, line break or zero byte. The name does not
// begin or end with a space or tab. The name of a thread does not begin with #.
bool readable_in_std(id_kind kind, std::string_view name);

// Fields of a line. The strings are views into the line.
struct std_line {
  std::string_view thread = {};
  rapidbin::operation operation = {};
  std::string_view decor = {};  // operand; empty for an operation without an operand
  std::string_view location = {};
  // True if RapidBin lacks the operation, which is wait, notify, notifyAll or dummy.
  bool left_out = false;
  bool more = false;  // true if there are columns after the location
};

// Error in a line of STD text.
struct std_error {
  std::string_view field;  // "thread", "operation", "decor" or "location"
  std::string message;
};

// Returns true if a line is empty, blank, or a comment. Comments begin with #.
constexpr bool is_comment(std::string_view line) noexcept {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos || line[at] == '#';
}

// Splits a line, which must not include its line ending, into fields. Ignores the case of operation
// names. Also accepts the operation names of other tools: rd and read, wr and write, acquire and
// lock, release and unlock, request. Ignores spaces and tabs around fields. Names may contain any
// character except |. On failure, returns nullopt and sets `error`. On success, leaves `error`
// unchanged.
std::optional<std_line> split_std(std::string_view line, std_error& error);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_text.ipp"
#endif
