// Implementation of umtracer/reader/record.hpp.
#pragma once
#include "../../../wire/types/scalar.hpp"
#include "../record.hpp"

namespace tracecodec::umtracer {

namespace detail {
// Returns the bytes of memory reference `m`, or nullopt if the bytes are outside `context`.
inline std::optional<std::span<const std::byte>> bytes_of(const context_memory& m,
                                                          std::span<const std::byte> context) {
  // Compare before the cast, because the cast truncates the value if std::size_t has 32 bits.
  if (m.size < 0 || static_cast<std::uint64_t>(m.size) > context.size()) return std::nullopt;
  const auto at =
      m.data.locate(wire::region<register_context>{context}, static_cast<std::size_t>(m.size));
  return at ? std::optional(at.bytes) : std::nullopt;
}
}  // namespace detail

TRACECODEC_FUNC context_view::context_view(std::span<const std::byte> bytes,
                                           wire::array_view<context_memory_codec> memory,
                                           std::span<const std::byte> registers,
                                           const context_map& map, bool code64) noexcept
    : bytes_(bytes), memory_(memory), registers_(registers), map_(map), code64_(code64) {}
TRACECODEC_FUNC std::span<const std::byte> context_view::register_bytes(
    std::uint16_t id) const noexcept {
  return map_.in_context(registers_, id, code64_);
}
TRACECODEC_FUNC std::optional<std::uint64_t> context_view::get(
    std::string_view name) const noexcept {
  const auto id = map_.find(name);
  if (!id) return std::nullopt;
  const auto bytes = register_bytes(*id);
  if (bytes.empty()) return std::nullopt;
  return wire::load_little(bytes.data(), bytes.size());
}
TRACECODEC_FUNC memory_reference context_view::memory(std::size_t i) const noexcept {
  const context_memory m = row(i);
  // Check again, because a mapped file may have changed after the context was checked.
  return {m.address, detail::bytes_of(m, bytes_).value_or(std::span<const std::byte>{})};
}
TRACECODEC_FUNC context_memory context_view::row(std::size_t i) const noexcept {
  return memory_[i];
}
TRACECODEC_FUNC context_view record_view::context() const {
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
        std::to_string(head.memory_count) + ", but the record holds " +
            std::to_string(rows.size()));
  const wire::region<register_context> region{bytes};
  const auto registers = head.registers.locate(region, map_.dump_size());
  if (!registers)
    bad(context_record_codec::offset_of<&context_record::registers>, "registers",
        "points outside the record");
  context_view view(bytes, rows.subview(0, head.memory_count), registers.bytes, map_, code64());
  for (std::size_t i = 0; i < head.memory_count; ++i) {
    if (!detail::bytes_of(view.row(i), bytes))
      bad(context_record_codec::size + i * context_memory_codec::size +
              context_memory_codec::offset_of<&context_memory::size>,
          "memory", "memory reference " + std::to_string(i) + " points outside the record");
  }
  return view;
}
TRACECODEC_FUNC void record_view::values_end(std::size_t wanted) const {
  fail(trace_errc::truncated, bytes_.size(), "values",
       "the record ends after " + std::to_string(values().size()) + " of " +
           std::to_string(wanted) + " bytes");
}
TRACECODEC_FUNC void record_view::fail(trace_errc code, std::size_t at, std::string_view field,
                                       const std::string& why) const {
  files_->fail(file::exec_records, code, offset_ + at, id_, field, why);
}
TRACECODEC_FUNC void record_view::too_short(std::string_view field) const {
  fail(trace_errc::truncated, exec_record_codec::size, field, "the record ends before its end");
}
TRACECODEC_FUNC void record_view::wrong_type(std::string_view field) const {
  fail(trace_errc::refused, exec_record_codec::offset_of<&exec_record::type>, "type",
       "type " + std::to_string(static_cast<unsigned>(head_.type)) + " has no " +
           std::string(field));
}

}  // namespace tracecodec::umtracer
