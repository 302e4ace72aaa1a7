// The functions of umtracer/query/index.hpp.
#pragma once
#include <limits>
#include <queue>
#include <utility>

#include "../index.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC trace_index::trace_index(const reader& trace) : trace_(&trace) {
  std::vector<std::uint64_t> counts(trace.instructions().size() + 1);
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    const record_view r = trace[id];
    if ((r.flags() & exec_flags::instrumentation_off) != 0) off_.push_back(id);
    if (r.type() == exec_type::instruction) ++counts[trace.row_of(r) + 1];
    std::size_t shown = 0;
    memory_events(trace, r, [&](const memory_event& e) {
      shown += e.bytes.size();
      if (r.has_context() && shown > r.data().size())
        r.fail(trace_errc::bad_value, exec_record_codec::size, "memory",
               "the record shows more memory than it has bytes");
      add_pages(id, e);
    });
  }
  sort_pages();
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  executions_.resize(static_cast<std::size_t>(counts.back()));
  starts_ = counts;
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    const record_view r = trace[id];
    if (r.type() != exec_type::instruction) continue;
    // Not beyond what was counted: a mapped file may have changed since.
    const std::size_t row = trace.row_of(r);
    if (counts[row] != starts_[row + 1]) executions_[static_cast<std::size_t>(counts[row]++)] = id;
  }
}
TRACECODEC_FUNC std::span<const std::uint64_t> trace_index::executions_of_row(
    std::size_t row) const {
  return std::span(executions_)
      .subspan(static_cast<std::size_t>(starts_[row]),
               static_cast<std::size_t>(starts_[row + 1] - starts_[row]));
}
TRACECODEC_FUNC std::vector<std::uint64_t> trace_index::executions(std::uint64_t address,
                                                                   std::uint64_t from) const {
  std::vector<std::uint64_t> all;
  for (const std::size_t row : rows_at(*trace_, address)) {
    const auto ids = executions_of_row(row);
    all.insert(all.end(), std::lower_bound(ids.begin(), ids.end(), from), ids.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}
TRACECODEC_FUNC std::optional<memory_access> trace_index::last_access(std::uint64_t n,
                                                                      memory_span wanted,
                                                                      std::uint8_t kinds) const {
  std::optional<memory_access> found;
  pages_of(wanted, [&](const page_use* from, const page_use* to) {
    const page_use* at = std::partition_point(from, to, [n](page_use u) { return u.id() < n; });
    while (at != from && !(found && (at - 1)->id() <= found->record))
      if (const auto a = access(*--at, wanted, kinds, true)) {
        found = a;
        break;
      }
  });
  return found;
}
TRACECODEC_FUNC std::optional<memory_access> trace_index::last_write(std::uint64_t n,
                                                                     memory_span wanted) const {
  return last_access(n, wanted, access_kinds::write);
}
TRACECODEC_FUNC std::optional<memory_access> trace_index::next_access(std::uint64_t n,
                                                                      memory_span wanted,
                                                                      std::uint8_t kinds) const {
  std::optional<memory_access> found;
  pages_of(wanted, [&](const page_use* from, const page_use* to) {
    from = std::partition_point(from, to, [n](page_use u) { return u.id() < n; });
    for (; from != to && !(found && from->id() >= found->record); ++from)
      if (const auto a = access(*from, wanted, kinds, false)) {
        found = a;
        break;
      }
  });
  return found;
}
TRACECODEC_FUNC memory_state trace_index::memory_at(std::uint64_t n, memory_span wanted,
                                                    moment when) const {
  detail::require_memory(*trace_, n, wanted);
  detail::memory_walk walk(*trace_, wanted);
  if (!walk.done()) walk.look_at(n, when);
  if (walk.done()) return std::move(walk).result();
  // No record before the last one that was not instrumented counts.
  const auto after = std::lower_bound(off_.begin(), off_.end(), n);
  const std::uint64_t first = after == off_.begin() ? 0 : *(after - 1);
  std::priority_queue<page_uses> next;  // of each page, those that are left; the latest on top
  pages_of(wanted, [&](const page_use* from, const page_use* to) {
    from = std::partition_point(from, to, [=](page_use u) { return u.id() < first; });
    to = std::partition_point(from, to, [n](page_use u) { return u.id() < n; });
    if (from != to) next.push({from, to});
  });
  while (!next.empty() && !walk.done()) {
    page_uses page = next.top();
    next.pop();
    const std::uint64_t id = (--page.to)->id();
    if (id != n) walk.look_at(n = id, moment::after);
    if (page.from != page.to) next.push(page);
  }
  return std::move(walk).result();
}
TRACECODEC_FUNC std::uint64_t trace_index::last_page(memory_span m) noexcept {
  const std::uint64_t behind = std::numeric_limits<std::uint64_t>::max() - m.address;
  return (m.address + std::min(m.size - 1, behind)) >> page_bits;
}
TRACECODEC_FUNC void trace_index::add_pages(std::uint64_t id, const memory_event& e) {
  if (e.bytes.empty()) return;
  const std::uint64_t last = last_page({e.address, e.bytes.size()});
  for (std::uint64_t p = e.address >> page_bits; p <= last; ++p)
    uses_.push_back({p, id << 3 | e.kind});
}
TRACECODEC_FUNC void trace_index::sort_pages() {
  std::sort(uses_.begin(), uses_.end());
  std::size_t n = 0;
  for (const page_use& u : uses_) {
    if (n != 0 && uses_[n - 1].page == u.page && uses_[n - 1].id() == u.id())
      uses_[n - 1].id_and_kinds |= u.id_and_kinds;
    else
      uses_[n++] = u;
  }
  uses_.resize(n);
  uses_.shrink_to_fit();
}
TRACECODEC_FUNC std::optional<memory_access> trace_index::access(page_use u, memory_span wanted,
                                                                 std::uint8_t kinds,
                                                                 bool last) const {
  if ((u.id_and_kinds & kinds & access_kinds::any) == 0) return std::nullopt;
  return detail::access_in(*trace_, (*trace_)[u.id()], wanted, kinds, last);
}

}  // namespace tracecodec::umtracer
