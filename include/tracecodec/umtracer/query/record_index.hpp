// An index of the records, made on request: it answers filter.hpp's question without reading those
// that are not wanted.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "../../config.hpp"
#include "filter.hpp"

namespace tracecodec::umtracer {

// Which records each thread has, each module, and each type. build_record_index() makes one.
// Memory: 24 bytes for each record.
class record_index {
 public:
  // Reads the whole trace once. Throws trace_error as reader::operator[] and reader::row_of().
  explicit record_index(const reader& trace);

  // The records that filtered() would give, ascending.
  [[nodiscard]] std::vector<std::uint64_t> filtered(const record_filter& wanted) const;

 private:
  using ids = std::vector<std::uint64_t>;

  template <class Map> static const ids& list_of(const Map& all, typename Map::key_type key) {
    static const ids none;
    const auto found = all.find(key);
    return found == all.end() ? none : found->second;
  }
  [[nodiscard]] ids of_types(const exec_types& types) const;
  // Leaves of `found` what is in `list` too; all of that at first.
  static void narrow(std::optional<ids>& found, const ids& list, const record_filter& wanted);

  std::map<std::uint32_t, ids> by_thread_ = {};
  std::map<std::int32_t, ids> by_module_ = {};
  std::array<ids, 256> by_type_ = {};
};

// Throws as record_index's constructor.
inline record_index build_record_index(const reader& trace) { return record_index(trace); }

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/record_index.ipp"
#endif
