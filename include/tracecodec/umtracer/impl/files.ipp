// The functions of umtracer/files.hpp.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../../io/input/mapped_file.hpp"
#include "../../io/os/os.hpp"
#include "../../io/os/path.hpp"
#include "../files.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC void require_trace_folder(const std::string& folder) {
  if (io::os::facts_of(folder).what != io::os::kind::directory)
    throw trace_error(trace_errc::not_a_trace, {.file = folder},
                      "an UMTracer trace is a folder, and this is none");
  if (io::os::facts_of(folder + "/exec.vtable").what == io::os::kind::missing)
    throw trace_error(trace_errc::not_a_trace, {.file = folder},
                      "is a directory, but no UMTracer trace: it has no exec.vtable");
}

TRACECODEC_FUNC bool is_part_of_trace(const std::string& path) {
  const std::size_t at = io::file_name_at(path);
  return std::find(file_names.begin(), file_names.end(), path.substr(at)) != file_names.end() &&
         io::os::facts_if_any(path.substr(0, at) + "exec.vtable").what != io::os::kind::missing;
}

struct trace_files::mapped {
  std::vector<io::mapped_file> files = {};
};

TRACECODEC_FUNC trace_files::trace_files(const std::string& folder)
    : folder_(folder), mapped_(std::make_unique<mapped>()) {
  require_trace_folder(folder);
  for (std::size_t i = 0; i < file_count; ++i) {
    const std::string path = this->path(static_cast<file>(i));
    if (io::os::facts_of(path).what == io::os::kind::missing) continue;
    contents_[i] = mapped_->files.emplace_back(path).bytes();
  }
}
TRACECODEC_FUNC trace_files::trace_files(const contents& all, std::string folder)
    : folder_(std::move(folder)), contents_(all) {}
TRACECODEC_FUNC trace_files::trace_files(trace_files&&) noexcept = default;
TRACECODEC_FUNC trace_files& trace_files::operator=(trace_files&&) noexcept = default;
TRACECODEC_FUNC trace_files::~trace_files() = default;

TRACECODEC_FUNC void trace_files::check() const {
  if (mapped_ == nullptr) return;
  for (const io::mapped_file& f : mapped_->files) f.check();
}
TRACECODEC_FUNC void trace_files::require(file f) const {
  if (!has(f)) throw trace_error(trace_errc::not_a_trace, {.file = path(f)}, "missing");
}
TRACECODEC_FUNC void trace_files::fail(file f, trace_errc code, std::optional<std::uint64_t> offset,
                                       std::optional<std::uint64_t> record, std::string_view field,
                                       const std::string& why) const {
  throw trace_error(code, {path(f), offset, record, std::string(field)}, why);
}

}  // namespace tracecodec::umtracer
