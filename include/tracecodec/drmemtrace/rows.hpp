// Records of drmemtrace traces as rows of text (rows/): JSON lines and CSV. Markers are rows.
#pragma once
#include <cstdint>
#include <string_view>

#include "../rows/columns.hpp"
#include "layout.hpp"

namespace tracecodec::drmemtrace {

struct row {
  std::uint64_t index = 0;     // number of the record in the trace
  std::uint32_t thread = 0;    // thread of the record
  std::string_view type = {};  // name of the type, or empty if it is unknown
  std::string_view kind = {};  // name of a marker
  std::uint16_t size = 0;
  rows::address value = {};
};

// Maker of rows from all records of a trace in order.
class row_maker {
 public:
  // Returns true for a record without a row: the first timestamp and cpu_id of a chunk repeat those of
  // the previous chunk.
  template <target T> constexpr bool hides(const entry<T>& e) noexcept {
    if (e.is(marker::chunk_footer)) return time_ = cpu_ = true, false;
    if (e.is(record_type::thread)) thread_ = static_cast<std::uint32_t>(e.value);
    if (e.is(marker::timestamp)) return std::exchange(time_, false);
    return e.is(marker::cpu_id) && std::exchange(cpu_, false);
  }
  template <target T> constexpr row row_of(std::uint64_t index, const entry<T>& e) const noexcept {
    const bool marks = e.is(record_type::marker);
    return {index,        thread_,
            name(e.type), marks ? name(static_cast<marker>(e.size)) : std::string_view(),
            e.size,       {e.value}};
  }

 private:
  std::uint32_t thread_ = 0;
  bool time_ = false, cpu_ = false;  // true if the next such marker is a repetition
};

}  // namespace tracecodec::drmemtrace
