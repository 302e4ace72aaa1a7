// Writes UMTracer traces: tables as they become known, execution records in order.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/atomic_folder.hpp"
#include "writer/exec_writer.hpp"
#include "writer/instruction_writer.hpp"
#include "writer/module_writer.hpp"
#include "writer/page_set.hpp"
#include "writer/record_calls.hpp"
#include "writer/syscall_writer.hpp"
#include "writer/trace_xml.hpp"

namespace tracecodec::umtracer {

// Which of the format's versions is written. The writer refuses other values than these.
struct writer_options {
  std::uint32_t exec_version = 1;         // 0 or 1: what the flags from 0x10 mean
  std::uint32_t instruction_version = 1;  // 0 or 1: slots name the largest or the common register
  std::size_t module_row_size = 64;       // 48 or 64: with the file's time and version
  std::size_t thread_row_size = 48;       // 40 or 48
  std::uint32_t unified_version = 1;      // 0 or 1: of the system calls' uniform ids
};

// All eleven files. The folder appears under its name when finish() has made it whole; a writer
// destroyed before leaves nothing. Nothing is masked or cut: what does not fit is refused. Memory
// does not grow with the records, but with the threads, modules, instructions, ranges of pages and
// calls that are not over.
//
//   umtracer::writer out("trace", map);
//   const auto thread = out.add_thread({});
//   const auto add = out.add_instruction({.code64 = true, .code = code, ...});
//   out.thread_begin(thread, exec_flags::code64, {registers});
//   out.instruction(thread, exec_flags::code64, add, values);
//   out.finish();
class writer : public record_calls<writer, std::uint32_t> {
 public:
  // `context_map` is the file of that name, from another trace or from make_context_map().
  // Throws trace_error: as io::atomic_folder; refused for other options than those above; truncated
  // or bad_value for the map.
  writer(const std::string& folder, std::span<const std::byte> context_map,
         writer_options options = {})
      : folder_(checked(options, folder)),
        map_bytes_(context_map.begin(), context_map.end()),
        map_files_(only_map(), folder),
        map_(map_files_),
        exec_(folder_, options.exec_version, options.thread_row_size),
        instructions_(folder_, options.instruction_version),
        modules_(folder_, options.module_row_size),
        syscalls_(folder_, options.unified_version) {}

  // Each adds a row and returns its number, by which records name it. Throws trace_error(refused),
  // with row and field, for what a row cannot hold; an instruction of a module that is none.
  std::int32_t add_module(const module_info& m) { return modules_.add(m, size()); }
  std::uint32_t add_thread(const thread_info& t) { return exec_.add_thread(t); }
  std::int64_t add_instruction(const instruction_info& i) {
    if (i.module_id != -1) modules_.require(i.module_id);
    return instructions_.add(i);
  }
  // A system call whose records are copied. Others come with syscall_entry().
  std::int64_t add_syscall(const syscall_info& s, const syscall_outcome& o) {
    return syscalls_.add(s, o);
  }

  // A module is gone, or there, from the record on that is written next.
  void unload_module(std::int32_t id) { modules_.unload(id, size()); }
  void load_module(std::int32_t id) { modules_.load(id, size()); }
  // A range of whole pages. If there is one, the table has those that are given, else those that
  // the records touch: memory of instructions whose values are reliable, and of contexts. Throws
  // trace_error(refused) if it does not begin and end with a page, or does not lie behind the one
  // that was given before.
  void add_range(const address_range& r) {
    const auto refuse_range = [&](const char* field, const char* why) {
      throw trace_error(
          trace_errc::refused,
          {folder_.path(std::string(name(file::address_ranges))), {}, ranges_.size(), field}, why);
    };
    if (r.first % 0x1000 != 0 || r.last % 0x1000 != 0xFFF || r.last < r.first)
      refuse_range(r.first % 0x1000 != 0 ? "first" : "last", "is no range of pages of 4 KiB");
    if (!ranges_.empty() && r.first <= ranges_.back().last)
      refuse_range("first", "does not lie behind the range before");
    ranges_.push_back(r);
  }
  // The text of trace.xml. Without it, make_trace_xml({}).
  void set_xml(std::string text) { xml_ = std::move(text); }

  // Enters a system call. Returns its number, for the record that ends it.
  std::int64_t syscall_entry(std::uint32_t thread, std::uint8_t flags, const syscall_info& s,
                             const context_values& c) {
    syscalls_.check(s);
    put_context(thread, exec_type::syscall_entry, flags, syscalls_.size(), c);
    return syscalls_.begin(s, size() - 1, thread);
  }
  // Leaves call `id` of the same thread, which has not ended, with what is in eax or rax; -1: no
  // entry was seen.
  void syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id, std::uint64_t result,
                    const context_values& c) {
    if (id != -1) require_open(id, thread);
    put_context(thread, exec_type::syscall_exit, flags, id, c);
    if (id != -1) syscalls_.end(id, size() - 1, result);
  }
  // Call `id` will never return.
  void skipped_syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id) {
    require_open(id, thread);
    put_skipped(thread, flags, id);
    syscalls_.end(id, size() - 1, {});
  }

  // No more records of `thread`: its LastEID is that of its last one, though that is no end. Throws
  // trace_error(refused) if there is none.
  void close_thread(std::uint32_t thread) { exec_.close(thread); }

  // A record of another trace, whose instructions, threads and system calls have the same numbers
  // here. Throws also what the view does.
  void copy(const record_view& r) {
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
    put_context(thread, r.type(), r.flags(), call, values_of(r.context(), memory_));
  }

  // How many records there are: the number of the next one.
  [[nodiscard]] std::int64_t size() const noexcept { return exec_.size(); }
  // The context map that the writer was given.
  [[nodiscard]] const context_map& registers() const noexcept { return map_; }
  // The rows so far.
  [[nodiscard]] const instruction_writer& instructions() const noexcept { return instructions_; }

  // Completes the trace; nothing may be called after it. Throws trace_error: refused if a module or
  // a system call names a record that there is not; system.
  void finish() {
    exec_.finish();
    instructions_.finish();
    modules_.finish(size());
    syscalls_.finish(size());
    write(file::context_map, map_bytes_);
    const std::string xml = xml_ ? *xml_ : make_trace_xml({});
    write(file::xml, std::as_bytes(std::span(xml)));
    write_ranges();
    folder_.finish();
  }

 private:
  friend record_calls;
  friend class merging_writer;

  static const std::string& checked(const writer_options& o, const std::string& folder) {
    const auto require = [&](bool fits, const char* field, std::uint64_t value) {
      if (!fits)
        throw trace_error(trace_errc::refused, {folder, {}, {}, field},
                          std::to_string(value) + " is none that the format has");
    };
    require(o.exec_version <= 1, "exec_version", o.exec_version);
    require(o.instruction_version <= 1, "instruction_version", o.instruction_version);
    require(o.module_row_size == 48 || o.module_row_size == 64, "module_row_size",
            o.module_row_size);
    require(o.thread_row_size == 40 || o.thread_row_size == 48, "thread_row_size",
            o.thread_row_size);
    require(o.unified_version <= 1, "unified_version", o.unified_version);
    return folder;
  }
  [[nodiscard]] trace_files::contents only_map() const {
    trace_files::contents all = {};
    all[static_cast<std::size_t>(file::context_map)] = map_bytes_;
    return all;
  }

  // For record_calls.
  [[noreturn]] void refuse(const char* field, const std::string& why) const {
    exec_.refuse(field, why);
  }
  [[nodiscard]] std::byte* put(std::uint32_t thread, exec_type type, std::uint8_t flags,
                               std::size_t n) {
    return exec_.add(thread, type, flags, n);
  }
  void saw(std::uint8_t flags, std::size_t row, std::span<const std::byte> values) {
    if ((flags & exec_flags::unreliable) != 0) return;
    for (const slot& s : instructions_.memory_slots(row))
      pages_.add(value_of(s, values).address, s.value_size);
  }
  void saw(const context_values& c) {
    for (const memory_reference& m : c.memory) pages_.add(m.address, m.bytes.size());
  }

  void put_skipped(std::uint32_t thread, std::uint8_t flags, std::int64_t id) {
    store_behind_head<&execution::syscall_id>(id, put(thread, exec_type::skipped_syscall_exit,
                                                      flags, behind_head<&execution::syscall_id>));
  }
  void require_open(std::int64_t id, std::uint32_t thread) const {
    if (!syscalls_.is_open(id, thread))
      refuse("syscall_id", "thread " + std::to_string(thread) + " has no system call " +
                               std::to_string(id) + " that has not ended");
  }
  std::int64_t require_call(const record_view& r) const {
    const std::int64_t id = r.syscall_id();
    const bool none = id == -1 && r.type() == exec_type::syscall_exit;
    if (!none && (id < 0 || id >= syscalls_.size()))
      refuse("syscall_id", "there is no system call " + std::to_string(id));
    return id;
  }
  // Without what lies behind them in the record.
  std::span<const std::byte> copied_values(const record_view& r) const {
    const auto id = static_cast<std::uint64_t>(r.instruction_id());
    const auto all = r.values();
    if (id >= instructions_.size()) return all;
    return all.first(std::min(all.size(), instructions_.values_size(static_cast<std::size_t>(id))));
  }

  void write(file f, std::span<const std::byte> bytes) {
    io::folder_file out = folder_.create(std::string(name(f)));
    out.write(bytes);
    out.finish();
  }
  void write_ranges() {
    io::folder_file out = folder_.create(std::string(name(file::address_ranges)));
    const std::size_t n = ranges_.empty() ? pages_.size() : ranges_.size();
    out.write(encode_header(0, n, address_range_codec::size, table_header_codec::size));
    const auto put_row = [&](const address_range& r) {
      address_range_codec::store(r, out.append(address_range_codec::size));
    };
    if (ranges_.empty()) pages_.for_each(put_row);
    for (const address_range& r : ranges_) put_row(r);
    out.finish();
  }

  io::atomic_folder folder_;
  std::vector<std::byte> map_bytes_;
  trace_files map_files_;
  context_map map_;
  exec_writer exec_;
  instruction_writer instructions_;
  module_writer modules_;
  syscall_writer syscalls_;
  page_set pages_ = {};
  std::vector<address_range> ranges_ = {};
  std::optional<std::string> xml_ = {};
  std::vector<memory_reference> memory_ = {};  // scratch
};

}  // namespace tracecodec::umtracer
