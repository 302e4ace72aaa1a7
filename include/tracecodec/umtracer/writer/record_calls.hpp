// Functions that create execution records. `writer` and merging_writer inherit these functions.
// `writer` receives the records in trace order, and merging_writer receives them thread by thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../layout/exec.hpp"
#include "context_writer.hpp"

namespace tracecodec::umtracer {

class instruction_writer;

// Base class of writers. `Place` contains a record's thread, and any other data that the writer
// needs to order records. `flags` are exec_flags. Each function throws:
// - trace_error(refused), with record and field, if the format cannot store a value, or if the
//   record refers to a row that does not exist. In these cases, nothing is written.
// - trace_error(system) if a file cannot be written. The writer can then only be destroyed.
//
// `Derived` must provide instructions(), registers() and refuse(field, why). Its function
// put(place, type, flags, n) must return space for a record's data. Its function saw(...) receives
// the memory that a record contains.
template <class Derived, class Place> class record_calls {
 public:
  // Adds an execution of instruction `id`. `values` must have LCSize bytes
  // (decoded_instruction::values_size).
  void instruction(Place at, std::uint8_t flags, std::int64_t id,
                   std::span<const std::byte> values);

  void thread_begin(Place at, std::uint8_t flags, const context_values& c);
  void thread_end(Place at, std::uint8_t flags, std::uint32_t exit_code);
  void application_end(Place at, std::uint8_t flags, std::uint32_t exit_code);
  // Adds a change of context. `type` is apc, exception, callback or unknown_context_change.
  void context_change(Place at, exec_type type, std::uint8_t flags, const context_values& c);
  // Adds a record of a type that the specification does not define, with its data.
  void opaque(Place at, exec_type type, std::uint8_t flags, std::span<const std::byte> data);

 protected:
  // Adds a record with a context, preceded by the number of a system call if there is one. `At` is
  // the type of the first parameter of a put() function of Derived.
  template <class At> void put_context(At at, exec_type type, std::uint8_t flags,
                                       std::optional<std::int64_t> syscall,
                                       const context_values& c);
  static std::string text_of(exec_type type);

 private:
  void end(Place at, exec_type type, std::uint8_t flags, std::uint32_t exit_code);
  Derived& self() noexcept { return static_cast<Derived&>(*this); }
};

// Returns the contents of `c` in the form that a writer accepts. Overwrites `memory`, which must
// outlive the result.
context_values values_of(const context_view& c, std::vector<memory_reference>& memory);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/record_calls.ipp"
#endif
