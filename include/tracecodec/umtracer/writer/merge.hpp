// Writes UMTracer traces from records that come thread by thread, each with the number of its place
// among all: they are merged into order, as an indexer of raw traces does.
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

// Which thread a record is of, and its number, which no other record of the trace has. Those of a
// thread rise; not every number must occur.
struct record_place {
  std::uint32_t thread;
  std::uint64_t sequence;
};

// As `writer`, but records are kept in a temporary file until finish() merges them. Memory: in
// addition up to 128 KiB for each thread that has as much. Only then do records and system calls
// get their numbers: calls are numbered by their entries, and the times of modules become the
// numbers of records.
class merging_writer : public record_calls<merging_writer, record_place> {
 public:
  // Throws as writer.
  merging_writer(const std::string& folder, std::span<const std::byte> context_map,
                 writer_options options = {});
  merging_writer(merging_writer&&) noexcept;
  merging_writer& operator=(merging_writer&&) noexcept;
  ~merging_writer();

  // As those of `writer`.
  std::uint32_t add_thread(const thread_info& t);
  std::int64_t add_instruction(const instruction_info& i);
  void add_range(const address_range& r);
  void set_xml(std::string text);

  // A module that is there from the first record on whose sequence is `sequence` or more. What
  // module_info says of times is kept if it says it.
  std::int32_t add_module(const module_info& m, std::uint64_t sequence = 0);
  // It is gone from that record on.
  void unload_module(std::int32_t id, std::uint64_t sequence);

  // As those of `writer`; the number that the entry returns is for the record that ends the call,
  // which may come first or last, if only its sequence is greater.
  std::int64_t syscall_entry(record_place at, std::uint8_t flags, const syscall_info& s,
                             const context_values& c);
  void syscall_exit(record_place at, std::uint8_t flags, std::int64_t id, std::uint64_t result,
                    const context_values& c);
  void skipped_syscall_exit(record_place at, std::uint8_t flags, std::int64_t id);

  // How many records there are.
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] const context_map& registers() const noexcept;

  // Merges, and completes the trace; nothing may be called after it. passed(done) is called now and
  // then, with 0 to 1, how far it has come; what it throws ends the work, and nothing is left.
  // Throws trace_error: refused for a sequence that occurs twice, for a system call that ends
  // before it begins or twice, and as writer's records; system.
  void finish(const std::function<void(double)>& passed = {});

 private:
  friend record_calls;

  struct followed;

  // For record_calls.
  [[nodiscard]] const instruction_writer& instructions() const noexcept;
  [[noreturn]] void refuse(const char* field, const std::string& why) const;
  [[nodiscard]] std::byte* put(record_place at, exec_type type, std::uint8_t flags, std::size_t n);
  [[nodiscard]] std::byte* put(const followed& placed, exec_type type, std::uint8_t flags,
                               std::size_t n);
  static void saw(std::uint8_t, std::size_t, std::span<const std::byte>) noexcept {}
  static void saw(const context_values&) noexcept {}

  void require_call(std::int64_t id) const;

  void merge(const std::function<void(double)>& passed);
  // Those before the record that is next.
  void apply_changes(std::uint64_t sequence);
  void write(const detail::piece& p);
  // The final number of the call that ends.
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
