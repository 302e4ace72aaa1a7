// What trace_convert writes: by --to, or by OUT's name, or what fits the input.
#pragma once
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "../common/output_name.hpp"

namespace convert {

using tracecodec::trace::format;

// Text of rows, which is no trace.
enum class row_form : std::uint8_t { jsonl, csv };

// The form that OUT's name asks for, if it does.
inline std::optional<row_form> rows_of_name(const std::string& path) {
  const examples::output_name name(path);
  if (name.says({examples::form::jsonl})) return row_form::jsonl;
  if (name.says({examples::form::csv})) return row_form::csv;
  return std::nullopt;
}

// Whether a name is that of an x64dbg trace, and of which width: 32, 64, or 0 if it is none.
inline int x64dbg_width(const std::string& path) {
  const examples::output_name name(path);
  if (name.says({examples::form::x64dbg32})) return 32;
  return name.says({examples::form::x64dbg64}) ? 64 : 0;
}

// Whether OUT is a folder: by its name, or because there is one.
inline bool is_folder(const std::string& path) {
  std::error_code ignored;
  namespace io = tracecodec::io;
  return io::ends_with_separator(path) || std::filesystem::is_directory(io::path_of(path), ignored);
}

// Of an input of format `in`.
inline format output_format(format in, std::optional<format> demanded, const std::string& path) {
  if (demanded) return *demanded;
  if ((in == format::x64dbg || in == format::umtracer) && is_folder(path)) return format::umtracer;
  // A name that says a format is believed, even if the trace cannot be written so.
  using examples::form;
  switch (examples::output_name(path).what.value_or(form::records)) {
    case form::x64dbg32:
    case form::x64dbg64:
      return format::x64dbg;
    case form::rapidbin:
      return format::rapidbin;
    case form::std:
      return format::std;
    case form::cloudsuite:
      return format::cloudsuite;
    default:
      return in == format::cloudsuite ? in : format::champsim;
  }
}

// Whether a trace of format `in` can become one of format `out`.
constexpr bool convertible(format in, format out) {
  using tracecodec::trace::has_events;
  if (out == format::umtracer) return in == format::x64dbg || in == format::umtracer;
  if (in == out || (has_events(in) && has_events(out))) return true;
  const bool records = out == format::champsim || out == format::cloudsuite;
  return records && (in == format::x64dbg || in == format::umtracer || has_events(in));
}

}  // namespace convert
