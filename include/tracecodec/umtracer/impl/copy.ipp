// Implementation of umtracer/copy.hpp.
#pragma once
#include <functional>

#include "../copy.hpp"
#include "../copy/impl/take.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC writer_options options_of(const reader& in) {
  const auto has = [](const auto& rows, std::int64_t size) {
    return rows.header().row_size >= size;
  };
  return {.exec_version = in.header().version,
          .instruction_version = in.instructions().version(),
          .module_row_size = has(in.modules().rows(), 64) ? 64U : 48U,
          .thread_row_size = has(in.threads(), 48) ? 48U : 40U,
          .unified_version = in.syscalls().header().unified_version};
}

TRACECODEC_FUNC instruction_info info_of(const instruction_table& table, std::size_t i,
                                         std::vector<slot>& slots) {
  const instruction_record row = table[i];
  const decoded_instruction decoded = table.decoded(i);
  slots.assign(decoded.slots.begin(), decoded.slots.end());
  return {row.type,      row.code64 != 0, row.module_id, row.address,
          table.code(i), table.text(i),   decoded,       slots};
}

namespace detail {
TRACECODEC_FUNC void copy_common_tables(const reader& in, writer& to) {
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

}  // namespace detail

TRACECODEC_FUNC void copy_tables(const reader& in, writer& to) {
  for (std::size_t i = 0; i < in.modules().size(); ++i)
    detail::take_module(in.modules(), i, [&](const module_info& m) { to.add_module(m); });
  detail::copy_common_tables(in, to);
  for (std::size_t i = 0; i < in.syscalls().size(); ++i)
    detail::take_syscall(in.syscalls(), i, [&](const syscall_info& s, const syscall_record& row) {
      const bool completed = row.completed != 0;
      to.add_syscall(s, {row.begin_eid, row.end_eid, completed, completed ? row.result : 0});
    });
}

TRACECODEC_FUNC void copy_trace(const reader& in, writer& to,
                                const std::function<void(std::uint64_t)>& passed) {
  copy_tables(in, to);
  for (std::size_t i = 0; i < in.ranges().size(); ++i) to.add_range(in.ranges()[i]);
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    if (passed && i % 65536 == 0) passed(i);
    const record_view r = in[i];
    detail::require_row(in, r);
    to.copy(r);
  }
  for (std::size_t i = 0; i < in.threads().size(); ++i)
    if (const thread_record t = in.threads()[i]; t.last_eid != no_eid && t.record_count != 0)
      to.close_thread(t.id);
}

}  // namespace tracecodec::umtracer
