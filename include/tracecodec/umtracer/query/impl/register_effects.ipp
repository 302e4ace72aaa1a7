// Implementation of umtracer/query/engine/register_effects.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "../engine/register_effects.hpp"

namespace tracecodec::umtracer::detail {

TRACECODEC_FUNC register_roles::register_roles(const context_map& map, bool code64)
    : map_(&map), code64_(code64) {
  for (std::uint16_t id = 0; id < map.size(); ++id) {
    const std::string_view n = map.name(id);
    const bool in_stack =
        n.starts_with("MM") || (n.starts_with("ST") && n.size() == 3 && n[2] <= '9');
    if (in_stack && place(id).size != 0) stack_.push_back(place(id));
    turns_stack_[id] = in_stack || n.starts_with("X87P") || n == "X87STATUS" || n == "X87TAG";
    if (n == "EFLAGS") flags_ = id;
    if ((n == "RIP" || n == "EIP" || n == "IP") && place(id).size > ip_.size) ip_ = place(id);
  }
}
TRACECODEC_FUNC context_place register_roles::place(std::uint16_t id) const noexcept {
  const register_info i = map_->info(id, code64_);
  if (!i.present() || std::size_t{i.offset} + i.size > map_->dump_size()) return {};
  return {i.offset, i.size};
}
TRACECODEC_FUNC context_place register_roles::largest(std::uint16_t id,
                                                      context_place own) const noexcept {
  const context_place all = place(map_->info(id, code64_).largest);
  return all.offset <= own.offset && own.end() <= all.end() ? all : own;
}
TRACECODEC_FUNC bool register_roles::turns_stack(std::uint16_t id) const noexcept {
  return id < context_registers && turns_stack_[id];
}
TRACECODEC_FUNC void register_effects::after(const record_view& r) const {
  if (r.type() == exec_type::instruction) return results(r);
  if (r.has_context() && r.type() != exec_type::syscall_entry) return context(r);
  // The effects of records of undefined types are unknown.
  if (r.type() == static_cast<exec_type>(7) || r.type() > exec_type::unknown_context_change)
    bytes_->hide_all();
}
TRACECODEC_FUNC void register_effects::before(const record_view& r) const {
  if (r.type() == exec_type::syscall_entry && reliable(r)) return context(r);
  if (r.type() != exec_type::instruction) return;
  const std::size_t row = trace_->row_of(r);
  if (reliable(r)) {
    const decoded_instruction d = trace_->instructions().decoded(row);
    for (std::size_t i = 0; i < d.slots.size() && i < d.first_after_slot; ++i) apply(r, d, i);
  }
  std::array<std::byte, 8> ip{};
  wire::u64le::store(instruction_address(*trace_, row), ip.data());
  bytes_->set(roles_->ip().offset, std::span(ip).first(std::min<std::size_t>(8, roles_->ip().size)),
              r.id());
}
TRACECODEC_FUNC bool register_effects::reliable(const record_view& r) noexcept {
  return (r.flags() & exec_flags::unreliable) == 0;
}
TRACECODEC_FUNC void register_effects::context(const record_view& r) const {
  if (reliable(r)) bytes_->set(0, r.context().buffer(), r.id());
  bytes_->hide_all();
}
TRACECODEC_FUNC void register_effects::results(const record_view& r) const {
  const decoded_instruction d = trace_->instructions().decoded(trace_->row_of(r));
  const bool sure = reliable(r);
  bool turned = false;
  if (sure)
    for (std::size_t i = d.first_after_slot; i < d.slots.size(); ++i) apply(r, d, i);
  for (std::size_t i = d.first_after_slot; i < d.slots.size(); ++i) {
    const slot s = d.slots[i];
    if (s.is_memory()) continue;
    turned |= roles_->turns_stack(s.name);
    const context_place own = roles_->place(s.name);
    rest(r, d, s, own);
    bytes_->hide(own.offset, own.size);  // bytes that the slot's value did not settle
  }
  if (turned)
    for (const context_place p : roles_->stack()) bytes_->hide(p.offset, p.size);
  bytes_->hide(roles_->ip().offset, roles_->ip().size);
}
TRACECODEC_FUNC void register_effects::rest(const record_view& r, const decoded_instruction& d,
                                            const slot& s, context_place own) const {
  const context_place all = roles_->largest(s.name, own);
  if (own.size < 4 || own.size == all.size) return;
  const bool marked = (d.flags & decoded_flags::zeroes_high_half) != 0;
  if (own.size == 4 && all.size == 8 && own.offset == all.offset && s.value_size == 4) {
    // If the instruction was not executed, the format leaves the upper half unchanged, but some
    // processors clear it. The upper half therefore becomes unknown.
    const bool executed = (r.flags() & exec_flags::not_executed) == 0;
    constexpr std::array<std::byte, 4> zeroes{};
    if (marked && reliable(r) && executed) return bytes_->set(own.end(), zeroes, r.id());
    if (!marked && (roles_->is_flags(s.name) || !r.code64())) return;
  }
  bytes_->hide(all.offset, own.offset - all.offset);
  bytes_->hide(own.end(), all.end() - own.end());
}
TRACECODEC_FUNC void register_effects::apply(const record_view& r, const decoded_instruction& d,
                                             std::size_t i) const {
  const slot s = d.slots[i];
  if (s.is_memory()) return;
  const slot_value v = value_of(s, r.values());
  if (v.bytes.size() != s.value_size)
    r.fail(trace_errc::truncated, front_with<&execution::values>, "values",
           "the record ends before slot " + std::to_string(i) + " of its instruction");
  const context_place own = roles_->place(s.name);
  bytes_->set(own.offset, v.bytes.first(std::min(own.size, v.bytes.size())), r.id());
}

}  // namespace tracecodec::umtracer::detail
