// Implementation of trace/input_files.hpp.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "../../io/os/filesystem.hpp"
#include "../../io/os/os.hpp"
#include "../../io/os/path.hpp"
#include "../../io/output/engine/temporary.hpp"
#include "../../program/map.hpp"
#include "../formats.hpp"
#include "../input_files.hpp"

namespace tracecodec::trace {

namespace detail {
using io::os::kind;
using io::os::same;

// Returns the properties of a file, or kind::missing if the properties cannot be read.
TRACECODEC_FUNC io::os::facts facts_of(const std::string& path) {
  return io::os::facts_if_any(path);
}
TRACECODEC_FUNC io::os::facts facts_of(io::os::descriptor (*standard_stream)()) {
  try {
    return io::os::facts_of(standard_stream(), {});
  } catch (const trace_error&) {
    return {};
  }
}
TRACECODEC_FUNC io::os::facts input_facts(const std::string& file) {
  return file == "-" ? facts_of(io::os::standard_input) : facts_of(file);
}
// Returns true if `path` is inside `folder`, at any depth. `path` need not exist.
TRACECODEC_FUNC bool lies_in(const std::string& path, const io::os::facts& folder) {
  const auto above = [](std::string at) {
    at.resize(io::file_name_at(at));
    // Remove trailing separators, but keep the separator of a drive, because C:\ is a folder and C:
    // is not.
    const auto drive = [&] { return io::has_drives && at[at.size() - 2] == ':'; };
    while (at.size() > 1 && io::ends_with_separator(at) && !drive()) at.pop_back();
    return at;
  };
  std::string at;
  try {
    at = io::detail::resolve_links(path, path);
  } catch (const trace_error&) {
    return false;  // for example a loop of symbolic links
  }
  std::error_code missing;
  const auto real_path = [&missing](const std::string& name) {
    return io::name_of(std::filesystem::canonical(io::path_of(name.empty() ? "." : name), missing));
  };
  std::string real = real_path(at);
  if (!missing) real = above(real);
  // If a path does not exist, use the real path of the nearest existing folder.
  while (missing) {
    const std::string up = above(at);
    if (up == at) return false;
    at = up;
    real = real_path(at);
  }
  for (;;) {
    if (same(facts_of(real), folder)) return true;
    const std::string up = above(real);
    if (up.empty() || up == real) return false;
    real = up;
  }
}

}  // namespace detail

TRACECODEC_FUNC input_files::input_files(std::string path, const format::open_options& o,
                                         const format::facts* f)
    : trace_(std::move(path)) {
  const format::facts* const folder = trace_ != "-" ? detail::format_of_folder(trace_) : nullptr;
  folder_ = trace_ != "-" && detail::facts_of(trace_).what == io::os::kind::directory;
  all_.push_back(trace_);
  if (folder != nullptr)
    for (const std::string_view name : folder->folder_files)
      all_.push_back(trace_ + '/' + std::string(name));
  else if (f != nullptr && trace_ != "-")
    all_.push_back(f->beside != nullptr ? f->beside(trace_) : maps_path(trace_));
  if (o.maps && !o.maps->empty()) all_.push_back(*o.maps);
  for (const format::symbol_file& file : o.symbols) all_.push_back(file.path);
  for (const format::facts* const one : formats::all)
    for (const format::option* const own : one->options)
      if (own->files != nullptr)
        for (std::string& file : own->files(o.own)) all_.push_back(std::move(file));
}

TRACECODEC_FUNC std::optional<overwritten_file> input_files::overwritten_by(
    const std::string& out) const {
  using namespace detail;
  using relation = overwritten_file::relation;
  const io::os::facts there = out == "-" ? facts_of(io::os::standard_output) : facts_of(out);
  for (const std::string& file : all_)
    if (same(input_facts(file), there)) return overwritten_file{relation::same, file};
  if (out == "-") return std::nullopt;
  if (folder_ && lies_in(out, facts_of(trace_))) return overwritten_file{relation::inside, trace_};
  if (there.what == kind::directory)
    for (const std::string& file : all_)
      if (file != "-" && input_facts(file).what != kind::missing && lies_in(file, there))
        return overwritten_file{relation::around, file};
  return std::nullopt;
}

}  // namespace tracecodec::trace
