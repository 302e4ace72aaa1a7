// Writes UMTracer traces: tables as they become known, execution records in order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../config.hpp"
#include "../io/output/size_limit.hpp"
#include "writer/record_calls.hpp"
#include "writer/rows.hpp"
#include "writer/trace_xml.hpp"

namespace tracecodec::umtracer {

// Which of the format's versions is written. The writer refuses other values than these.
struct writer_options {
  std::uint32_t exec_version = 1;         // 0 or 1: what the flags from 0x10 mean
  std::uint32_t instruction_version = 1;  // 0 or 1: slots name the largest or the common register
  std::size_t module_row_size = 64;       // 48 or 64: with the file's time and version
  std::size_t thread_row_size = 48;       // 40 or 48
  std::uint32_t unified_version = 1;      // 0 or 1: of the system calls' uniform ids
  std::uint64_t most_bytes = io::no_size_limit;  // of all files together, as io::atomic_folder
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
         writer_options options = {});
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  ~writer();

  // Each adds a row and returns its number, by which records name it. Throws trace_error(refused),
  // with row and field, for what a row cannot hold; an instruction of a module that is none.
  std::int32_t add_module(const module_info& m);
  std::uint32_t add_thread(const thread_info& t);
  std::int64_t add_instruction(const instruction_info& i);
  // A system call whose records are copied. Others come with syscall_entry().
  std::int64_t add_syscall(const syscall_info& s, const syscall_outcome& o);

  // A module is gone, or there, from the record on that is written next.
  void unload_module(std::int32_t id);
  void load_module(std::int32_t id);
  // A range of whole pages. If there is one, the table has those that are given, else those that
  // the records touch: memory of instructions whose values are reliable, and of contexts. Throws
  // trace_error(refused) if it does not begin and end with a page, or does not lie behind the one
  // that was given before.
  void add_range(const address_range& r);
  // The text of trace.xml. Without it, make_trace_xml({}).
  void set_xml(std::string text);

  // Enters a system call. Returns its number, for the record that ends it.
  std::int64_t syscall_entry(std::uint32_t thread, std::uint8_t flags, const syscall_info& s,
                             const context_values& c);
  // Leaves call `id` of the same thread, which has not ended, with what is in eax or rax; -1: no
  // entry was seen.
  void syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id, std::uint64_t result,
                    const context_values& c);
  // Call `id` will never return.
  void skipped_syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id);

  // No more records of `thread`: its LastEID is that of its last one, though that is no end. Throws
  // trace_error(refused) if there is none.
  void close_thread(std::uint32_t thread);

  // A record of another trace, whose instructions, threads and system calls have the same numbers
  // here. Throws also what the view does.
  void copy(const record_view& r);

  // How many records there are: the number of the next one.
  [[nodiscard]] std::int64_t size() const noexcept;
  // How many bytes of values records of instruction `id` have, which must exist.
  [[nodiscard]] std::size_t values_size(std::int64_t id) const noexcept;
  // The context map that the writer was given.
  [[nodiscard]] const context_map& registers() const noexcept;

  // Completes the trace; nothing may be called after it. Throws trace_error: refused if a module or
  // a system call names a record that there is not; system.
  void finish();

 private:
  friend record_calls;
  friend class merging_writer;

  // For record_calls.
  [[nodiscard]] const instruction_writer& instructions() const noexcept;
  [[noreturn]] void refuse(const char* field, const std::string& why) const;
  [[nodiscard]] std::byte* put(std::uint32_t thread, exec_type type, std::uint8_t flags,
                               std::size_t n);
  TRACECODEC_INLINE void saw(std::uint8_t flags, std::size_t row,
                             std::span<const std::byte> values);
  void saw(const context_values& c);

  void put_skipped(std::uint32_t thread, std::uint8_t flags, std::int64_t id);
  void require_open(std::int64_t id, std::uint32_t thread) const;
  std::int64_t require_call(const record_view& r) const;
  // Without what lies behind them in the record.
  std::span<const std::byte> copied_values(const record_view& r) const;

  void write(file f, std::span<const std::byte> bytes);
  void write_ranges();

  struct state;  // in writer/impl/writer_state.ipp
  std::unique_ptr<state> state_;
};

#if defined(TRACECODEC_SEPARATE_COMPILATION)
extern template class record_calls<writer, std::uint32_t>;
#endif

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/writer.ipp"
#endif
