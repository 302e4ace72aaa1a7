// The tables of a trace, written into another one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reader.hpp"
#include "writer.hpp"

namespace tracecodec::umtracer {

// The options that a trace was written with; rows as long as their known fields.
inline writer_options options_of(const reader& in) {
  const auto has = [](const auto& rows, std::int64_t size) {
    return rows.header().row_size >= size;
  };
  return {.exec_version = in.header().version,
          .instruction_version = in.instructions().version(),
          .module_row_size = has(in.modules().rows(), 64) ? 64U : 48U,
          .thread_row_size = has(in.threads(), 48) ? 48U : 40U,
          .unified_version = in.syscalls().header().unified_version};
}

// Row `i` of a table, to be written again; the views are into it, `slots` is overwritten and must
// outlive the result. Throws as the table.
inline instruction_info info_of(const instruction_table& table, std::size_t i,
                                std::vector<slot>& slots) {
  const instruction_record row = table[i];
  const decoded_instruction decoded = table.decoded(i);
  slots.assign(decoded.slots.begin(), decoded.slots.end());
  return {row.type,      row.code64 != 0, row.module_id, row.address,
          table.code(i), table.text(i),   decoded,       slots};
}

namespace detail {

// Calls take(info) with row `i` of a table, as it is stored.
template <class Take> void take_module(const module_table& from, std::size_t i, Take take) {
  const auto units = [](const auto& view) { return std::u16string(view.begin(), view.end()); };
  const module_record row = from[i];
  const std::u16string win = units(from.win_name(i)), device = units(from.device_name(i));
  take(module_info{row.start_address, row.end_address, win, device,
                   from.version(i).value_or(module_version{}), row.load_eid, row.unload_eid});
}
template <class Take> void take_syscall(const syscall_table& from, std::size_t i, Take take) {
  const syscall_record row = from[i];
  const auto stored = from.arguments(i);
  const std::vector<std::uint64_t> arguments(stored.begin(), stored.end());
  take(syscall_info{row.raw_id, row.uniform_id, row.convention, row.stack_pointer, arguments,
                    row.extra_count, from.extras(i)},
       row);
}

// Threads, instructions, the text of trace.xml: what a part of a trace has, too.
inline void copy_common_tables(const reader& in, writer& to) {
  for (std::size_t i = 0; i < in.threads().size(); ++i) {
    const thread_record t = in.threads()[i];
    to.add_thread({t.id, t.win_tid, t.tib_address});
  }
  std::vector<slot> slots;
  for (std::size_t i = 0; i < in.instructions().size(); ++i)
    to.add_instruction(info_of(in.instructions(), i, slots));
  const auto xml = in.files()[file::xml];
  if (in.files().has(file::xml))
    to.set_xml({reinterpret_cast<const char*>(xml.data()), xml.size()});
}

// A damaged record is the reader's to tell, who knows where it lies.
inline void require_row(const reader& in, const record_view& r) {
  if (r.type() == exec_type::instruction) static_cast<void>(in.row_of(r));
}

}  // namespace detail

// Modules, threads, instructions, system calls, the text of trace.xml. `to` is new; then
// writer::copy() may take all records, from which the ranges follow. Throws as both.
inline void copy_tables(const reader& in, writer& to) {
  for (std::size_t i = 0; i < in.modules().size(); ++i)
    detail::take_module(in.modules(), i, [&](const module_info& m) { to.add_module(m); });
  detail::copy_common_tables(in, to);
  for (std::size_t i = 0; i < in.syscalls().size(); ++i)
    detail::take_syscall(in.syscalls(), i, [&](const syscall_info& s, const syscall_record& row) {
      const bool completed = row.completed != 0;
      to.add_syscall(s, {row.begin_eid, row.end_eid, completed, completed ? row.result : 0});
    });
}

// A whole trace, with the ranges that it has; passed(records) is called now and then, what it throws
// ends the work. Throws as both.
template <class Passed> void copy_trace(const reader& in, writer& to, Passed&& passed) {
  copy_tables(in, to);
  for (std::size_t i = 0; i < in.ranges().size(); ++i) to.add_range(in.ranges()[i]);
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    if (i % 65536 == 0) passed(i);
    const record_view r = in[i];
    detail::require_row(in, r);
    to.copy(r);
  }
  for (std::size_t i = 0; i < in.threads().size(); ++i)
    if (const thread_record t = in.threads()[i]; t.last_eid != no_eid && t.record_count != 0)
      to.close_thread(t.id);
}
inline void copy_trace(const reader& in, writer& to) {
  copy_trace(in, to, [](std::uint64_t) {});
}

}  // namespace tracecodec::umtracer
