// Contents of trace.xml (UMTracer specification, 13): the machine, the program and the tracer.
// read_metadata.hpp reads the file.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "../config.hpp"

namespace tracecodec::umtracer {

// Element of trace.xml.
struct xml_element {
  static constexpr std::size_t no_parent = std::numeric_limits<std::size_t>::max();

  std::string name;
  std::string text;                // UTF-8, entities resolved, surrounding white space removed
  std::size_t parent = no_parent;  // index of the enclosing element
  friend bool operator==(const xml_element&, const xml_element&) = default;
};

// Child of the element CPU, such as HasXMM with the value "true".
struct cpu_flag {
  std::string name;
  std::string value;
  friend bool operator==(const cpu_flag&, const cpu_flag&) = default;
};

// Contents of trace.xml. A member is nullopt if the file does not contain the corresponding
// element. If an element occurs more than once, the member contains the first occurrence. Strings
// are stored as they appear in the file.
struct metadata {
  std::optional<std::string> xed_version = {};  // Xed/Version; xed_date() converts it to a date
  std::optional<std::string> os_id = {};        // OS/Id
  std::optional<std::string> os_name = {};      // OS/Name
  std::optional<std::string> pin_version = {};  // Pin/Version
  std::optional<std::string> pin_command_line = {};       // Pin/CommandLine
  std::optional<std::string> pin_working_directory = {};  // Pin/WorkingDirectory
  std::optional<std::string> app_command_line = {};       // App/CommandLine
  std::optional<std::string> app_bitness = {};            // App/Bitness: 32 or 64
  std::optional<std::string> app_process_id = {};         // App/ProcessID
  std::vector<cpu_flag> cpu = {};                         // CPU/..., in file order
  // All elements in file order, including the elements that the members above contain.
  std::vector<xml_element> elements = {};

  // Returns the path of element `i`, such as "TraceMetaData/Xed/Version". The element must exist.
  [[nodiscard]] std::string path(std::size_t i) const;
  // Returns the text of the first element `name` with the parent element `parent`, at any depth.
  // Returns nullopt if there is no such element.
  [[nodiscard]] std::optional<std::string> find(std::string_view parent,
                                                std::string_view name) const;
  friend bool operator==(const metadata&, const metadata&) = default;
};

// Returns the XED version as a date. Traces of version 20140106 contain "56759" instead of the
// date, so the function returns "20140106" for "56759". Returns any other string unchanged.
constexpr std::string_view xed_date(std::string_view version) noexcept {
  return version == "56759" ? "20140106" : version;
}

// Parses a decimal number, such as app_process_id. Returns nullopt if the text is missing or
// is not a decimal number.
std::optional<std::uint64_t> number_in(const std::optional<std::string>& text) noexcept;

inline std::string metadata::path(std::size_t i) const {
  std::vector<std::size_t> line;
  for (; i != xml_element::no_parent; i = elements[i].parent) line.push_back(i);
  std::string out;
  for (auto at = line.rbegin(); at != line.rend(); ++at)
    out += (out.empty() ? "" : "/") + elements[*at].name;
  return out;
}
inline std::optional<std::string> metadata::find(std::string_view parent,
                                                 std::string_view name) const {
  for (const xml_element& e : elements)
    if (e.name == name && e.parent != xml_element::no_parent && elements[e.parent].name == parent)
      return e.text;
  return std::nullopt;
}
inline std::optional<std::uint64_t> number_in(const std::optional<std::string>& text) noexcept {
  std::uint64_t n = 0;
  if (!text) return std::nullopt;
  const char* const end = text->data() + text->size();
  const auto [used, error] = std::from_chars(text->data(), end, n);
  if (error != std::errc() || used != end) return std::nullopt;
  return n;
}

}  // namespace tracecodec::umtracer
