// Implementation of umtracer/query/registers_at.hpp.
#pragma once
#include <algorithm>
#include <cstddef>

#include "../registers_at.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC bool register_value::known() const noexcept {
  return !bytes.empty() &&
         std::all_of(bytes.begin(), bytes.end(), [](const known_byte& b) { return b.known; });
}
TRACECODEC_FUNC std::uint64_t register_value::known_mask() const noexcept {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 64; ++i)
    mask |= std::uint64_t{bytes[i].known} << i;
  return mask;
}
TRACECODEC_FUNC std::optional<std::uint64_t> register_value::number() const noexcept {
  const std::size_t n = std::min<std::size_t>(bytes.size(), 8);
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!bytes[i].known) return std::nullopt;
    v |= std::to_integer<std::uint64_t>(bytes[i].value) << 8 * i;
  }
  return n == 0 ? std::nullopt : std::optional(v);
}
TRACECODEC_FUNC register_state::register_state(const reader& trace, std::uint64_t n, moment when)
    : trace_(&trace),
      at_((detail::require_record(trace, n), n)),
      roles_(trace.registers(), trace[n].code64()),
      bytes_(trace.registers().dump_size()) {
  look(n, when);
}
TRACECODEC_FUNC register_value register_state::get(std::uint16_t id) & {
  const detail::context_place p = roles_.place(id);
  while (more_ && !bytes_.settled(p.offset, p.size)) step();
  return {id, std::span(bytes_.bytes()).subspan(p.offset, p.size)};
}
TRACECODEC_FUNC register_value register_state::get(std::string_view name) & {
  const auto id = trace_->registers().find(name);
  return id ? get(*id) : register_value{};
}
TRACECODEC_FUNC std::span<const known_byte> register_state::all() & {
  while (more_) step();
  return bytes_.bytes();
}
TRACECODEC_FUNC void register_state::look(std::uint64_t id, moment until) {
  const record_view r = (*trace_)[id];
  if (r.code64() != roles_.code64()) {
    more_ = false;
    return;
  }
  at_ = id;
  ++records_;
  const detail::register_effects effects(*trace_, roles_, bytes_);
  if (until == moment::after) effects.after(r);
  effects.before(r);
  more_ = (r.flags() & exec_flags::instrumentation_off) == 0 && bytes_.open() != 0;
}
TRACECODEC_FUNC void register_state::step() {
  const record_view r = (*trace_)[at_];
  const std::int64_t previous = trace_->neighbours_of(at_).previous;
  if (previous == no_eid) {
    more_ = false;
    return;
  }
  const auto id = static_cast<std::uint64_t>(previous);
  if (previous < 0 || id >= at_ || (*trace_)[id].thread() != r.thread())
    fail(std::to_string(previous) + " is not an earlier record of the thread");
  look(id, moment::after);
  if (records_ % 65536 == 0 && poll_hook_) poll_hook_();
}
TRACECODEC_FUNC void register_state::fail(const std::string& why) const {
  trace_->files().fail(file::exec_neighbours, trace_errc::bad_value, at_ * neighbours_codec::size,
                       at_, "previous", why);
}
TRACECODEC_FUNC register_state registers_at(const reader& trace, std::uint64_t n, moment when) {
  return {trace, n, when};
}

}  // namespace tracecodec::umtracer
