// Kinds of files, as rows of tables and messages name them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tracecodec::file {

// Kind of a file. An empty name means that the file is not known.
struct known_file {
  std::string_view name = {};  // "a ZIP archive"
  std::string_view help = {};  // what to do; empty if the file cannot be turned into a trace
  // Strength of the evidence in the first bytes:
  // - weak: a trace may begin with these bytes by chance.
  // - sure: a trace hardly ever does, unless its addresses follow each other as those of a
  //   program do.
  // - certain: a trace never does.
  enum class evidence : std::uint8_t { weak, sure, certain };
  evidence is = evidence::certain;
  bool has_records = false;  // true if a description of its records can read it

  [[nodiscard]] explicit operator bool() const noexcept { return !name.empty(); }
  // Returns name and help as a message.
  [[nodiscard]] std::string message() const {
    return std::string(name) + (help.empty() ? ", expected a trace" : ": ") + std::string(help);
  }
};

}  // namespace tracecodec::file
