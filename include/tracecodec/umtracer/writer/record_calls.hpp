// The calls that make execution records, the same for writers that take them in order and for those
// that take them thread by thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "../layout/exec.hpp"
#include "context_writer.hpp"
#include "instruction_writer.hpp"

namespace tracecodec::umtracer {

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
                   std::span<const std::byte> values) {
    const instruction_writer& known = self().instructions();
    if (id < 0 || static_cast<std::uint64_t>(id) >= known.size()) [[unlikely]]
      self().refuse("instruction_id", "there is no instruction " + std::to_string(id));
    const auto row = static_cast<std::size_t>(id);
    if (values.size() != known.values_size(row)) [[unlikely]]
      self().refuse("values", std::to_string(values.size()) + " bytes, instruction " +
                                  std::to_string(id) + " has " +
                                  std::to_string(known.values_size(row)));
    std::byte* const to = store_behind_head<&execution::instruction_id>(
        id, self().put(at, exec_type::instruction, flags,
                       behind_head<&execution::values> + values.size()));
    wire::copy(values.data(), to, values.size());
    self().saw(flags, row, values);
  }

  void thread_begin(Place at, std::uint8_t flags, const context_values& c) {
    put_context(at, exec_type::thread_begin, flags, {}, c);
  }
  void thread_end(Place at, std::uint8_t flags, std::uint32_t exit_code) {
    end(at, exec_type::thread_end, flags, exit_code);
  }
  void application_end(Place at, std::uint8_t flags, std::uint32_t exit_code) {
    end(at, exec_type::application_end, flags, exit_code);
  }
  // `type` is apc, exception, callback or unknown_context_change.
  void context_change(Place at, exec_type type, std::uint8_t flags, const context_values& c) {
    if (type < exec_type::apc || !wire::tag_has<execution_codec, &execution::context>(type))
      self().refuse("type", text_of(type) + " is no context change");
    put_context(at, type, flags, {}, c);
  }
  // A record of a type that has no meaning yet, with the bytes of its data.
  void opaque(Place at, exec_type type, std::uint8_t flags, std::span<const std::byte> data) {
    if (!wire::tag_has<execution_codec, &execution::data>(type))
      self().refuse("type", text_of(type) + " is not opaque");
    wire::copy(data.data(), self().put(at, type, flags, data.size()), data.size());
  }

 protected:
  // A record of a context, behind the number of a system call if it has one. `At` is what a put()
  // of Derived takes.
  template <class At> void put_context(At at, exec_type type, std::uint8_t flags,
                                       std::optional<std::int64_t> syscall,
                                       const context_values& c) {
    const std::size_t wanted = self().registers().dump_size();
    if (c.registers.size() != wanted)
      self().refuse("registers", std::to_string(c.registers.size()) + " bytes, a context has " +
                                     std::to_string(wanted));
    if (c.memory.size() > std::numeric_limits<std::uint32_t>::max())
      self().refuse("memory_count", "does not fit");
    const std::size_t front = syscall ? behind_head<&execution::syscall_id> : 0;
    std::byte* to = self().put(at, type, flags, front + context_extent(c));
    if (syscall) to = store_behind_head<&execution::syscall_id>(*syscall, to);
    encode_context(c, to);
    self().saw(c);
  }
  static std::string text_of(exec_type type) {
    return "type " + std::to_string(static_cast<unsigned>(type));
  }

 private:
  void end(Place at, exec_type type, std::uint8_t flags, std::uint32_t exit_code) {
    store_behind_head<&execution::exit_code>(
        exit_code, self().put(at, type, flags, behind_head<&execution::exit_code>));
  }
  Derived& self() noexcept { return static_cast<Derived&>(*this); }
};

// What a view shows, to be written again; `memory` is overwritten and must outlive the result.
inline context_values values_of(const context_view& c, std::vector<memory_reference>& memory) {
  memory.clear();
  for (std::size_t i = 0; i < c.memory_count(); ++i) memory.push_back(c.memory(i));
  return {c.buffer(), memory};
}

}  // namespace tracecodec::umtracer
