// Executed instructions of a trace by address, found in an index.
#pragma once
#include <cstdint>
#include <optional>

#include "../analysis/address_span.hpp"
#include "../config.hpp"
#include "checked_file.hpp"
#include "posting_set.hpp"

namespace tracecodec::query {

inline constexpr posting_form execution_form{
    .granule_bits = execution_granule_bits, .changes = false, .masks = true};

// Executions in an index. The functions throw trace_error(corrupt) if they read damaged content.
// Several threads may use one object.
class execution_index {
 public:
  // `file` must outlive the object. Throws trace_error(refused) if the index lacks the section of
  // executions.
  explicit execution_index(const checked_file& file);

  // Returns the number of the last instruction before `before` whose first byte is at one of the
  // addresses, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> last(const analysis::address_span& ips,
                                                  std::uint64_t before) const;
  // Returns the number of the first such instruction from `from` on, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> first(const analysis::address_span& ips,
                                                   std::uint64_t from) const;

  [[nodiscard]] const posting_set& postings() const noexcept { return runs_; }

 private:
  template <class List> std::optional<std::uint64_t> last_in(const List& list, byte_mask mask,
                                                             std::uint64_t before) const;
  template <class List>
  std::optional<std::uint64_t> first_in(const List& list, byte_mask mask, std::uint64_t from) const;

  const checked_file* file_;
  posting_set runs_;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/execution_index.ipp"
#endif
