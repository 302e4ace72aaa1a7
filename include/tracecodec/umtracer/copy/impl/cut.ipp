// Implementation of umtracer/copy/cut.hpp.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>

#include "../cut.hpp"
#include "take.hpp"

namespace tracecodec::umtracer {

struct cut_writer::open_calls {
  struct call {
    std::int64_t id;  // id in the new trace
    std::uint32_t thread;
  };
  std::unordered_map<std::size_t, call> all = {};  // by the call's number in the original trace
};

TRACECODEC_FUNC cut_writer::cut_writer(cut_writer&&) noexcept = default;
TRACECODEC_FUNC cut_writer& cut_writer::operator=(cut_writer&&) noexcept = default;
TRACECODEC_FUNC cut_writer::~cut_writer() = default;

TRACECODEC_FUNC cut_writer::cut_writer(const reader& in, writer& to)
    : in_(&in), to_(&to), open_(std::make_unique<open_calls>()) {
  for (std::size_t i = 0; i < in.modules().size(); ++i)
    detail::take_module(in.modules(), i, [&](module_info m) {
      const std::int32_t id = to.add_module(without_times(m));
      changes_.push_back({m.load_eid.value_or(0), id, true});
      if (m.unload_eid != no_eid) changes_.push_back({m.unload_eid, id, false});
    });
  // Changes at the same record are in the order of their modules, and a load precedes its unload.
  std::sort(changes_.begin(), changes_.end(), [](const change& a, const change& b) {
    return std::tuple(a.eid, a.module, !a.load) < std::tuple(b.eid, b.module, !b.load);
  });
  detail::copy_common_tables(in, to);
  for (std::size_t i = 0; i < in.threads().size(); ++i)
    if (const thread_record t = in.threads()[i]; t.last_eid != no_eid && t.record_count != 0)
      last_.emplace_back(t.last_eid, t.id);
  std::sort(last_.begin(), last_.end());
}
TRACECODEC_FUNC void cut_writer::take(std::uint64_t id) {
  apply_changes(static_cast<std::int64_t>(id));
  const record_view r = (*in_)[id];
  switch (r.type()) {
    case exec_type::syscall_entry:
      enter(r);
      break;
    case exec_type::syscall_exit:
      leave(r);
      break;
    case exec_type::skipped_syscall_exit:
      skip(r);
      break;
    default:
      detail::require_row(*in_, r);
      to_->copy(r);
  }
  for (; ended_ < last_.size() && last_[ended_].first <= static_cast<std::int64_t>(id); ++ended_)
    if (last_[ended_].first == static_cast<std::int64_t>(id) && last_[ended_].second == r.thread())
      closed_.push_back(r.thread());
}
TRACECODEC_FUNC void cut_writer::finish() {
  apply_changes(std::numeric_limits<std::int64_t>::max());
  for (const std::uint32_t thread : closed_) to_->close_thread(thread);
}
TRACECODEC_FUNC module_info cut_writer::without_times(module_info m) {
  m.load_eid = {};
  m.unload_eid = no_eid;
  return m;
}
TRACECODEC_FUNC void cut_writer::apply_changes(std::int64_t next) {
  for (; changed_ < changes_.size() && changes_[changed_].eid <= next; ++changed_) {
    const change& c = changes_[changed_];
    c.load ? to_->load_module(c.module) : to_->unload_module(c.module);
  }
}
TRACECODEC_FUNC std::size_t cut_writer::call_of(const record_view& r) const {
  const std::int64_t id = r.syscall_id();
  if (id < 0 || static_cast<std::uint64_t>(id) >= in_->syscalls().size())
    r.fail(trace_errc::bad_value, exec_record_codec::size, "syscall_id",
           std::to_string(id) + ", but there are " + std::to_string(in_->syscalls().size()));
  return static_cast<std::size_t>(id);
}
TRACECODEC_FUNC void cut_writer::enter(const record_view& r) {
  const std::size_t call = call_of(r);
  detail::take_syscall(in_->syscalls(), call, [&](const syscall_info& s, const syscall_record&) {
    const std::int64_t id =
        to_->syscall_entry(r.thread(), r.flags(), s, values_of(r.context(), memory_));
    open_->all.insert_or_assign(call, open_calls::call{id, r.thread()});
  });
}
TRACECODEC_FUNC void cut_writer::leave(const record_view& r) {
  std::int64_t id = -1;
  std::uint64_t result = 0;
  if (r.syscall_id() != -1) {
    const std::size_t call = call_of(r);
    id = close(call, r.thread());
    if (id != -1) result = in_->syscalls()[call].result;
  }
  to_->syscall_exit(r.thread(), r.flags(), id, result, values_of(r.context(), memory_));
}
TRACECODEC_FUNC void cut_writer::skip(const record_view& r) {
  const std::int64_t id = close(call_of(r), r.thread());
  if (id == -1)
    ++left_out_;
  else
    to_->skipped_syscall_exit(r.thread(), r.flags(), id);
}
TRACECODEC_FUNC std::int64_t cut_writer::close(std::size_t call, std::uint32_t thread) {
  const auto found = open_->all.find(call);
  if (found == open_->all.end() || found->second.thread != thread) return -1;
  const std::int64_t id = found->second.id;
  open_->all.erase(found);
  return id;
}

}  // namespace tracecodec::umtracer
