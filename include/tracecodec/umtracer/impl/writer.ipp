// Implementation of umtracer/writer.hpp.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "../writer.hpp"
#include "../writer/impl/record_calls.ipp"
#include "../writer/impl/writer_state.ipp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC const std::string& checked(const writer_options& o, const std::string& folder) {
  const auto require = [&](bool fits, const char* field, std::uint64_t value) {
    if (!fits)
      throw trace_error(trace_errc::refused, {folder, {}, {}, field},
                        std::to_string(value) + " is undefined in the format");
  };
  require(o.exec_version <= 1, "exec_version", o.exec_version);
  require(o.instruction_version <= 1, "instruction_version", o.instruction_version);
  require(o.module_row_size == 48 || o.module_row_size == 64, "module_row_size", o.module_row_size);
  require(o.thread_row_size == 40 || o.thread_row_size == 48, "thread_row_size", o.thread_row_size);
  require(o.unified_version <= 1, "unified_version", o.unified_version);
  return folder;
}
}  // namespace detail

TRACECODEC_FUNC writer::writer(const std::string& folder, std::span<const std::byte> context_map,
                               writer_options options)
    : state_(std::make_unique<state>(detail::checked(options, folder), context_map, options)) {}
TRACECODEC_FUNC writer::writer(writer&&) noexcept = default;
TRACECODEC_FUNC writer& writer::operator=(writer&&) noexcept = default;
TRACECODEC_FUNC writer::~writer() = default;

TRACECODEC_FUNC std::int32_t writer::add_module(const module_info& m) {
  return state_->modules.add(m, size());
}
TRACECODEC_FUNC std::uint32_t writer::add_thread(const thread_info& t) {
  return state_->exec.add_thread(t);
}
TRACECODEC_FUNC std::int64_t writer::add_instruction(const instruction_info& i) {
  if (i.module_id != -1) state_->modules.require(i.module_id);
  return state_->instructions.add(i);
}
TRACECODEC_FUNC std::int64_t writer::add_syscall(const syscall_info& s, const syscall_outcome& o) {
  return state_->syscalls.add(s, o);
}
TRACECODEC_FUNC void writer::unload_module(std::int32_t id) { state_->modules.unload(id, size()); }
TRACECODEC_FUNC void writer::load_module(std::int32_t id) { state_->modules.load(id, size()); }
TRACECODEC_FUNC void writer::add_range(const address_range& r) {
  const auto refuse_range = [&](const char* field, const char* why) {
    throw trace_error(trace_errc::refused,
                      {state_->folder.path(std::string(name(file::address_ranges))),
                       {},
                       state_->ranges.size(),
                       field},
                      why);
  };
  if (r.first % 0x1000 != 0 || r.last % 0x1000 != 0xFFF || r.last < r.first)
    refuse_range(r.first % 0x1000 != 0 ? "first" : "last", "is not a range of 4 KiB pages");
  if (!state_->ranges.empty() && r.first <= state_->ranges.back().last)
    refuse_range("first", "does not follow the preceding range");
  state_->ranges.push_back(r);
}
TRACECODEC_FUNC void writer::set_xml(std::string text) { state_->xml = std::move(text); }
TRACECODEC_FUNC std::int64_t writer::syscall_entry(std::uint32_t thread, std::uint8_t flags,
                                                   const syscall_info& s, const context_values& c) {
  state_->syscalls.check(s);
  put_context(thread, exec_type::syscall_entry, flags, state_->syscalls.size(), c);
  return state_->syscalls.begin(s, size() - 1, thread);
}
TRACECODEC_FUNC void writer::syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id,
                                          std::uint64_t result, const context_values& c) {
  if (id != -1) require_open(id, thread);
  put_context(thread, exec_type::syscall_exit, flags, id, c);
  if (id != -1) state_->syscalls.end(id, size() - 1, result);
}
TRACECODEC_FUNC void writer::skipped_syscall_exit(std::uint32_t thread, std::uint8_t flags,
                                                  std::int64_t id) {
  require_open(id, thread);
  put_skipped(thread, flags, id);
  state_->syscalls.end(id, size() - 1, {});
}
TRACECODEC_FUNC void writer::close_thread(std::uint32_t thread) { state_->exec.close(thread); }
TRACECODEC_FUNC void writer::copy(const record_view& r) {
  const std::uint32_t thread = r.thread();
  switch (r.type()) {
    case exec_type::instruction:
      return instruction(thread, r.flags(), r.instruction_id(), copied_values(r));
    case exec_type::thread_end:
      return thread_end(thread, r.flags(), r.exit_code());
    case exec_type::application_end:
      return application_end(thread, r.flags(), r.exit_code());
    case exec_type::skipped_syscall_exit:
      require_call(r);
      return put_skipped(thread, r.flags(), r.syscall_id());
    default:
      if (!r.has_context()) return opaque(thread, r.type(), r.flags(), r.data());
  }
  std::optional<std::int64_t> call;
  if (r.has_syscall()) call = require_call(r);
  put_context(thread, r.type(), r.flags(), call, values_of(r.context(), state_->memory));
}
TRACECODEC_FUNC std::int64_t writer::size() const noexcept { return state_->exec.size(); }
TRACECODEC_FUNC std::size_t writer::values_size(std::int64_t id) const noexcept {
  return state_->instructions.values_size(static_cast<std::size_t>(id));
}
TRACECODEC_FUNC const context_map& writer::registers() const noexcept { return state_->map; }
TRACECODEC_FUNC const instruction_writer& writer::instructions() const noexcept {
  return state_->instructions;
}
TRACECODEC_FUNC void writer::finish() {
  state_->exec.finish();
  state_->instructions.finish();
  state_->modules.finish(size());
  state_->syscalls.finish(size());
  write(file::context_map, state_->map_bytes);
  const std::string xml = state_->xml ? *state_->xml : make_trace_xml({});
  write(file::xml, std::as_bytes(std::span(xml)));
  write_ranges();
  state_->folder.finish();
}
TRACECODEC_FUNC void writer::refuse(const char* field, const std::string& why) const {
  state_->exec.refuse(field, why);
}
TRACECODEC_FUNC std::byte* writer::put(std::uint32_t thread, exec_type type, std::uint8_t flags,
                                       std::size_t n) {
  return state_->exec.add(thread, type, flags, n);
}
TRACECODEC_INLINE void writer::saw(std::uint8_t flags, std::size_t row,
                                   std::span<const std::byte> values) {
  if ((flags & exec_flags::unreliable) != 0) return;
  for (const slot& s : state_->instructions.memory_slots(row))
    state_->pages.add(value_of(s, values).address, s.value_size);
}
TRACECODEC_FUNC void writer::saw(const context_values& c) {
  for (const memory_reference& m : c.memory) state_->pages.add(m.address, m.bytes.size());
}
TRACECODEC_FUNC void writer::put_skipped(std::uint32_t thread, std::uint8_t flags,
                                         std::int64_t id) {
  store_after_head<&execution::syscall_id>(id, put(thread, exec_type::skipped_syscall_exit, flags,
                                                   fixed_after_head<&execution::syscall_id>));
}
TRACECODEC_FUNC void writer::require_open(std::int64_t id, std::uint32_t thread) const {
  if (!state_->syscalls.is_open(id, thread))
    refuse("syscall_id", "thread " + std::to_string(thread) + " has no system call " +
                             std::to_string(id) + " that has not ended");
}
TRACECODEC_FUNC std::int64_t writer::require_call(const record_view& r) const {
  const std::int64_t id = r.syscall_id();
  const bool none = id == -1 && r.type() == exec_type::syscall_exit;
  if (!none && (id < 0 || id >= state_->syscalls.size()))
    refuse("syscall_id", "there is no system call " + std::to_string(id));
  return id;
}
TRACECODEC_FUNC std::span<const std::byte> writer::copied_values(const record_view& r) const {
  const auto id = static_cast<std::uint64_t>(r.instruction_id());
  const auto all = r.values();
  if (id >= state_->instructions.size()) return all;
  return all.first(
      std::min(all.size(), state_->instructions.values_size(static_cast<std::size_t>(id))));
}
TRACECODEC_FUNC void writer::write(file f, std::span<const std::byte> bytes) {
  io::folder_file out = state_->folder.create(std::string(name(f)));
  out.write(bytes);
  out.finish();
}
TRACECODEC_FUNC void writer::write_ranges() {
  io::folder_file out = state_->folder.create(std::string(name(file::address_ranges)));
  const std::size_t n = state_->ranges.empty() ? state_->pages.size() : state_->ranges.size();
  out.write(encode_header(0, n, address_range_codec::size, table_header_codec::size));
  const auto put_row = [&](const address_range& r) {
    address_range_codec::store(r, out.append(address_range_codec::size));
  };
  if (state_->ranges.empty()) state_->pages.for_each(put_row);
  for (const address_range& r : state_->ranges) put_row(r);
  out.finish();
}

#if defined(TRACECODEC_SEPARATE_COMPILATION)
template class record_calls<writer, std::uint32_t>;
#endif

}  // namespace tracecodec::umtracer
