// Option that only some formats have. Command lines and Python use its name.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "own_options.hpp"

namespace tracecodec::format {

// Purpose of an option. A program offers only options whose purpose is relevant to it.
enum class option_use : std::uint8_t {
  content,       // how to interpret the bytes of the trace
  files,         // which other files belong to the trace
  instructions,  // how to convert records to instructions
  choice,        // which records to read
  threads,       // which threads to read, if the programs' option --thread selects several
  rows,          // which rows to show, for traces with several tables
  output         // how to write a trace of the format
};

// Returns true if options with purpose `use` affect how a trace is read.
constexpr bool is_of_reading(option_use use) noexcept {
  return use != option_use::rows && use != option_use::output;
}

// Name of a value that an option accepts, with synonyms.
struct option_value {
  std::string_view name = {};
  std::array<std::string_view, 4> also = {};
};

struct option {
  // Name with hyphens between words, such as "branch-rules". Python uses underscores.
  std::string_view name = {};
  // Placeholder for the value in help texts, such as "FILE". Empty if the option is a flag. A flag
  // is set with an empty value.
  std::string_view value = {};
  // Accepted values. set() receives the name of one of these values. If the list is empty, set()
  // itself checks whether a value is valid.
  std::span<const option_value> choices = {};
  // Help text of one sentence. It names the formats that have the option.
  std::string_view help = {};
  // Traces that the option applies to, for messages, such as "RapidBin traces and STD text".
  std::string_view traces = {};
  // Description of a valid value for messages, such as "a file".
  std::string_view expected = {};
  // Sets the option to `value`. If `repeats` is true, further calls add values. Returns false
  // if the value is invalid.
  bool (*set)(own_options& to, const std::string& value) = nullptr;
  bool repeats = false;
  option_use use = option_use::instructions;
  // Returns true if the option is set. If null, the option never causes a trace to be refused.
  bool (*is_set)(const own_options& in) = nullptr;
  // Removes the option's value, and the values of other options that share its type. Must not be
  // null if is_set is not null.
  void (*reset)(own_options& in) = nullptr;
  // Returns what a format that does not support the option lacks, such as "metadata" for the
  // message "... has no metadata". A result that begins with "only" is the whole message. If the
  // result is empty or the pointer is null, such a format ignores the option.
  std::string_view (*lacking)(const own_options& in) = nullptr;
  // Returns the paths of the files that the option reads. Null if the option reads no files.
  std::vector<std::string> (*files)(const own_options& in) = nullptr;
};

// Default is_set() and reset() for an option whose value has type `T`.
template <class T> bool is_set(const own_options& in) { return in.has<T>(); }
template <class T> void reset(own_options& in) { in.reset<T>(); }

// Returns an option whose value is an enumerator of `T`. `Names` are the names of the enumerators 0, 1
// and so on. `shown` contains the other members.
template <class T, const auto& Names> constexpr option choice_option(option shown) {
  shown.choices = Names;
  shown.set = [](own_options& to, const std::string& value) {
    for (std::size_t n = 0; n != Names.size(); ++n)
      if (value == Names[n].name) return to.set(static_cast<T>(n)), true;
    return false;
  };
  shown.is_set = is_set<T>;
  shown.reset = reset<T>;
  return shown;
}

}  // namespace tracecodec::format
