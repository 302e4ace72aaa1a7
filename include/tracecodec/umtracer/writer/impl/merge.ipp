// Implementation of umtracer/writer/merge.hpp.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../../io/hash.hpp"
#include "../merge.hpp"
#include "lane_merge.hpp"
#include "record_calls.ipp"
#include "writer_state.ipp"

namespace tracecodec::umtracer {

// Record that the bytes of a system call follow. The caller writes these bytes to state::call.
struct merging_writer::followed {
  record_place at;
  std::size_t call_size;
};

struct merging_writer::state {
  struct module_change {
    std::uint64_t sequence;
    std::int32_t id;
    bool load;
    std::size_t order;  // number of earlier changes; orders changes with the same sequence number
  };

  state(const std::string& path, std::span<const std::byte> context_map, writer_options options)
      : out(path, context_map, options), lanes(out.state_->folder) {}

  writer out;
  detail::lanes lanes;
  std::map<std::uint32_t, std::size_t> lane_of = {};    // by thread id
  std::vector<std::optional<std::uint64_t>> last = {};  // most recent sequence number of each lane
  std::vector<module_change> changes = {};
  std::size_t changed = 0;  // number of changes applied
  std::uint64_t size = 0;
  std::int64_t calls = 0;
  std::byte* call = nullptr;  // address of the byte after the last record
  // Final numbers of the calls that have not ended, keyed by preliminary number.
  std::unordered_map<std::int64_t, std::int64_t, io::keyed_hash> number_of = {};
  std::vector<std::uint64_t> arguments = {};  // scratch buffer
  std::vector<memory_reference> memory = {};  // scratch buffer
};

TRACECODEC_FUNC merging_writer::merging_writer(const std::string& folder,
                                               std::span<const std::byte> context_map,
                                               writer_options options)
    : state_(std::make_unique<state>(folder, context_map, options)) {}
TRACECODEC_FUNC merging_writer::merging_writer(merging_writer&&) noexcept = default;
TRACECODEC_FUNC merging_writer& merging_writer::operator=(merging_writer&&) noexcept = default;
TRACECODEC_FUNC merging_writer::~merging_writer() = default;

TRACECODEC_FUNC std::uint32_t merging_writer::add_thread(const thread_info& t) {
  const std::uint32_t id = state_->out.add_thread(t);
  state_->lane_of.emplace(id, state_->lanes.add_lane());
  state_->last.emplace_back();
  return id;
}
TRACECODEC_FUNC std::int64_t merging_writer::add_instruction(const instruction_info& i) {
  return state_->out.add_instruction(i);
}
TRACECODEC_FUNC void merging_writer::add_range(const address_range& r) { state_->out.add_range(r); }
TRACECODEC_FUNC void merging_writer::set_xml(std::string text) {
  state_->out.set_xml(std::move(text));
}
TRACECODEC_FUNC std::int32_t merging_writer::add_module(const module_info& m,
                                                        std::uint64_t sequence) {
  const std::int32_t id = state_->out.add_module(m);
  if (!m.load_eid) state_->changes.push_back({sequence, id, true, state_->changes.size()});
  return id;
}
TRACECODEC_FUNC void merging_writer::unload_module(std::int32_t id, std::uint64_t sequence) {
  state_->out.unload_module(id);  // throws trace_error if the module does not exist
  state_->changes.push_back({sequence, id, false, state_->changes.size()});
}
TRACECODEC_FUNC std::int64_t merging_writer::syscall_entry(record_place at, std::uint8_t flags,
                                                           const syscall_info& s,
                                                           const context_values& c) {
  state_->out.state_->syscalls.check(s);
  put_context(followed{at, syscall_extent(s)}, exec_type::syscall_entry, flags, state_->calls, c);
  encode_syscall(s, {}, state_->call);
  return state_->calls++;
}
TRACECODEC_FUNC void merging_writer::syscall_exit(record_place at, std::uint8_t flags,
                                                  std::int64_t id, std::uint64_t result,
                                                  const context_values& c) {
  if (id != -1) require_call(id);
  put_context(followed{at, 8}, exec_type::syscall_exit, flags, id, c);
  wire::u64le::store(result, state_->call);
}
TRACECODEC_FUNC void merging_writer::skipped_syscall_exit(record_place at, std::uint8_t flags,
                                                          std::int64_t id) {
  require_call(id);
  store_after_head<&execution::syscall_id>(id, put(at, exec_type::skipped_syscall_exit, flags,
                                                   fixed_after_head<&execution::syscall_id>));
}
TRACECODEC_FUNC std::uint64_t merging_writer::size() const noexcept { return state_->size; }
TRACECODEC_FUNC const context_map& merging_writer::registers() const noexcept {
  return state_->out.registers();
}
TRACECODEC_FUNC const instruction_writer& merging_writer::instructions() const noexcept {
  return state_->out.instructions();
}
TRACECODEC_FUNC void merging_writer::finish(const std::function<void(double)>& passed) {
  state_->lanes.seal();
  merge(passed);
  state_->lanes.remove();
  state_->out.finish();
}
TRACECODEC_FUNC void merging_writer::refuse(const char* field, const std::string& why) const {
  throw trace_error(trace_errc::refused,
                    {state_->out.state_->folder.path(std::string(name(file::exec_records))),
                     {},
                     state_->size,
                     field},
                    why);
}
TRACECODEC_FUNC std::byte* merging_writer::put(record_place at, exec_type type, std::uint8_t flags,
                                               std::size_t n) {
  return put(followed{at, 0}, type, flags, n);
}
TRACECODEC_FUNC std::byte* merging_writer::put(const followed& placed, exec_type type,
                                               std::uint8_t flags, std::size_t n) {
  const auto [at, call_size] = placed;
  const auto lane = state_->lane_of.find(at.thread);
  if (lane == state_->lane_of.end())
    refuse("thread_id", "there is no thread " + std::to_string(at.thread));
  std::optional<std::uint64_t>& last = state_->last[lane->second];
  if (last && at.sequence <= *last)
    refuse("sequence", std::to_string(at.sequence) + " does not follow " + std::to_string(*last) +
                           " of the same thread");
  n += exec_record_codec::size;
  std::byte* const to =
      detail::append_piece(state_->lanes, lane->second, {at.sequence, n, call_size});
  last = at.sequence;
  ++state_->size;
  exec_record_codec::store({at.thread, type, flags}, to);
  state_->call = to + n;
  return to + exec_record_codec::size;
}
TRACECODEC_FUNC void merging_writer::require_call(std::int64_t id) const {
  if (id < 0 || id >= state_->calls)
    refuse("syscall_id", "there is no system call " + std::to_string(id));
}
TRACECODEC_FUNC void merging_writer::merge(const std::function<void(double)>& passed) {
  std::sort(state_->changes.begin(), state_->changes.end(), [](const auto& a, const auto& b) {
    return std::pair(a.sequence, a.order) < std::pair(b.sequence, b.order);
  });
  std::optional<std::uint64_t> last;
  detail::merge_lanes(state_->lanes, [&](const detail::piece& p) {
    if (last == p.sequence)
      state_->out.refuse("sequence", std::to_string(p.sequence) + " occurs in two threads");
    last = p.sequence;
    apply_changes(p.sequence);
    write(p);
    if (passed && state_->out.size() % 65536 == 0)
      passed(static_cast<double>(state_->out.size()) / static_cast<double>(state_->size));
  });
  apply_changes(~std::uint64_t{0});
}
TRACECODEC_FUNC void merging_writer::apply_changes(std::uint64_t sequence) {
  for (; state_->changed < state_->changes.size() &&
         state_->changes[state_->changed].sequence <= sequence;
       ++state_->changed) {
    const state::module_change& c = state_->changes[state_->changed];
    c.load ? state_->out.load_module(c.id) : state_->out.unload_module(c.id);
  }
}
TRACECODEC_FUNC void merging_writer::write(const detail::piece& p) {
  const record_view r(state_->out.state_->map_files, registers(),
                      static_cast<std::uint64_t>(state_->out.size()), 0, p.record);
  switch (r.type()) {
    case exec_type::syscall_entry:
      state_->number_of.emplace(r.syscall_id(),
                                state_->out.syscall_entry(r.thread(), r.flags(), info_of(p.call),
                                                          values_of(r.context(), state_->memory)));
      break;
    case exec_type::syscall_exit:
      state_->out.syscall_exit(r.thread(), r.flags(), ended(r.syscall_id()),
                               wire::u64le::load(p.call.data()),
                               values_of(r.context(), state_->memory));
      break;
    case exec_type::skipped_syscall_exit:
      state_->out.skipped_syscall_exit(r.thread(), r.flags(), ended(r.syscall_id()));
      break;
    default:
      state_->out.copy(r);
  }
}
TRACECODEC_FUNC std::int64_t merging_writer::ended(std::int64_t id) {
  if (id == -1) return id;
  const auto found = state_->number_of.find(id);
  if (found == state_->number_of.end())
    state_->out.refuse("syscall_id", "the system call has not begun or has already ended");
  const std::int64_t final_id = found->second;
  state_->number_of.erase(found);
  return final_id;
}
TRACECODEC_FUNC syscall_info merging_writer::info_of(std::span<const std::byte> call) {
  const syscall_record s = syscall_codec::load(call.data());
  const wire::array_view<wire::u64le> arguments(call.data() + syscall_front, s.argument_count);
  state_->arguments.assign(arguments.begin(), arguments.end());
  return {s.raw_id,
          s.uniform_id,
          s.convention,
          s.stack_pointer,
          state_->arguments,
          s.extra_count,
          call.subspan(syscall_front + 8U * s.argument_count)};
}

#if defined(TRACECODEC_SEPARATE_COMPILATION)
template class record_calls<merging_writer, record_place>;
#endif

}  // namespace tracecodec::umtracer
