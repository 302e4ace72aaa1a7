// Writes UMTracer traces. Table rows are added as they become known. Execution records are added in
// order.
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

// Versions of the format to write. The comments list the accepted values. The writer rejects all
// other values.
struct writer_options {
  std::uint32_t exec_version = 1;         // 0 or 1; selects the meaning of flags 0x10 to 0x80
  std::uint32_t instruction_version = 1;  // 0: slots store the largest register; 1: the common name
  // Size of a module's row, 48 or 64. A row of 64 bytes also stores the time and version of the
  // module's file.
  std::size_t module_row_size = 64;
  std::size_t thread_row_size = 48;   // 40 or 48
  std::uint32_t unified_version = 1;  // 0 or 1: version of the system calls' uniform ids
  // Maximum total size of all files in bytes (see io::atomic_folder).
  std::uint64_t most_bytes = io::no_size_limit;
};

// Writer of all eleven files. The folder appears under its final name when finish() completes the
// trace. If the writer is destroyed earlier, nothing remains on disk. The writer never masks or
// truncates a value, but rejects a value that does not fit. Memory use grows with the number of
// threads, modules, instructions, page ranges and unfinished system calls, but not with the number
// of records.
//
//   umtracer::writer out("trace", map);
//   const auto thread = out.add_thread({});
//   const auto add = out.add_instruction({.code64 = true, .code = code, ...});
//   out.thread_begin(thread, exec_flags::code64, {registers});
//   out.instruction(thread, exec_flags::code64, add, values);
//   out.finish();
class writer : public record_calls<writer, std::uint32_t> {
 public:
  // Creates the trace. `context_map` is the content of context_map.itable, copied from another
  // trace or created by make_context_map(). Throws the errors of io::atomic_folder, and also:
  // - trace_error(refused) if an option has a value that writer_options does not list
  // - trace_error(truncated) or trace_error(bad_value) if the map is invalid
  writer(const std::string& folder, std::span<const std::byte> context_map,
         writer_options options = {});
  writer(writer&&) noexcept;
  writer& operator=(writer&&) noexcept;
  ~writer();

  // Functions that add a row and return its number. Records refer to the row by this number. The
  // functions throw trace_error(refused), with row and field, if a row cannot store a value, or if
  // an instruction refers to an unknown module.
  std::int32_t add_module(const module_info& m);
  std::uint32_t add_thread(const thread_info& t);
  std::int64_t add_instruction(const instruction_info& i);
  // Adds a system call. The caller must then pass the call's records to copy(). All other system
  // calls are added by syscall_entry(). Throws the errors of add_module().
  std::int64_t add_syscall(const syscall_info& s, const syscall_outcome& o);

  // Functions that mark module `id` as unloaded or loaded from the next record on.
  void unload_module(std::int32_t id);
  void load_module(std::int32_t id);
  // Adds a range of whole pages. If any range is added, the table contains exactly the added
  // ranges. If none is added, the table contains the pages that the records access: memory operands
  // of instructions with reliable values, and memory in contexts. Throws trace_error(refused) if
  // the range does not start and end at page boundaries, or does not begin after the previous
  // range.
  void add_range(const address_range& r);
  // Sets the text of trace.xml. The default is make_trace_xml({}).
  void set_xml(std::string text);

  // Writes the entry of a system call. Returns the call's number, which syscall_exit() and
  // skipped_syscall_exit() require.
  std::int64_t syscall_entry(std::uint32_t thread, std::uint8_t flags, const syscall_info& s,
                             const context_values& c);
  // Writes the exit of call `id`, which must be an open call of the same thread. `result` is the
  // value of eax or rax. If the entry was not recorded, `id` is -1.
  void syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id, std::uint64_t result,
                    const context_values& c);
  // Writes a skipped exit of a system call, which means that call `id` never returns.
  void skipped_syscall_exit(std::uint32_t thread, std::uint8_t flags, std::int64_t id);

  // Declares that `thread` has no more records. LastEID in the thread's row becomes the id of the
  // thread's last record, even if that record is not a thread end. Throws trace_error(refused) if
  // the thread has no records.
  void close_thread(std::uint32_t thread);

  // Copies a record of another trace. Instructions, threads and system calls must have the same
  // numbers in both traces. Also throws the errors of record_view.
  void copy(const record_view& r);

  // Returns the number of records written, which is also the number of the next record.
  [[nodiscard]] std::int64_t size() const noexcept;
  // Returns the size in bytes of the values in records of instruction `id`, which must exist.
  [[nodiscard]] std::size_t values_size(std::int64_t id) const noexcept;
  // Returns the context map that was passed to the constructor.
  [[nodiscard]] const context_map& registers() const noexcept;

  // Completes the trace. Call no other function afterwards. Throws trace_error(refused) if a module
  // or a system call refers to a record that does not exist. Throws trace_error(system) if the
  // files cannot be written.
  void finish();

 private:
  friend record_calls;
  friend class merging_writer;

  // Functions that record_calls uses.
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
  // Returns the operand values of `r`, without any further bytes of the record.
  std::span<const std::byte> copied_values(const record_view& r) const;

  void write(file f, std::span<const std::byte> bytes);
  void write_ranges();

  struct state;  // defined in writer/impl/writer_state.ipp
  std::unique_ptr<state> state_;
};

#if defined(TRACECODEC_SEPARATE_COMPILATION)
extern template class record_calls<writer, std::uint32_t>;
#endif

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/writer.ipp"
#endif
