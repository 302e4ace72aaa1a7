// Diagnostic that a checker reports: one finding and its position in the trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec {

enum class severity : std::uint8_t {
  note,     // harmless, but useful to know
  warning,  // probably not what the producer of the trace intended
  error     // violates the format
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
  std::string_view code = {};  // short, stable name such as "flag-value"; needs static lifetime
  std::optional<std::uint64_t> offset = {};  // see error_site::offset
  std::optional<std::uint64_t> record = {};  // index of the record, from 0
  std::string message = {};
};

}  // namespace tracecodec
