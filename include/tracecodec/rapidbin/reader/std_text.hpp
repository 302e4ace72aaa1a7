// The STD text of RAPID: an event a line, T0|acq(L1)|23. Wasmgrind's dialect also has requests.
#pragma once
#include <array>
#include <cstdint>
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
void append_std(std::string& s, const event& e);

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
std::optional<std_line> split_std(std::string_view line, std_error& error);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_text.ipp"
#endif
