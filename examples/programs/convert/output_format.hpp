// Selects trace_convert's output format by --to, by OUT's name, or by the input's format.
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

// Form of the text rows in OUT. Used if OUT is not a trace.
enum class row_form : std::uint8_t { jsonl, csv };

// Returns the row form that OUT's name implies; nullopt for other names.
inline std::optional<row_form> rows_of_name(const std::string& path) {
  const examples::output_name name(path);
  if (name.says(examples::form::jsonl)) return row_form::jsonl;
  if (name.says(examples::form::csv)) return row_form::csv;
  return std::nullopt;
}

// Returns true if OUT is a folder: its name ends in a separator, or the folder exists.
inline bool is_folder(const std::string& path) {
  std::error_code ignored;
  namespace io = tracecodec::io;
  return io::ends_with_separator(path) || std::filesystem::is_directory(io::path_of(path), ignored);
}

// Returns the format that the output options imply, regardless of OUT's name. Returns null if they
// do not imply a format.
const format* format_of_options(const tracecodec::format::own_options& output);
// Returns the format that OUT's name implies for a trace of format `in`. A format that uses OUT's
// suffix is returned even if trace_convert cannot convert format `in` to it.
const format& format_of_name(const format& in, const std::string& path);

}  // namespace convert
