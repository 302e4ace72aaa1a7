// View of one execution record, with accessors for the fields of its type.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "../../wire/types/view.hpp"
#include "../files.hpp"
#include "../layout/exec.hpp"
#include "../layout/instruction.hpp"
#include "context_map.hpp"

namespace tracecodec::umtracer {

// Memory contents stored in a context.
struct memory_reference {
  std::uint64_t address;
  std::span<const std::byte> bytes;
};

// View of a context in a record. A context contains all registers, and some memory, at one moment.
class context_view {
 public:
  context_view(std::span<const std::byte> bytes, wire::array_view<context_memory_codec> memory,
               std::span<const std::byte> registers, const context_map& map, bool code64) noexcept;

  // Returns the rmContext, up to the end of the record.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  // Returns the buffer of all registers. The context map describes the layout of the buffer for the
  // record's mode.
  [[nodiscard]] std::span<const std::byte> buffer() const noexcept { return registers_; }
  // Returns the bytes of register `id` in little-endian order, or an empty span if the context does
  // not contain the register.
  [[nodiscard]] std::span<const std::byte> register_bytes(std::uint16_t id) const noexcept;
  // Returns the low 64 bits of the register `name`, such as "rax", or nullopt if the context does
  // not contain the register.
  [[nodiscard]] std::optional<std::uint64_t> get(std::string_view name) const noexcept;

  // Returns the number of memory references.
  [[nodiscard]] std::size_t memory_count() const noexcept { return memory_.size(); }
  // Returns memory reference `i`, which must exist. record_view::context() has already checked that
  // the context contains the bytes of the reference.
  [[nodiscard]] memory_reference memory(std::size_t i) const noexcept;
  // Returns the row of memory reference `i` as stored.
  [[nodiscard]] context_memory row(std::size_t i) const noexcept;

 private:
  std::span<const std::byte> bytes_;
  wire::array_view<context_memory_codec> memory_;
  std::span<const std::byte> registers_;
  context_map map_;
  bool code64_;
};

// View of record `id` in exec.vtable. Functions that need other files are members of `reader`.
// Accessors throw trace_error(refused) for a field that the record's type does not have. If the
// field does not fit in the record, the accessors throw trace_error(truncated) or
// trace_error(bad_value), with the field.
class record_view {
 public:
  TRACECODEC_INLINE record_view(const trace_files& files, const context_map& map, std::uint64_t id,
                                std::uint64_t offset, std::span<const std::byte> bytes) noexcept
      : files_(&files),
        map_(map),
        id_(id),
        offset_(offset),
        bytes_(bytes),
        head_(exec_record_codec::load(bytes.data())) {}

  [[nodiscard]] TRACECODEC_INLINE std::uint64_t id() const noexcept { return id_; }
  // Returns the offset of the record in exec.vtable.
  [[nodiscard]] TRACECODEC_INLINE std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] TRACECODEC_INLINE std::uint32_t thread() const noexcept { return head_.thread_id; }
  [[nodiscard]] TRACECODEC_INLINE exec_type type() const noexcept { return head_.type; }
  [[nodiscard]] TRACECODEC_INLINE std::uint8_t flags() const noexcept { return head_.flags; }
  [[nodiscard]] TRACECODEC_INLINE bool code64() const noexcept {
    return (head_.flags & exec_flags::code64) != 0;
  }
  // Returns everything after the 6-byte head, including unused bytes at the end.
  [[nodiscard]] TRACECODEC_INLINE std::span<const std::byte> data() const noexcept {
    return bytes_.subspan(exec_record_codec::size);
  }

  // Returns the row of the record's instruction in the instruction table. Requires type
  // instruction.
  [[nodiscard]] TRACECODEC_INLINE std::int64_t instruction_id() const {
    return get<&execution::instruction_id>();
  }
  // Returns the operand values and any further bytes of the record. Requires type instruction.
  [[nodiscard]] TRACECODEC_INLINE std::span<const std::byte> values() const {
    front<&execution::instruction_id>();
    return bytes_.subspan(front_with<&execution::values>);
  }
  // Returns the exit code. Requires type thread_end or application_end.
  [[nodiscard]] std::uint32_t exit_code() const { return get<&execution::exit_code>(); }
  // Returns the id of the system call, or -1 for an exit without an entry. Requires type
  // syscall_entry, syscall_exit or skipped_syscall_exit.
  [[nodiscard]] std::int64_t syscall_id() const { return get<&execution::syscall_id>(); }
  // Functions that return true if the record's type has an exit_code(), a syscall_id() or a
  // context(), respectively.
  [[nodiscard]] bool has_exit_code() const noexcept {
    return wire::tag_has<execution_codec, &execution::exit_code>(head_.type);
  }
  [[nodiscard]] bool has_syscall() const noexcept {
    return wire::tag_has<execution_codec, &execution::syscall_id>(head_.type);
  }
  [[nodiscard]] bool has_context() const noexcept {
    return wire::tag_has<execution_codec, &execution::context>(head_.type);
  }
  // Returns the context. Requires type thread_begin, syscall_entry, syscall_exit, apc, exception,
  // callback or unknown_context_change.
  [[nodiscard]] context_view context() const;

  // Throws trace_error(truncated) for values with fewer than `wanted` bytes.
  [[noreturn, gnu::cold]] void values_end(std::size_t wanted) const;
  // Throws trace_error with the location of the record. `at` is an offset from the record's first
  // byte.
  [[noreturn]] void fail(trace_errc code, std::size_t at, std::string_view field,
                         const std::string& why) const;

 private:
  // Returns the front part of the record, up to member `M`. Throws if the record's type does
  // not have `M`, or if the record is too short.
  template <auto M> TRACECODEC_INLINE wire::record_view<execution_with<M>> front() const {
    if (!wire::tag_has<execution_codec, M>(head_.type)) [[unlikely]]
      wrong_type(wire::name_of<M>);
    if (bytes_.size() < front_with<M>) [[unlikely]]
      too_short(wire::name_of<M>);
    return wire::record_view<execution_with<M>>(bytes_.template first<front_with<M>>());
  }
  template <auto M> TRACECODEC_INLINE wire::member_t<M> get() const {
    return front<M>().template get<M>();
  }
  [[noreturn, gnu::cold]] void too_short(std::string_view field) const;
  [[noreturn, gnu::cold]] void wrong_type(std::string_view field) const;

  const trace_files* files_;
  context_map map_;
  std::uint64_t id_, offset_;
  std::span<const std::byte> bytes_;
  exec_record head_;
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/record.ipp"
#endif
