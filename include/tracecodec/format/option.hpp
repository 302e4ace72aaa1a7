// Option that only some formats have, under the name that command lines and Python use.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "own_options.hpp"

namespace tracecodec::format {

// Purpose of an option. A program offers only the options whose purposes matter to it.
enum class option_use : std::uint8_t {
  content,       // how to interpret the bytes of the trace
  files,         // which other files belong to the trace
  instructions,  // how to convert records to instructions
  choice,        // which records to read
  threads,       // several threads, for the programs' option --thread
  rows,          // which rows to show, for traces with several tables
  output         // how to write a trace of the format
};

// Returns true if options of this purpose affect how a trace is read.
constexpr bool is_of_reading(option_use use) noexcept {
  return use != option_use::rows && use != option_use::output;
}

// Value that an option accepts, with synonyms.
struct option_value {
  std::string_view name = {};
  std::array<std::string_view, 4> also = {};
};

struct option {
  // Name with hyphens between words: "branch-rules". Python uses underscores.
  std::string_view name = {};
  // Placeholder for the value in help texts: "FILE". Empty: the option is a flag, which an
  // empty value sets.
  std::string_view value = {};
  // Accepted values. set() is called with their names. Empty: set() decides what is valid.
  std::span<const option_value> choices = {};
  std::string_view help = {};  // one sentence, which names the formats that have the option
  // Traces that the option applies to, for messages: "STD text", "RapidBin traces and STD
  // text".
  std::string_view traces = {};
  std::string_view expected = {};  // description of a valid value for messages: "a file"
  // Sets the option to `value`. If `repeats` is true, further calls add values. Returns false
  // if the value is invalid.
  bool (*set)(own_options& to, const std::string& value) = nullptr;
  bool repeats = false;
  option_use use = option_use::instructions;
  // Returns true if the option is set. If null, no trace is refused because of the option.
  bool (*is_set)(const own_options& in) = nullptr;
  // Removes the value, and the values of other options with the same type. Must not be null if
  // is_set is not null.
  void (*reset)(own_options& in) = nullptr;
  // Returns what a trace of a format without the option lacks, for "... has no metadata", or a
  // whole message that begins with "only". If empty or null, such a format ignores the option.
  std::string_view (*lacking)(const own_options& in) = nullptr;
  // Returns the files that the option reads. If null, it reads none.
  std::vector<std::string> (*files)(const own_options& in) = nullptr;
};

// Default is_set() and reset() for an option whose value has type `T`.
template <class T> bool is_set(const own_options& in) { return in.has<T>(); }
template <class T> void reset(own_options& in) { in.reset<T>(); }

}  // namespace tracecodec::format
