// Memory-maps the eleven files of a trace.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/input/mapped_file.hpp"
#include "../io/os/os.hpp"
#include "../io/os/path.hpp"
#include "../wire/result.hpp"

namespace tracecodec::umtracer {

// Files of a trace, in the order of file_names.
enum class file : std::uint8_t {
  exec_records,
  exec_offsets,
  exec_neighbours,
  instructions,
  modules,
  threads,
  context_map,
  address_ranges,
  syscall_records,
  syscall_offsets,
  xml
};
inline constexpr std::size_t file_count = 11;
// File names in the trace's folder, indexed by static_cast<std::size_t>(file).
inline constexpr std::array<std::string_view, file_count> file_names{"exec.vtable",
                                                                     "exec.offsets",
                                                                     "exec.prev_next.column",
                                                                     "ins.itable",
                                                                     "module.itable",
                                                                     "thread.itable",
                                                                     "context_map.itable",
                                                                     "address_space.itable",
                                                                     "syscall.vtable",
                                                                     "syscall.offsets",
                                                                     "trace.xml"};
// Returns the name of a file, such as "exec.vtable" for file::exec_records.
constexpr std::string_view name(file f) noexcept { return file_names[static_cast<std::size_t>(f)]; }

// Throws trace_error(not_a_trace) if `folder` is not a directory or has no exec.vtable. Throws
// trace_error(system) if the operating system cannot determine whether the folder and the file
// exist.
void require_trace_folder(const std::string& folder);

// Returns true if `path` ends with one of the eleven file names and exec.vtable exists in the same
// folder.
bool is_part_of_trace(const std::string& path);

// Contents of a trace's files. The files are either mapped from a folder or located in the caller's
// memory, which must outlive this object. Moving the object does not move the bytes, so views
// remain valid.
class trace_files {
 public:
  using contents = std::array<std::optional<std::span<const std::byte>>, file_count>;

  // Maps each of the eleven files that exists in `folder`. Throws the errors of
  // require_trace_folder(), and trace_error(system) if a file cannot be read.
  explicit trace_files(const std::string& folder);
  // Uses bytes that are already in memory. `folder` appears only in error messages.
  trace_files(const contents& all, std::string folder);
  trace_files(trace_files&&) noexcept;
  trace_files& operator=(trace_files&&) noexcept;
  ~trace_files();

  [[nodiscard]] bool has(file f) const {
    return contents_[static_cast<std::size_t>(f)].has_value();
  }
  // Returns the contents of a file, or an empty span if the file is missing.
  [[nodiscard]] std::span<const std::byte> operator[](file f) const {
    return contents_[static_cast<std::size_t>(f)].value_or(std::span<const std::byte>{});
  }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string path(file f) const { return io::joined(folder_, name(f)); }

  // Throws trace_error(system) if a file has become shorter since it was mapped.
  void check() const;
  // Throws trace_error(not_a_trace) if the file is missing.
  void require(file f) const;
  // Decodes the header that starts at offset `at` of the file. Throws:
  // - trace_error(not_a_trace) if the file is missing
  // - trace_error(truncated) if the file ends inside the header
  // - trace_error(bad_value), with the field, if a field does not have the value that the format
  //   requires
  template <class Codec>
  [[nodiscard]] typename Codec::value_type header(file f, std::size_t at = 0) const {
    require(f);
    const auto all = (*this)[f];
    typename Codec::value_type h{};
    const auto r = Codec::decode(all.subspan(std::min(at, all.size())), h);
    if (r.error == wire::errc::truncated)
      fail(f, trace_errc::truncated, at + r.used, {}, r.field, "the file ends inside its header");
    if (!r)
      Codec::walk(h, [&](std::string_view name, const auto& value) {
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(value)>>)
          if (name == r.field)
            fail(f, trace_errc::bad_value, at + r.used, {}, r.field,
                 std::to_string(value) + ", expected " +
                     std::string(Codec::constant_text(r.field).view()));
      });
    return h;
  }
  // Throws trace_error with `code` and the path of file `f`.
  [[noreturn]] void fail(file f, trace_errc code, std::optional<std::uint64_t> offset,
                         std::optional<std::uint64_t> record, std::string_view field,
                         const std::string& why) const;

 private:
  struct mapped;
  std::string folder_;
  std::unique_ptr<mapped> mapped_;
  contents contents_ = {};
};

inline void require_trace_folder(const std::string& folder) {
  if (io::os::facts_of(folder).what != io::os::kind::directory)
    throw trace_error(trace_errc::not_a_trace, {.file = folder},
                      "an UMTracer trace is a folder, not a file");
  if (io::os::facts_of(folder + "/exec.vtable").what == io::os::kind::missing)
    throw trace_error(trace_errc::not_a_trace, {.file = folder},
                      "is a directory but not an UMTracer trace: it lacks exec.vtable");
}

inline bool is_part_of_trace(const std::string& path) {
  const std::size_t at = io::file_name_at(path);
  return std::find(file_names.begin(), file_names.end(), path.substr(at)) != file_names.end() &&
         io::os::facts_if_any(path.substr(0, at) + "exec.vtable").what != io::os::kind::missing;
}

struct trace_files::mapped {
  std::vector<io::mapped_file> files = {};
};

inline trace_files::trace_files(const std::string& folder)
    : folder_(folder), mapped_(std::make_unique<mapped>()) {
  require_trace_folder(folder);
  for (std::size_t i = 0; i < file_count; ++i) {
    const std::string path = this->path(static_cast<file>(i));
    if (io::os::facts_of(path).what == io::os::kind::missing) continue;
    contents_[i] = mapped_->files.emplace_back(path).bytes();
  }
}
inline trace_files::trace_files(const contents& all, std::string folder)
    : folder_(std::move(folder)), contents_(all) {}
inline trace_files::trace_files(trace_files&&) noexcept = default;
inline trace_files& trace_files::operator=(trace_files&&) noexcept = default;
inline trace_files::~trace_files() = default;

inline void trace_files::check() const {
  if (mapped_ == nullptr) return;
  for (const io::mapped_file& f : mapped_->files) f.check();
}
inline void trace_files::require(file f) const {
  if (!has(f)) throw trace_error(trace_errc::not_a_trace, {.file = path(f)}, "missing");
}
inline void trace_files::fail(file f, trace_errc code, std::optional<std::uint64_t> offset,
                              std::optional<std::uint64_t> record, std::string_view field,
                              const std::string& why) const {
  throw trace_error(code, {path(f), offset, record, std::string(field)}, why);
}

}  // namespace tracecodec::umtracer
