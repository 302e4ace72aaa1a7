// Converts rows of a trace's tables to the structs that a writer accepts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../reader.hpp"
#include "../../writer/rows.hpp"

namespace tracecodec::umtracer::detail {

// Throws trace_error if instruction record `r` refers to a row that does not exist. The writer
// would also reject the record, but only the reader's error contains the record's offset in the
// original trace.
TRACECODEC_INLINE void require_row(const reader& in, const record_view& r) {
  if (r.type() == exec_type::instruction) static_cast<void>(in.row_of(r));
}

// Calls take(info) with the values that row `i` of the module table stores.
template <class Take> void take_module(const module_table& from, std::size_t i, Take take) {
  const auto units = [](const auto& view) { return std::u16string(view.begin(), view.end()); };
  const module_record row = from[i];
  const std::u16string win = units(from.win_name(i)), device = units(from.device_name(i));
  take(module_info{row.start_address, row.end_address, win, device,
                   from.version(i).value_or(module_version{}), row.load_eid, row.unload_eid});
}
// Calls take(info, row) for row `i` of the system call table. `info` contains the row as input for
// a writer, and `row` is the row as stored.
template <class Take> void take_syscall(const syscall_table& from, std::size_t i, Take take) {
  const syscall_record row = from[i];
  const auto stored = from.arguments(i);
  const std::vector<std::uint64_t> arguments(stored.begin(), stored.end());
  take(syscall_info{row.raw_id, row.uniform_id, row.convention, row.stack_pointer, arguments,
                    row.extra_count, from.extras(i)},
       row);
}

}  // namespace tracecodec::umtracer::detail
