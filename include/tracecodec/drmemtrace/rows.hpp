// Records of drmemtrace traces as rows of text (rows/): JSON lines and CSV. Markers are rows.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "../rows/columns.hpp"
#include "trace_file.hpp"

namespace tracecodec::drmemtrace {

struct row {
  std::uint64_t index = 0;     // number of the record in the trace
  std::uint32_t thread = 0;    // thread of the record
  std::string_view type = {};  // name of the type, or empty if it is unknown
  std::string_view kind = {};  // name of a marker
  std::uint16_t size = 0;
  rows::address value = {};
  // Last timestamp of the file, and the cpu at that time; null if they are unknown.
  std::optional<std::uint64_t> time = {}, cpu = {};
};

// Reader of rows. The first timestamp and cpu_id of a chunk have no rows, because they repeat those of
// the previous chunk.
class row_reader {
 public:
  // Throws trace_error(not_a_trace). If `thread` is set, reads only the records of this thread.
  explicit row_reader(io::input in, std::optional<std::uint32_t> thread = {})
      : from_(open_reader(std::move(in))), only_(thread) {}

  // Replaces `to` by the next rows, of which there are none at the end. Throws the errors of
  // file::reader.
  void next(std::vector<row>& to) {
    to.clear();
    from_.with([&](auto& reader) {
      do {
        std::uint64_t index = reader.position();
        const auto b = reader.next();
        if (b.size() == 0) return;
        for (const auto& e : b) add(to, index++, e);
      } while (to.empty());
    });
  }
  [[nodiscard]] std::optional<double> progress() const { return from_.progress(); }

 private:
  template <target T> void add(std::vector<row>& to, std::uint64_t index, const entry<T>& e) {
    if (e.is(record_type::thread)) thread_ = static_cast<std::uint32_t>(e.value);
    if (e.is(marker::chunk_footer)) repeats_ = 2;
    if (e.is(record_type::header)) time_.reset(), cpu_.reset();
    if (e.is(marker::timestamp)) time_ = e.value, cpu_.reset();
    if (e.is(marker::cpu_id) && e.value != std::numeric_limits<wire::word_t<T>>::max())
      cpu_ = e.value;
    if (repeats_ != 0 && (e.is(marker::timestamp) || e.is(marker::cpu_id))) {
      --repeats_;
      return;
    }
    if (only_ && *only_ != thread_) return;
    const bool marks = e.is(record_type::marker);
    to.push_back({index, thread_, name(e.type),
                  marks ? name(static_cast<marker>(e.size)) : std::string_view(), e.size,
                  rows::address{e.value}, time_, cpu_});
  }

  any_reader from_;
  std::optional<std::uint32_t> only_;
  std::uint32_t thread_ = 0;
  std::optional<std::uint64_t> time_ = {}, cpu_ = {};
  unsigned repeats_ = 0;  // number of further repeated records
};

}  // namespace tracecodec::drmemtrace
