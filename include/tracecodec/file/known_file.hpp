// What a file is, as a table's rows and messages have it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tracecodec::file {

// What a file is. An empty name stands for a file that is not known.
struct known_file {
  std::string_view name = {};  // "a ZIP archive"
  std::string_view help = {};  // what to do; empty if nothing makes a trace of it
  // How much its first bytes say: a trace may begin with them by chance (weak), hardly so, unless its
  // addresses follow each other as a program's do (sure), or never (certain).
  enum class evidence : std::uint8_t { weak, sure, certain };
  evidence is = evidence::certain;
  bool has_records = false;  // a description of its records reads it

  [[nodiscard]] explicit operator bool() const noexcept { return !name.empty(); }
  // Returns name and help as a message.
  [[nodiscard]] std::string message() const {
    return std::string(name) + (help.empty() ? ", expected a trace" : ": ") + std::string(help);
  }
};

}  // namespace tracecodec::file
