// What a checker reports: one finding, with its place.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracecodec {

enum class severity : std::uint8_t {
  note,     // worth knowing; sound
  warning,  // probably not what the maker of the trace wanted
  error     // breaks the format
};

constexpr std::string_view name(severity s) noexcept {
  switch (s) {
    case severity::note:
      return "note";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "unknown";
}

struct diagnostic {
  tracecodec::severity severity = severity::note;
  std::string_view code = {};  // short and stable: "flag-value"; lives as long as the program
  std::optional<std::uint64_t> offset = {};  // as of error_site
  std::optional<std::uint64_t> record = {};  // index of the record, from 0
  std::string message = {};
};

}  // namespace tracecodec
