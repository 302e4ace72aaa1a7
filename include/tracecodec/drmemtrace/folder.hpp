// Folders with a file for each thread or core as one trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../file/merge.hpp"
#include "trace_file.hpp"

namespace tracecodec::drmemtrace {

// Order of the records of a folder: one file after the other, or by the timestamps of all threads.
enum class order : std::uint8_t { thread, time };

// Rule for file::merged_source: a section begins at a timestamp, and a later section of a file begins
// with its thread.
template <target T> class time_rule {
 public:
  using codec = drmemtrace::codec<T>;
  explicit time_rule(bool merges) noexcept : merges_(merges) {}

  std::optional<std::uint64_t> key(const entry<T>& e) noexcept {
    if (e.is(record_type::thread)) thread_ = e;
    if (e.is(marker::chunk_footer)) repeats_ = true;
    // The first timestamp of a chunk is that of the previous chunk.
    if (!merges_ || !e.is(marker::timestamp) || std::exchange(repeats_, false)) return std::nullopt;
    return e.value;
  }
  [[nodiscard]] std::optional<entry<T>> resume() const noexcept { return thread_; }

 private:
  std::optional<entry<T>> thread_ = {};
  bool merges_, repeats_ = false;
};

// Opens the files `paths`, of which there is at least one, as one trace called `name`. All files must
// have records of the size of the first one's.
inline io::input open_files(std::vector<std::string> paths, const std::string& name,
                            const io::open_options& options, order by) {
  const auto width = target_of(io::open_input(paths.front(), options).peek(io::input::peek_limit));
  const auto open = [&]<target T>() {
    return io::open_sources(
        [paths, options, by]() -> std::unique_ptr<io::source> {
          return std::make_unique<file::merged_source<time_rule<T>>>(paths, options,
                                                                     by == order::time);
        },
        name, {.compression = io::codec::none});
  };
  return width == target::x86 ? open.template operator()<target::x86>()
                              : open.template operator()<target::x64>();
}

}  // namespace tracecodec::drmemtrace
