// What trace_convert writes: by --to, or by OUT's name, or what fits the input.
#pragma once
#include <tracecodec/feed/open.hpp>
#include <tracecodec/io/filesystem.hpp>
#include <tracecodec/io/path.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace convert {

using tracecodec::feed::format;

// "x.trace64" of "x.trace64.xz".
inline std::string_view without_compression(std::string_view path) {
  for (const std::string_view suffix : {".xz", ".gz", ".zst"})
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  return path;
}

// Whether a name is that of an x64dbg trace, and of which width: 32, 64, or 0 if it is none.
inline int x64dbg_width(std::string_view path) {
  const std::string_view name = without_compression(path);
  return name.ends_with(".trace64") ? 64 : name.ends_with(".trace32") ? 32 : 0;
}

// Text of rows, which is no trace.
enum class row_form : std::uint8_t { jsonl, csv };

// The form that OUT's name asks for, if it does.
inline std::optional<row_form> rows_of_name(std::string_view path) {
  const std::string_view name = without_compression(path);
  if (name.ends_with(".jsonl")) return row_form::jsonl;
  if (name.ends_with(".csv")) return row_form::csv;
  return std::nullopt;
}

// The ending of a name by which other programs know a form that is not written here: ".json" of
// "x.json.gz"; empty if there is none. A trace under it would be taken for what it is not.
inline std::string_view foreign_ending(std::string_view path) {
  static constexpr std::array<std::string_view, 14> all{
      ".json",    ".ndjson", ".tsv",    ".txt", ".xml", ".html",  ".htm",
      ".parquet", ".db",     ".sqlite", ".zip", ".tar", ".JSONL", ".CSV"};
  const std::string_view name = without_compression(path);
  for (const std::string_view ending : all)
    if (name.ends_with(ending)) return ending;
  return {};
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
  if (x64dbg_width(path) != 0) return format::x64dbg;
  const std::string_view name = without_compression(path);
  if (name.ends_with(".data") || name.ends_with(".rapidbin")) return format::rapidbin;
  if (name.ends_with(".std")) return format::std;
  return in == format::cloudsuite ? in : format::champsim;
}

// Whether a trace of format `in` can become one of format `out`.
constexpr bool convertible(format in, format out) {
  using tracecodec::feed::has_events;
  if (out == format::umtracer) return in == format::x64dbg;
  if (in == out || (has_events(in) && has_events(out))) return true;
  const bool records = out == format::champsim || out == format::cloudsuite;
  return records && (in == format::x64dbg || in == format::umtracer || has_events(in));
}

}  // namespace convert
