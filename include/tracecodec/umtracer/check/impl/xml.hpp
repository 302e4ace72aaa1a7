// Checks the values in trace.xml, including their consistency with the tables.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../layout/utf16.hpp"
#include "../../metadata.hpp"
#include "tables.hpp"

namespace tracecodec::umtracer::detail {

// Numbers of instruction records in 32-bit code and in 64-bit code.
struct code_modes {
  std::uint64_t code32 = 0, code64 = 0;
};

// Returns the part of `path` after the last separator, which is \ on Windows and / on other
// systems.
constexpr std::string_view file_name_in(std::string_view path) noexcept {
  const std::size_t at = path.find_last_of("\\/");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}
// Returns the program in a command line, which is the first word, or the quoted text if the line
// begins with a quotation mark.
constexpr std::string_view program_of(std::string_view line) noexcept {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  line.remove_prefix(first);
  if (line[0] != '"') return line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(1);
  return line.substr(0, line.find('"'));
}
// Returns true if two file names are equal, ignoring the case of ASCII letters. If `file` ends in
// ".exe", `name` may omit this suffix, because command lines may omit it.
constexpr bool same_file(std::string_view name, std::string_view file) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto equal = [lower](std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [lower](char x, char y) { return lower(x) == lower(y); });
  };
  constexpr std::string_view suffix = ".exe";
  return equal(name, file) ||
         (file.size() > suffix.size() && equal(file.substr(file.size() - suffix.size()), suffix) &&
          equal(name, file.substr(0, file.size() - suffix.size())));
}

// Checks the metadata. `modules` is nullptr if the module table cannot be read.
inline void check_xml(file_findings& found, const metadata& m, const code_modes& code,
                      const module_table* modules) {
  const auto add = [&found](rule r, const std::string& message) {
    found.add(r, file::xml, {}, {}, message);
  };
  const auto number = [&](const std::optional<std::string>& text, const char* what) {
    if (text && !number_in(text)) add(rule::xml_value, std::string(what) + " is '" + *text + "'");
  };
  if (!m.xed_version) add(rule::xml_part, "Xed/Version is missing");
  number(m.xed_version, "Xed/Version");
  number(m.app_process_id, "App/ProcessID");
  for (const cpu_flag& f : m.cpu)
    if (f.name.starts_with("Has") && f.value != "true" && f.value != "false")
      add(rule::xml_value, "CPU/" + f.name + " is '" + f.value + "'");
  if (m.app_bitness) {
    const bool is32 = *m.app_bitness == "32", is64 = *m.app_bitness == "64";
    if (!is32 && !is64) add(rule::xml_value, "App/Bitness is '" + *m.app_bitness + "'");
    // On 64-bit Windows, a 32-bit program executes code of both modes.
    const auto say = [&](const char* of) {
      add(rule::xml_bitness,
          "App/Bitness is " + *m.app_bitness + ", but all instructions are " + of + "-bit code");
    };
    if (is32 && code.code32 == 0 && code.code64 != 0) say("64");
    if (is64 && code.code64 == 0 && code.code32 != 0) say("32");
  }
  const std::string_view program =
      m.app_command_line ? file_name_in(program_of(*m.app_command_line)) : std::string_view();
  if (program.empty() || modules == nullptr || modules->size() == 0) return;
  for (std::size_t i = 0; i < modules->size(); ++i) {
    std::string name;
    try {
      name = to_utf8(modules->win_name(i));
    } catch (const trace_error&) {
      continue;  // table_checker reports this error
    }
    if (same_file(program, file_name_in(name))) return;
  }
  add(rule::xml_program, "no module is named '" + std::string(program) + "'");
}

}  // namespace tracecodec::umtracer::detail
