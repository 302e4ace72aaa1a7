// The format of what trace_convert writes: by --to, by OUT's name, or the one that fits the input.
#pragma once
#include <tracecodec/format/own_options.hpp>
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

using format = tracecodec::format::facts;

// The forms of rows of text, which are not a trace.
enum class row_form : std::uint8_t { jsonl, csv };

// Returns the form that OUT's name has; nullopt if the name is not one of rows.
inline std::optional<row_form> rows_of_name(const std::string& path) {
  const examples::output_name name(path);
  if (name.says(examples::form::jsonl)) return row_form::jsonl;
  if (name.says(examples::form::csv)) return row_form::csv;
  return std::nullopt;
}

// Returns whether OUT is a folder: by its name, or because the folder exists.
inline bool is_folder(const std::string& path) {
  std::error_code ignored;
  namespace io = tracecodec::io;
  return io::ends_with_separator(path) || std::filesystem::is_directory(io::path_of(path), ignored);
}

// Returns the format that the options for an output are for, whatever OUT's name is; null if they leave it open.
const format* format_of_options(const tracecodec::format::own_options& output);
// Returns the format for a trace of format `in`, by OUT's name. If the name has the suffix of a format, that format is
// returned even if the trace cannot be written so.
const format& format_of_name(const format& in, const std::string& path);

}  // namespace convert
