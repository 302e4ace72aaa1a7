// Counts of the events in a RapidBin trace, for a report.
#pragma once
#include <tracecodec/analysis/distinct.hpp>
#include <tracecodec/analysis/frequent.hpp>
#include <tracecodec/rapidbin/layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../measures.hpp"

namespace report {

namespace rapidbin = tracecodec::rapidbin;

// Number of event kinds. Each operation is a kind, and all undefined operations together form one
// more kind.
inline constexpr std::size_t event_kinds = rapidbin::operation_count + 1;
static_assert(event_kinds <= most_kinds);

struct lock_counts {
  std::uint64_t acquired = 0, released = 0, requested = 0;
};

// Counts of events, which have neither branches nor code.
struct event_measures {
  analysis::frequent<> locations = analysis::frequent<>(4096);
  analysis::frequent<access_counts> variables = analysis::frequent<access_counts>(4096);
  analysis::frequent<lock_counts> locks = analysis::frequent<lock_counts>(4096);
  analysis::distinct<> all_variables = {}, all_locks = {};

  // Counts an event and returns the event's kind.
  std::size_t add(rapidbin::operation operation, std::uint64_t decor, std::uint32_t location) {
    ++locations[location].count;
    if (operand_of(operation) == rapidbin::operand::variable) {
      auto& v = variables[decor];
      ++v.count;
      ++(operation == rapidbin::operation::read ? v.data.reads : v.data.writes);
      all_variables.insert(decor);
    } else if (operand_of(operation) == rapidbin::operand::lock) {
      auto& l = locks[decor];
      ++l.count;
      ++(operation == rapidbin::operation::acquire   ? l.data.acquired
         : operation == rapidbin::operation::release ? l.data.released
                                                     : l.data.requested);
      all_locks.insert(decor);
    }
    return std::min(static_cast<std::size_t>(operation), rapidbin::operation_count);
  }
};

}  // namespace report
