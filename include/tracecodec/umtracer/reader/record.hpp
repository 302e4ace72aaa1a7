// One execution record where it lies, and by its type what is in it.
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

// Memory that a context shows.
struct memory_reference {
  std::uint64_t address;
  std::span<const std::byte> bytes;
};

// All registers, and some memory, at a moment. Views into the record.
class context_view {
 public:
  context_view(std::span<const std::byte> bytes, wire::array_view<context_memory_codec> memory,
               std::span<const std::byte> registers, const context_map& map, bool code64) noexcept;

  // Its rmContext, to the record's end.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  // The whole buffer, laid out by the context map for the record's mode.
  [[nodiscard]] std::span<const std::byte> buffer() const noexcept { return registers_; }
  // The bytes of a register, little-endian; empty if this context has none of that number.
  [[nodiscard]] std::span<const std::byte> register_bytes(std::uint16_t id) const noexcept;
  // The low 64 bits of a register by its name, such as "rax"; nullopt if there is none.
  [[nodiscard]] std::optional<std::uint64_t> get(std::string_view name) const noexcept;

  // How many memory references there are.
  [[nodiscard]] std::size_t memory_count() const noexcept { return memory_.size(); }
  // Reference `i`, which must exist; the reader has seen that its bytes do.
  [[nodiscard]] memory_reference memory(std::size_t i) const noexcept;
  // Its row as it is stored.
  [[nodiscard]] context_memory row(std::size_t i) const noexcept;

 private:
  std::span<const std::byte> bytes_;
  wire::array_view<context_memory_codec> memory_;
  std::span<const std::byte> registers_;
  context_map map_;
  bool code64_;
};

// A view of record `id`. It knows its bytes; what lies in other files is for the reader to give.
// What is not of its type throws trace_error(refused); what does not fit in the record, truncated
// or bad_value with the field.
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
  // Where it begins in exec.vtable.
  [[nodiscard]] TRACECODEC_INLINE std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] TRACECODEC_INLINE std::uint32_t thread() const noexcept { return head_.thread_id; }
  [[nodiscard]] TRACECODEC_INLINE exec_type type() const noexcept { return head_.type; }
  [[nodiscard]] TRACECODEC_INLINE std::uint8_t flags() const noexcept { return head_.flags; }
  [[nodiscard]] TRACECODEC_INLINE bool code64() const noexcept {
    return (head_.flags & exec_flags::code64) != 0;
  }
  // Everything behind the six bytes of the head, slack too.
  [[nodiscard]] TRACECODEC_INLINE std::span<const std::byte> data() const noexcept {
    return bytes_.subspan(exec_record_codec::size);
  }

  // instruction: the row of the instruction table.
  [[nodiscard]] TRACECODEC_INLINE std::int64_t instruction_id() const {
    return get<&execution::instruction_id>();
  }
  // instruction: the values of its operands, and whatever follows them.
  [[nodiscard]] TRACECODEC_INLINE std::span<const std::byte> values() const {
    front<&execution::instruction_id>();
    return bytes_.subspan(front_with<&execution::values>);
  }
  // thread_end, application_end.
  [[nodiscard]] std::uint32_t exit_code() const { return get<&execution::exit_code>(); }
  // syscall_entry, syscall_exit, skipped_syscall_exit: -1 if an exit has no entry.
  [[nodiscard]] std::int64_t syscall_id() const { return get<&execution::syscall_id>(); }
  // Whether its type has an exit_code(); a syscall_id(); a context().
  [[nodiscard]] bool has_exit_code() const noexcept {
    return wire::tag_has<execution_codec, &execution::exit_code>(head_.type);
  }
  [[nodiscard]] bool has_syscall() const noexcept {
    return wire::tag_has<execution_codec, &execution::syscall_id>(head_.type);
  }
  [[nodiscard]] bool has_context() const noexcept {
    return wire::tag_has<execution_codec, &execution::context>(head_.type);
  }
  // thread_begin, system calls but skipped exits, context changes.
  [[nodiscard]] context_view context() const;

  // Throws trace_error(truncated) for values that should have `wanted` bytes.
  [[noreturn, gnu::cold]] void values_end(std::size_t wanted) const;
  // Throws trace_error with the record's place; `at` is from its first byte.
  [[noreturn]] void fail(trace_errc code, std::size_t at, std::string_view field,
                         const std::string& why) const;

 private:
  // The front of the record, with its member `M`, which its type has.
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
