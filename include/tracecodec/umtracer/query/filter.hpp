// Selects records by thread, module, type or address while a trace is read.
#pragma once
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "../reader/addresses.hpp"

namespace tracecodec::umtracer {

// Set of record types. An empty set stands for all types.
class exec_types {
 public:
  exec_types() = default;
  exec_types(std::initializer_list<exec_type> all) {
    for (const exec_type t : all) set_.set(static_cast<std::size_t>(t));
  }
  [[nodiscard]] bool all() const noexcept { return set_.none() || set_.all(); }
  [[nodiscard]] bool has(exec_type t) const noexcept {
    return set_.none() || set_.test(static_cast<std::size_t>(t));
  }

 private:
  std::bitset<256> set_ = {};
};

// Conditions on a record. A record matches if it satisfies all conditions.
struct record_filter {
  std::optional<std::uint32_t> thread = {};  // id of the thread (thread_record::id)
  // Module number of the instructions to accept, or -1 for instructions outside all modules
  // (insRec::ModuleID). If a module is set, records of other types are not accepted.
  std::optional<std::int32_t> module = {};
  exec_types types = {};
  // Range of record ids. `to` is one past the last id.
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

// Input range of the records in [from, to) for which `Accept` returns true. `Accept` is called with
// a record_view. The trace must outlive the range. Throws the exceptions of the reader and of
// `Accept`.
template <class Accept> class record_range {
 public:
  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = record_view;
    using difference_type = std::ptrdiff_t;
    explicit iterator(const record_range& range) : range_(&range), id_(range.from_) { find(); }
    [[nodiscard]] record_view operator*() const { return (*range_->trace_)[id_]; }
    iterator& operator++() {
      ++id_;
      find();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.at_end(); }

   private:
    [[nodiscard]] bool at_end() const { return id_ >= range_->to_; }
    void find() {
      while (!at_end() && !range_->accept_((*range_->trace_)[id_])) ++id_;
    }
    const record_range* range_;
    std::uint64_t id_;
  };

  record_range(const reader& trace, std::uint64_t from, std::uint64_t to, Accept accept)
      : trace_(&trace), from_(from), to_(std::min(to, trace.size())), accept_(std::move(accept)) {}
  [[nodiscard]] iterator begin() const { return iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

 private:
  const reader* trace_;
  std::uint64_t from_, to_;
  Accept accept_;
};

namespace detail {
class filter_test {
 public:
  filter_test(const reader& trace, const record_filter& filter) : trace_(&trace), filter_(filter) {}
  TRACECODEC_INLINE bool operator()(const record_view& r) const {
    if (filter_.thread && r.thread() != *filter_.thread) return false;
    if (!filter_.types.has(r.type())) return false;
    return !filter_.module || (r.type() == exec_type::instruction &&
                               trace_->instructions().rows().get<&instruction_record::module_id>(
                                   trace_->row_of(r)) == *filter_.module);
  }

 private:
  const reader* trace_;
  record_filter filter_;
};
// Predicate that accepts executions of the instructions in `rows`, which must be in ascending
// order.
class execution_test {
 public:
  execution_test(const reader& trace, std::vector<std::size_t> rows)
      : trace_(&trace), rows_(std::move(rows)) {}
  TRACECODEC_INLINE bool operator()(const record_view& r) const {
    return r.type() == exec_type::instruction &&
           std::binary_search(rows_.begin(), rows_.end(), trace_->row_of(r));
  }

 private:
  const reader* trace_;
  std::vector<std::size_t> rows_;
};
}  // namespace detail

// Returns the records that match `filter`. Example: for (auto r : filtered(trace, {.thread = 3}))
record_range<detail::filter_test> filtered(const reader& trace, const record_filter& filter);

// Returns the executions of the instructions at `address`, starting at record `from`.
record_range<detail::execution_test> executions(const reader& trace, std::uint64_t address,
                                                std::uint64_t from = 0);

inline record_range<detail::filter_test> filtered(const reader& trace,
                                                  const record_filter& filter) {
  return {trace, filter.from, filter.to, detail::filter_test(trace, filter)};
}

inline record_range<detail::execution_test> executions(const reader& trace, std::uint64_t address,
                                                       std::uint64_t from) {
  std::vector<std::size_t> rows = rows_at(trace, address);
  const std::uint64_t to = rows.empty() ? from : trace.size();
  return {trace, from, to, detail::execution_test(trace, std::move(rows))};
}

}  // namespace tracecodec::umtracer
