// An option that a format has of its own, by the name that it has on command lines, in Python and in C.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "own_options.hpp"

namespace tracecodec::format {

// What an option is about, by which programs choose those that they have use for.
enum class option_use : std::uint8_t {
  content,       // how the trace's bytes are to be taken
  files,         // which other files belong to it
  instructions,  // what becomes of them as instructions
  choice         // which records are wanted
};

struct option {
  // With a hyphen between words, "branch-rules". Python's has an underscore there.
  std::string_view name = {};
  // What its value is called in a program's help, "FILE"; empty: a flag, which is set by an empty value.
  std::string_view value = {};
  // The values that it may have; empty: any that set() takes.
  std::span<const std::string_view> choices = {};
  std::string_view help = {};      // one sentence, which begins with the formats that have it
  std::string_view expected = {};  // what a value must be, for messages: "a file"
  // Sets it from `value`; if that was done before, adds to it if `repeats`. Returns false if that is no such value.
  bool (*set)(own_options& to, const std::string& value) = nullptr;
  bool repeats = false;
  option_use use = option_use::instructions;
  // Returns what a trace of another format lacks for what is set, "metadata", or all of the message, which begins with
  // "only"; empty: nothing, so that it is ignored.
  std::string_view (*needs)(const own_options& in) = nullptr;
  // Returns the files that are read for what is set; null: none ever is.
  std::vector<std::string> (*files)(const own_options& in) = nullptr;
};

}  // namespace tracecodec::format
