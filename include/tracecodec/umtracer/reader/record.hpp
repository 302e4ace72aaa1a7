// One execution record where it lies, and by its type what is in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../wire/view.hpp"
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
               std::span<const std::byte> registers, const context_map& map, bool code64) noexcept
      : bytes_(bytes), memory_(memory), registers_(registers), map_(map), code64_(code64) {}

  // Its rmContext, to the record's end.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  // The whole buffer, laid out by the context map for the record's mode.
  [[nodiscard]] std::span<const std::byte> buffer() const noexcept { return registers_; }
  // The bytes of a register, little-endian; empty if this context has none of that number.
  [[nodiscard]] std::span<const std::byte> register_bytes(std::uint16_t id) const noexcept {
    return map_.in_context(registers_, id, code64_);
  }
  // The low 64 bits of a register by its name, such as "rax"; nullopt if there is none.
  [[nodiscard]] std::optional<std::uint64_t> get(std::string_view name) const noexcept {
    const auto id = map_.find(name);
    if (!id) return std::nullopt;
    const auto bytes = register_bytes(*id);
    if (bytes.empty()) return std::nullopt;
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
      v |= std::to_integer<std::uint64_t>(bytes[i]) << 8 * i;
    return v;
  }

  // How many memory references there are.
  [[nodiscard]] std::size_t memory_count() const noexcept { return memory_.size(); }
  // Reference `i`, which must exist; the reader has seen that its bytes do.
  [[nodiscard]] memory_reference memory(std::size_t i) const noexcept {
    const context_memory m = row(i);
    return {m.address, bytes_.subspan(static_cast<std::size_t>(m.data.offset),
                                      static_cast<std::size_t>(m.size))};
  }
  // Its row as it is stored.
  [[nodiscard]] context_memory row(std::size_t i) const noexcept { return memory_[i]; }

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
  [[nodiscard]] context_view context() const {
    if (!has_context()) wrong_type(wire::name_of<&execution::context>);
    execution all;
    if (const auto r = execution_codec::decode(bytes_, all); !r) too_short(r.field);
    const auto bytes = all.context.bytes();
    const std::size_t at = bytes_.size() - bytes.size();
    context_record head{};
    const auto r = context_record_codec::decode(bytes, head);
    if (!r) fail(trace_errc::truncated, at + r.used, r.field, "the record ends inside its context");
    const auto bad = [&](std::size_t offset, const char* field, const std::string& why) {
      fail(trace_errc::bad_value, at + offset, field, why);
    };
    const wire::array_view<context_memory_codec> rows(bytes.subspan(r.used));
    if (head.memory_count > rows.size())
      bad(context_record_codec::offset_of<&context_record::memory_count>, "memory_count",
          std::to_string(head.memory_count) + ", the record has room for " +
              std::to_string(rows.size()));
    const wire::region<register_context> region{bytes};
    const auto registers = head.registers.locate(region, map_.dump_size());
    if (!registers)
      bad(context_record_codec::offset_of<&context_record::registers>, "registers",
          "leads outside the record");
    context_view view(bytes, rows.subview(0, head.memory_count), registers.bytes, map_, code64());
    for (std::size_t i = 0; i < head.memory_count; ++i) {
      const context_memory m = view.row(i);
      // Compared before the cast, which loses bits where std::size_t has 32.
      if (m.size < 0 || static_cast<std::uint64_t>(m.size) > bytes.size() ||
          !m.data.locate(region, static_cast<std::size_t>(m.size)))
        bad(context_record_codec::size + i * context_memory_codec::size +
                context_memory_codec::offset_of<&context_memory::size>,
            "memory", "memory reference " + std::to_string(i) + " leads outside the record");
    }
    return view;
  }

  // Throws trace_error(truncated) for values that should have `wanted` bytes.
  [[noreturn, gnu::cold, gnu::noinline]] void values_end(std::size_t wanted) const {
    fail(trace_errc::truncated, bytes_.size(), "values",
         "the record ends after " + std::to_string(values().size()) + " of " +
             std::to_string(wanted) + " bytes");
  }
  // Throws trace_error with the record's place; `at` is from its first byte.
  [[noreturn]] void fail(trace_errc code, std::size_t at, std::string_view field,
                         const std::string& why) const {
    files_->fail(file::exec_records, code, offset_ + at, id_, field, why);
  }

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
  [[noreturn, gnu::cold, gnu::noinline]] void too_short(std::string_view field) const {
    fail(trace_errc::truncated, exec_record_codec::size, field, "the record ends before its end");
  }
  [[noreturn, gnu::cold, gnu::noinline]] void wrong_type(std::string_view field) const {
    fail(trace_errc::refused, exec_record_codec::offset_of<&exec_record::type>, "type",
         "type " + std::to_string(static_cast<unsigned>(head_.type)) + " has no " +
             std::string(field));
  }

  const trace_files* files_;
  context_map map_;
  std::uint64_t id_, offset_;
  std::span<const std::byte> bytes_;
  exec_record head_;
};

}  // namespace tracecodec::umtracer
