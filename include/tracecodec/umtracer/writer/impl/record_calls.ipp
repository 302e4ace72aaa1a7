// Implementation of umtracer/writer/record_calls.hpp.
#pragma once
#include <limits>

#include "../record_calls.hpp"
#include "instruction_writer.hpp"

namespace tracecodec::umtracer {

template <class Derived, class Place>
void record_calls<Derived, Place>::instruction(Place at, std::uint8_t flags, std::int64_t id,
                                               std::span<const std::byte> values) {
  const instruction_writer& known = self().instructions();
  if (id < 0 || static_cast<std::uint64_t>(id) >= known.size()) [[unlikely]]
    self().refuse("instruction_id", "there is no instruction " + std::to_string(id));
  const auto row = static_cast<std::size_t>(id);
  if (values.size() != known.values_size(row)) [[unlikely]]
    self().refuse("values", std::to_string(values.size()) + " bytes, instruction " +
                                std::to_string(id) + " has " +
                                std::to_string(known.values_size(row)));
  std::byte* const to = store_after_head<&execution::instruction_id>(
      id, self().put(at, exec_type::instruction, flags,
                     fixed_after_head<&execution::values> + values.size()));
  wire::copy(values.data(), to, values.size());
  self().saw(flags, row, values);
}

template <class Derived, class Place>
void record_calls<Derived, Place>::thread_begin(Place at, std::uint8_t flags,
                                                const context_values& c) {
  put_context(at, exec_type::thread_begin, flags, {}, c);
}

template <class Derived, class Place>
void record_calls<Derived, Place>::thread_end(Place at, std::uint8_t flags,
                                              std::uint32_t exit_code) {
  end(at, exec_type::thread_end, flags, exit_code);
}

template <class Derived, class Place>
void record_calls<Derived, Place>::application_end(Place at, std::uint8_t flags,
                                                   std::uint32_t exit_code) {
  end(at, exec_type::application_end, flags, exit_code);
}

template <class Derived, class Place>
void record_calls<Derived, Place>::context_change(Place at, exec_type type, std::uint8_t flags,
                                                  const context_values& c) {
  if (type < exec_type::apc || !wire::tag_has<execution_codec, &execution::context>(type))
    self().refuse("type", text_of(type) + " is not a context change");
  put_context(at, type, flags, {}, c);
}

template <class Derived, class Place>
void record_calls<Derived, Place>::opaque(Place at, exec_type type, std::uint8_t flags,
                                          std::span<const std::byte> data) {
  if (!wire::tag_has<execution_codec, &execution::data>(type))
    self().refuse("type", text_of(type) + " is not opaque");
  wire::copy(data.data(), self().put(at, type, flags, data.size()), data.size());
}

template <class Derived, class Place> template <class At>
void record_calls<Derived, Place>::put_context(At at, exec_type type, std::uint8_t flags,
                                               std::optional<std::int64_t> syscall,
                                               const context_values& c) {
  const std::size_t wanted = self().registers().dump_size();
  if (c.registers.size() != wanted)
    self().refuse("registers", std::to_string(c.registers.size()) + " bytes, but a context has " +
                                   std::to_string(wanted));
  if (c.memory.size() > std::numeric_limits<std::uint32_t>::max())
    self().refuse("memory_count", "does not fit");
  const std::size_t front = syscall ? fixed_after_head<&execution::syscall_id> : 0;
  std::byte* to = self().put(at, type, flags, front + context_extent(c));
  if (syscall) to = store_after_head<&execution::syscall_id>(*syscall, to);
  encode_context(c, to);
  self().saw(c);
}

template <class Derived, class Place>
std::string record_calls<Derived, Place>::text_of(exec_type type) {
  return "type " + std::to_string(static_cast<unsigned>(type));
}

template <class Derived, class Place>
void record_calls<Derived, Place>::end(Place at, exec_type type, std::uint8_t flags,
                                       std::uint32_t exit_code) {
  store_after_head<&execution::exit_code>(
      exit_code, self().put(at, type, flags, fixed_after_head<&execution::exit_code>));
}

TRACECODEC_FUNC context_values values_of(const context_view& c,
                                         std::vector<memory_reference>& memory) {
  memory.clear();
  for (std::size_t i = 0; i < c.memory_count(); ++i) memory.push_back(c.memory(i));
  return {c.buffer(), memory};
}

}  // namespace tracecodec::umtracer
