// Writes UMTracer traces from records that arrive thread by thread, each with a sequence number.
// The writer merges the records by sequence number, like an indexer of raw traces.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../writer.hpp"

namespace tracecodec::umtracer {

namespace detail {
struct piece;
}

// Thread of a record, and its sequence number, which must be unique in the trace. The sequence
// numbers of a thread must be ascending, but gaps are allowed.
struct record_place {
  std::uint32_t thread;
  std::uint64_t sequence;
};

// Writer with the same functions as `writer`. The writer stores records in a temporary file until
// finish() merges them. finish() also numbers the records, numbers the system calls in the order of
// their entries, and converts the sequence numbers of module loads and unloads to record numbers.
// The writer needs as much memory as `writer`, plus up to 128 KiB for each thread.
class merging_writer : public record_calls<merging_writer, record_place> {
 public:
  // Creates the trace. Throws the errors of writer's constructor.
  merging_writer(const std::string& folder, std::span<const std::byte> context_map,
                 writer_options options = {});
  merging_writer(merging_writer&&) noexcept;
  merging_writer& operator=(merging_writer&&) noexcept;
  ~merging_writer();

  // These functions have the same effects as the functions of `writer`.
  std::uint32_t add_thread(const thread_info& t);
  std::int64_t add_instruction(const instruction_info& i);
  void add_range(const address_range& r);
  void set_xml(std::string text);

  // Adds a module that is loaded from the first record with a sequence number of at least
  // `sequence`. If m.load_eid is set, `sequence` is ignored.
  std::int32_t add_module(const module_info& m, std::uint64_t sequence = 0);
  // Unloads a module from the first record with a sequence number of at least `sequence`.
  void unload_module(std::int32_t id, std::uint64_t sequence);

  // These functions have the same effects as the functions of `writer`. Pass the number that
  // syscall_entry() returns to syscall_exit() or skipped_syscall_exit(). The exit must have a
  // greater sequence number than the entry.
  std::int64_t syscall_entry(record_place at, std::uint8_t flags, const syscall_info& s,
                             const context_values& c);
  void syscall_exit(record_place at, std::uint8_t flags, std::int64_t id, std::uint64_t result,
                    const context_values& c);
  void skipped_syscall_exit(record_place at, std::uint8_t flags, std::int64_t id);

  // Returns the number of records added so far.
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] const context_map& registers() const noexcept;

  // Merges the records and completes the trace. Do not call any other function afterwards. Calls
  // passed(done) every 65,536 records with the completed fraction, 0 to 1. If `passed` throws, the
  // merge is cancelled and nothing is left on disk. Throws the errors of the `writer` functions
  // that write records, and also:
  // - trace_error(refused) if a sequence number occurs twice
  // - trace_error(refused) if a system call ends twice or before it begins
  // - trace_error(system) if the files cannot be written
  void finish(const std::function<void(double)>& passed = {});

 private:
  friend record_calls;

  struct followed;

  // Functions that record_calls uses.
  [[nodiscard]] const instruction_writer& instructions() const noexcept;
  [[noreturn]] void refuse(const char* field, const std::string& why) const;
  [[nodiscard]] std::byte* put(record_place at, exec_type type, std::uint8_t flags, std::size_t n);
  [[nodiscard]] std::byte* put(const followed& placed, exec_type type, std::uint8_t flags,
                               std::size_t n);
  static void saw(std::uint8_t, std::size_t, std::span<const std::byte>) noexcept {}
  static void saw(const context_values&) noexcept {}

  void require_call(std::int64_t id) const;

  void merge(const std::function<void(double)>& passed);
  // Applies the loads and unloads of modules up to the record with `sequence`.
  void apply_changes(std::uint64_t sequence);
  void write(const detail::piece& p);
  // Ends call `id` and returns its final number, or -1 if `id` is -1. Throws trace_error(refused)
  // if the call is not open.
  std::int64_t ended(std::int64_t id);
  syscall_info info_of(std::span<const std::byte> call);

  struct state;
  std::unique_ptr<state> state_;
};

#if defined(TRACECODEC_SEPARATE_COMPILATION)
extern template class record_calls<merging_writer, record_place>;
#endif

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/merge.ipp"
#endif
