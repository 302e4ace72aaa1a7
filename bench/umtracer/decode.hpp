// Measured passes of the library over a UMTracer trace.
#pragma once
#include <cstddef>
#include <cstdint>

#include <tracecodec/umtracer/reader/operands.hpp>

#include "by_hand.hpp"

namespace bench {

// Reads each record, and the operand values of instruction records.
inline digest decode_umtracer(const tracecodec::umtracer::reader& trace) {
  namespace umtracer = tracecodec::umtracer;
  digest d;
  for (std::uint64_t i = 0, n = trace.size(); i < n; ++i) {
    const umtracer::record_view r = trace[i];
    ++d.records;
    d.sum += r.thread() + r.flags();
    if (r.type() != umtracer::exec_type::instruction) continue;
    const umtracer::operand_values all = operands_of(trace, r);
    for (std::size_t s = 0; s < all.size(); ++s) {
      const umtracer::slot slot = all.slot(s);
      const umtracer::slot_value v = all.value(slot);
      d.operand(slot.name, s >= all.first_after(), v.address, v.bytes.data(), v.bytes.size());
    }
  }
  return d;
}

// Reads the fields of each record according to its type.
inline std::uint64_t look_into_umtracer(const tracecodec::umtracer::reader& trace) {
  namespace umtracer = tracecodec::umtracer;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0, n = trace.size(); i < n; ++i) {
    const umtracer::record_view r = trace[i];
    if (r.type() == umtracer::exec_type::instruction)
      sum += static_cast<std::uint64_t>(r.instruction_id()) + r.values().size();
    else if (r.type() == umtracer::exec_type::thread_end ||
             r.type() == umtracer::exec_type::application_end)
      sum += r.exit_code();
    if (r.has_syscall()) sum += static_cast<std::uint64_t>(r.syscall_id());
    if (r.has_context()) sum += r.context().memory_count();
  }
  return sum;
}

}  // namespace bench
