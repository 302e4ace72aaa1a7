// What trace_convert writes: by --to, or by OUT's name, or what fits the input.
#pragma once
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "../common/output_name.hpp"

namespace convert {

using format = tracecodec::format::facts;

// The format of this name, of which there is one.
inline const format& format_named(std::string_view name) {
  return *tracecodec::trace::find_format(name);
}

// Whether it is ChampSim's or CloudSuite's.
inline bool is_of_records(const format& f) { return f.family == "ChampSim"; }
// Whether it is RapidBin's, as a file or as text.
inline bool is_of_events(const format& f) { return f.family == "RapidBin"; }

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
inline const format& output_format(const format& in, const format* demanded,
                                   const std::string& path) {
  if (demanded != nullptr) return *demanded;
  if ((in.name == "x64dbg" || in.name == "umtracer") && is_folder(path))
    return format_named("umtracer");
  // A name that says a format is believed, even if the trace cannot be written so.
  using examples::form;
  switch (examples::output_name(path).what.value_or(form::records)) {
    case form::x64dbg32:
    case form::x64dbg64:
      return format_named("x64dbg");
    case form::rapidbin:
      return format_named("rapidbin");
    case form::std:
      return format_named("std");
    case form::cloudsuite:
      return format_named("cloudsuite");
    default:
      return in.name == "cloudsuite" ? in : format_named("champsim");
  }
}

// Whether a trace of format `in` can become one of format `out`.
inline bool convertible(const format& in, const format& out) {
  if (out.name == "umtracer") return in.name == "x64dbg" || &in == &out;
  if (&in == &out || in.family == out.family) return &in == &out || is_of_events(in);
  return is_of_records(out);
}

}  // namespace convert
