// The calls that make execution records, the same for writers that take them in order and for those
// that take them thread by thread.
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

// `Place` says which thread a record is of, and what else its writer needs to place it. `flags` are
// exec_flags. Each call throws trace_error(refused), with record and field, for what the format
// cannot hold or the tables do not have, and has written nothing then; system if a file cannot be
// written, after which the writer can only be destroyed.
//
// `Derived` has instructions(), registers(), refuse(field, why), put(place, type, flags, n), which
// returns room for a record's data, and saw(...), which is told what memory a record shows.
template <class Derived, class Place> class record_calls {
 public:
  // `values` are LCSize bytes of instruction `id`.
  void instruction(Place at, std::uint8_t flags, std::int64_t id,
                   std::span<const std::byte> values);

  void thread_begin(Place at, std::uint8_t flags, const context_values& c);
  void thread_end(Place at, std::uint8_t flags, std::uint32_t exit_code);
  void application_end(Place at, std::uint8_t flags, std::uint32_t exit_code);
  // `type` is apc, exception, callback or unknown_context_change.
  void context_change(Place at, exec_type type, std::uint8_t flags, const context_values& c);
  // A record of a type that has no meaning yet, with the bytes of its data.
  void opaque(Place at, exec_type type, std::uint8_t flags, std::span<const std::byte> data);

 protected:
  // A record of a context, behind the number of a system call if it has one. `At` is what a put()
  // of Derived takes.
  template <class At> void put_context(At at, exec_type type, std::uint8_t flags,
                                       std::optional<std::int64_t> syscall,
                                       const context_values& c);
  static std::string text_of(exec_type type);

 private:
  void end(Place at, exec_type type, std::uint8_t flags, std::uint32_t exit_code);
  Derived& self() noexcept { return static_cast<Derived&>(*this); }
};

// What a view shows, to be written again; `memory` is overwritten and must outlive the result.
context_values values_of(const context_view& c, std::vector<memory_reference>& memory);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/record_calls.ipp"
#endif
