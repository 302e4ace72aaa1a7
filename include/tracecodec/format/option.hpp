// An option that only some formats have, under the name that command lines and Python use.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "own_options.hpp"

namespace tracecodec::format {

// The purpose of an option. A program offers the options of the purposes that matter to it.
enum class option_use : std::uint8_t {
  content,       // how to interpret the bytes of the trace
  files,         // which other files belong to the trace
  instructions,  // how to convert records to instructions
  choice,        // which records to read
  threads,       // several threads, for programs' option --thread
  rows,          // which rows to show, of traces with several tables
  output         // how to write a trace of the format
};

// Returns whether options of this purpose say how a trace is read.
constexpr bool is_of_reading(option_use use) noexcept {
  return use != option_use::rows && use != option_use::output;
}

// A value that an option accepts, and other words for it.
struct option_value {
  std::string_view name = {};
  std::array<std::string_view, 4> also = {};
};

struct option {
  // With hyphens between words: "branch-rules". Python uses underscores.
  std::string_view name = {};
  // The placeholder of its value in help texts: "FILE". Empty: a flag, which an empty value sets.
  std::string_view value = {};
  // The values that it accepts; set() is called with their names. Empty: whatever set() accepts.
  std::span<const option_value> choices = {};
  std::string_view help = {};  // one sentence; names the formats that have the option
  // The traces that it is for, in messages: "STD text", "RapidBin traces and STD text".
  std::string_view traces = {};
  std::string_view expected = {};  // describes a valid value in messages: "a file"
  // Sets the option from `value`, or adds to it if `repeats` and it is set already. Returns false if the value is invalid.
  bool (*set)(own_options& to, const std::string& value) = nullptr;
  bool repeats = false;
  option_use use = option_use::instructions;
  // Returns whether the option is set. Null: no trace is refused because of it.
  bool (*is_set)(const own_options& in) = nullptr;
  // Removes the value, and the values of other options with the same type. Not null if is_set is not.
  void (*reset)(own_options& in) = nullptr;
  // Returns what a trace of a format without the option lacks, for "... has no metadata", or a whole message that begins
  // with "only". Empty, or null: such a format ignores the option.
  std::string_view (*lacking)(const own_options& in) = nullptr;
  // Returns the files that the option reads. Null: it reads none.
  std::vector<std::string> (*files)(const own_options& in) = nullptr;
};

// The usual is_set() and reset() of an option whose value has type `T`.
template <class T> bool is_set(const own_options& in) { return in.has<T>(); }
template <class T> void reset(own_options& in) { in.reset<T>(); }

}  // namespace tracecodec::format
