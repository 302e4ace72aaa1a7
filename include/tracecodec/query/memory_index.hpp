// Memory accesses of a trace, found in an index.
#pragma once
#include <cstdint>
#include <optional>

#include "../config.hpp"
#include "accesses.hpp"
#include "checked_file.hpp"
#include "posting_set.hpp"

namespace tracecodec::query {

// Accesses in an index. The functions throw trace_error(corrupt) if they read damaged content.
// Several threads may use one object.
class memory_index {
 public:
  // `file` must outlive the object. Throws trace_error(refused) if the index lacks the
  // sections of accesses.
  explicit memory_index(const checked_file& file);

  // Returns true if the results for `q` are exact. Otherwise, compare each result with the trace: the
  // instruction accesses the same granules, but perhaps other bytes of them.
  [[nodiscard]] bool is_exact(const access_query& q) const noexcept {
    return writes_.form().masks && !q.only_changes;
  }
  // Returns true if the index distinguishes writes that change the value. Otherwise, every write
  // counts as a change.
  [[nodiscard]] bool has_changes() const noexcept { return writes_.form().changes; }

  // Returns the number of the last instruction before `before` with such an access, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> last(const access_query& q,
                                                  std::uint64_t before) const;
  // Returns the number of the first instruction from `from` on with such an access, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> first(const access_query& q, std::uint64_t from) const;

  [[nodiscard]] const posting_set& writes() const noexcept { return writes_; }
  [[nodiscard]] const posting_set& reads() const noexcept { return reads_; }

 private:
  posting_set writes_, reads_;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/memory_index.ipp"
#endif
