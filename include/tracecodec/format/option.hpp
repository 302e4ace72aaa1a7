// An option that only some formats have, under the name that command lines and Python use.
#pragma once
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
  choice         // which records to read
};

struct option {
  // With hyphens between words: "branch-rules". Python uses underscores.
  std::string_view name = {};
  // The placeholder of its value in help texts: "FILE". Empty: a flag, which an empty value sets.
  std::string_view value = {};
  // The values that it accepts. Empty: whatever set() accepts.
  std::span<const std::string_view> choices = {};
  std::string_view help = {};      // one sentence; names the formats that have the option
  std::string_view expected = {};  // describes a valid value in messages: "a file"
  // Sets the option from `value`, or adds to it if `repeats` and it is set already. Returns false if the value is invalid.
  bool (*set)(own_options& to, const std::string& value) = nullptr;
  bool repeats = false;
  option_use use = option_use::instructions;
  // Returns what a trace of a format without the option lacks, for "... has no metadata", or a whole message that begins
  // with "only". Empty, or null: such a format ignores the option.
  std::string_view (*lacking)(const own_options& in) = nullptr;
  // Returns the files that the option reads. Null: it reads none.
  std::vector<std::string> (*files)(const own_options& in) = nullptr;
};

}  // namespace tracecodec::format
