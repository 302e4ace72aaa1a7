// An index of memory and addresses, made on request: it answers the questions of memory_at.hpp and
// memory_access.hpp, and what executes an address, without reading the records between.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../config.hpp"
#include "../reader/addresses.hpp"
#include "memory_access.hpp"
#include "memory_at.hpp"

namespace tracecodec::umtracer {

// Which records touch each page of 4 KiB, which execute each instruction, and which were not
// instrumented. build_index() makes one. The trace must outlive it. Memory: 16 bytes for each
// record and page it touches, 8 bytes for each instruction record.
class trace_index {
 public:
  // Reads the whole trace once. Throws trace_error as memory_events() and row_of(); bad_value for a
  // context whose pieces of memory share bytes, so that the index would outgrow the trace.
  explicit trace_index(const reader& trace);

  // The records that execute row `row`, which must exist, ascending.
  [[nodiscard]] std::span<const std::uint64_t> executions_of_row(std::size_t row) const;
  // The records that execute the instructions at `address`, ascending, from record `from` on.
  [[nodiscard]] std::vector<std::uint64_t> executions(std::uint64_t address,
                                                      std::uint64_t from = 0) const;

  // As the functions of the same names.
  [[nodiscard]] std::optional<memory_access> last_access(std::uint64_t n, memory_span wanted,
                                                         std::uint8_t kinds) const;
  [[nodiscard]] std::optional<memory_access> last_write(std::uint64_t n, memory_span wanted) const;
  [[nodiscard]] std::optional<memory_access> next_access(
      std::uint64_t n, memory_span wanted,
      std::uint8_t kinds = access_kinds::read | access_kinds::write) const;
  [[nodiscard]] memory_state memory_at(std::uint64_t n, memory_span wanted,
                                       moment when = moment::before) const;

 private:
  // A record that touches a page, in all the ways it does.
  struct page_use {
    std::uint64_t page;
    std::uint64_t id_and_kinds;
    [[nodiscard]] std::uint64_t id() const noexcept { return id_and_kinds >> 3; }
    friend bool operator<(const page_use& a, const page_use& b) noexcept {
      return a.page != b.page ? a.page < b.page : a.id_and_kinds < b.id_and_kinds;
    }
  };
  struct page_uses {
    const page_use* from;
    const page_use* to;
    friend bool operator<(const page_uses& a, const page_uses& b) noexcept {
      return (a.to - 1)->id() < (b.to - 1)->id();
    }
  };
  static constexpr unsigned page_bits = 12;

  static std::uint64_t last_page(memory_span m) noexcept;
  void add_pages(std::uint64_t id, const memory_event& e);
  // By page and record, each pair once.
  void sort_pages();

  // Calls f(from, to) with the uses of each page that has a byte of `wanted`.
  template <class F> void pages_of(memory_span wanted, F f) const {
    if (wanted.size == 0) return;
    const page_use* const end = uses_.data() + uses_.size();
    const page_use* at =
        std::lower_bound(uses_.data(), end, page_use{wanted.address >> page_bits, 0});
    for (const std::uint64_t last = last_page(wanted); at != end && at->page <= last;) {
      const page_use* const from = at;
      at = std::partition_point(from, end, [from](page_use u) { return u.page == from->page; });
      f(from, at);
    }
  }
  [[nodiscard]] std::optional<memory_access> access(page_use u, memory_span wanted,
                                                    std::uint8_t kinds, bool last) const;

  const reader* trace_;
  std::vector<page_use> uses_ = {};
  std::vector<std::uint64_t> off_ = {};                       // records that were not instrumented
  std::vector<std::uint64_t> starts_ = {}, executions_ = {};  // of each row, in executions_
};

// Reads the whole trace once; throws as the constructor.
inline trace_index build_index(const reader& trace) { return trace_index(trace); }

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/index.ipp"
#endif
