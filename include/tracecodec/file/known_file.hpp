// Kinds of files, for tables and messages.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::file {

// Kind of a file. An empty name means that the kind is unknown.
struct known_file {
  // Name of the kind, such as "a ZIP archive".
  std::string_view name = {};
  // Advice for the user. Empty if the file cannot be converted to a trace.
  std::string_view help = {};
  // Strength of the evidence in the first bytes:
  // - weak: a trace may begin with these bytes by chance.
  // - sure: a trace rarely begins with these bytes. The file may still be a trace if its records
  //   contain consecutive addresses, like those of a program.
  // - certain: a trace never begins with these bytes.
  enum class evidence : std::uint8_t { weak, sure, certain };
  evidence is = evidence::certain;
  bool has_records = false;  // true if the file can be read with a description of its records

  [[nodiscard]] explicit operator bool() const noexcept { return !name.empty(); }
  // Returns the name and the advice as a message.
  [[nodiscard]] std::string message() const {
    return std::string(name) + (help.empty() ? ", expected a trace" : ": ") + std::string(help);
  }
};

}  // namespace tracecodec::file
