// Implementation of drmemtrace/feed.hpp.
#pragma once
#include <algorithm>

#include "../../arm/operands.hpp"
#include "../../x86/composed_operands.hpp"
#include "../../x86/regdeps.hpp"
#include "../feed.hpp"

namespace tracecodec::drmemtrace {

TRACECODEC_FUNC std::optional<x86::any_disassembler> make_disassembler(std::uint64_t type) {
  const auto mode = mode_of(type);
  return mode ? x86::make_disassembler(*mode) : std::nullopt;
}

TRACECODEC_FUNC bool instruction_source::read() {
  return records_.with([this]<target T>(file::reader<trace_file<T>>& from) {
    const std::uint64_t first = from.position(), offset = from.offset();
    const auto b = from.next();
    for (std::size_t n = 0; n != b.size(); ++n)
      if (const char* const problem = add<T>(b[n])) [[unlikely]]
        throw trace_error(trace_errc::unsupported,
                          {from.name(), offset + n * codec<T>::size, first + n}, problem);
    return b.size() != 0;
  });
}

// Adds a record. Returns the problem if the record cannot be added, or null.
template <target T> TRACECODEC_INLINE const char* instruction_source::add(const entry<T>& e) {
  if (e.is(record_type::thread)) {
    if (threads_.size() == most_threads) return "more threads than this library supports";
    if (const auto id = static_cast<std::uint32_t>(e.value); id != id_) id_ = id, now_ = nullptr;
    return nullptr;
  }
  if (e.is(record_type::header)) time_ = 0, cpu_ = feed::unknown_cpu;
  if (e.is(record_type::footer)) waited_ = false;
  if (e.is(marker::filetype)) {
    if (e.value != type_) disassembler_ = make_disassembler(type_ = e.value);
    // A thread may continue before the end of the previous file, which is that of another core.
    if ((type_ & file_type::core_sharded) != 0) give_up_all();
    return nullptr;
  }
  constexpr const char* too_many = "more different instructions than this library supports";
  if (codes().size() + codes().own_count() >= most_encodings) return too_many;
  if (now_ == nullptr && threads_.size() == most_threads) return "more than 262144 threads";
  thread_state& t = now();
  if (e.is(record_type::marker)) add_time(static_cast<marker>(e.size), e.value);
  if (options_.thread && id_ != *options_.thread) return learn(e.type, e.value, e.size), nullptr;
  switch (e.type) {
    case record_type::read:
    case record_type::write:
      if (!is_last(t.composing)) start(t, t.pc, false);
      if (add_access(e.is(record_type::write), e.value, e.size)) return nullptr;
      return "more than 65536 accesses of one instruction";
    case record_type::encoding:
      return t.next_code.add(e.value, e.size), nullptr;
    case record_type::marker:
      return add_marker(static_cast<marker>(e.size), e.value), nullptr;
    case record_type::instr_bundle:
      for (unsigned n = 0; n != std::min<unsigned>(e.size, sizeof e.value); ++n)
        add_instruction(record_type::instr, t.next, e.value >> 8 * n & 0xFFU);
      return nullptr;
    case record_type::thread_exit:
      give_up(t.composing);
      forget(t.versions);
      threads_.erase(id_);
      now_ = nullptr;
      return nullptr;
    default:
      if (is_instruction(e.type) || e.is(record_type::instr_no_fetch))
        add_instruction(e.type, e.value, e.size);
      return nullptr;
  }
}

// Adds a record of a thread that is not read. The threads of a core share encodings.
TRACECODEC_FUNC void instruction_source::learn(record_type what, std::uint64_t value,
                                               unsigned size) {
  if ((type_ & file_type::core_sharded) == 0) return;
  thread_state& t = now();
  if (what == record_type::encoding) t.next_code.add(value, size);
  if (!is_instruction(what) || t.next_code.size == 0) return;
  feed::composed_instruction one{.ip = value, .branch = class_of(what)};
  set_code(t.versions, one, t.next_code.take(), [this](feed::known_code& k) { decode(k); });
}

// Returns the event that a marker other than window_id describes, as bits of feed::system_event.
constexpr unsigned event_of(marker m, std::uint64_t value) noexcept {
  using event = feed::system_event;
  constexpr auto bits = [](auto... all) { return (static_cast<unsigned>(all) | ...); };
  switch (m) {
    case marker::syscall:
      return bits(event::system_call);
    case marker::func_id:
      return value >= first_syscall_id ? bits(event::system_call) : 0;
    case marker::maybe_blocking_syscall:
      return bits(event::blocking);
    case marker::kernel_event:
    case marker::rseq_abort:
    case marker::hardware_event:
      return bits(event::signal);
    case marker::kernel_xfer:
    case marker::hardware_context_return:
      return bits(event::transfer);
    case marker::context_switch_start:
      return bits(event::context_switch, event::kernel_begin);
    case marker::syscall_trace_start:
      return bits(event::kernel_begin);
    case marker::context_switch_end:
    case marker::syscall_trace_end:
      return bits(event::kernel_end);
    default:
      return 0;
  }
}

TRACECODEC_FUNC void instruction_source::add_time(marker m, std::uint64_t value) noexcept {
  if (m == marker::timestamp)
    time_ = value, cpu_ = feed::unknown_cpu;
  else if (m == marker::cpu_id)
    cpu_ = value < feed::unknown_cpu ? static_cast<std::uint32_t>(value) : feed::unknown_cpu;
  else if (m == marker::core_wait || m == marker::core_idle)
    waited_ = true;
}

TRACECODEC_FUNC void instruction_source::add_marker(marker m, std::uint64_t value) {
  thread_state& t = now();
  const auto add_event = [&t](unsigned bits) {
    t.events = static_cast<std::uint16_t>(t.events | bits);
  };
  add_event(event_of(m, value));
  if (m == marker::branch_target)
    t.marked_target = value;
  else if (m == marker::uncompleted_instruction)
    t.next_code.size = 0;
  else if (m == marker::kernel_event || m == marker::kernel_xfer || m == marker::rseq_abort)
    value != 0 ? decide(t.composing, value) : give_up(t.composing);
  else if (m == marker::syscall_trace_start || m == marker::context_switch_start)
    give_up(t.composing);
  else if (m == marker::window_id && std::exchange(t.window, value) != value) {
    add_event(static_cast<unsigned>(feed::system_event::gap));
    give_up(t.composing);
  }
}

TRACECODEC_FUNC feed::composed_instruction& instruction_source::start(thread_state& t,
                                                                      std::uint64_t ip,
                                                                      bool fetched) {
  t.pc = ip;
  feed::composed_instruction& one = append(t.composing, ip);
  one.code = t.next_code.size != 0 ? feed::no_code : codes().find(t.versions, ip);
  one.thread = id_;
  one.time = time_;
  one.cpu = cpu_;
  one.system_events = std::exchange(t.events, std::uint16_t{0});
  if (std::exchange(waited_, false))
    one.system_events |= static_cast<std::uint16_t>(feed::system_event::wait);
  one.fetched = fetched;
  return one;
}

TRACECODEC_FUNC void instruction_source::add_instruction(record_type what, std::uint64_t ip,
                                                         std::uint64_t length) {
  thread_state& t = now();
  t.next = ip + length;
  // A length of 0 only sets the address of the following accesses.
  if (length == 0) {
    t.pc = ip;
    t.composing.last = thread::none;
    return;
  }
  decide(t.composing, ip);
  feed::composed_instruction& one = start(t, ip, what != record_type::instr_no_fetch);
  one.length = static_cast<std::uint16_t>(length);
  if (one.fetched) one.branch = class_of(what);
  if (t.next_code.size != 0)
    set_code(t.versions, one, t.next_code.take(), [this](feed::known_code& k) { decode(k); });
  const std::uint64_t marked = std::exchange(t.marked_target, 0);
  if (one.branch == feed::branch_class::not_branch) return;
  const bool undecided = what == record_type::instr_conditional_jump;
  one.taken = what != record_type::instr_untaken_jump && !undecided;
  if (is_indirect(what))
    one.target = marked;
  else if (one.taken && one.code != feed::no_code)
    one.target = codes()[one.code].target;
  if (what == record_type::instr_untaken_jump || one.target != 0)
    one.outcome = feed::outcome::followed;
  else if ((type_ & (file_type::filtered | file_type::instructions_filtered)) != 0)
    one.outcome = feed::outcome::estimated;
  else
    await(t.composing, undecided);
}

// Decodes 32-bit Arm code. Addresses of T32 code are odd.
TRACECODEC_FUNC void decode_arm32(feed::known_code& to) {
  const bool is_t32 = (to.ip & 1) != 0 || to.length == 2;
  arm::decode_known(is_t32 ? arm::instruction_set::t32 : arm::instruction_set::a32, to);
  // blx to T32 code
  const bool changes =
      !is_t32 && to.target != 0 && (to.bytes[3] & std::byte{0xFE}) == std::byte{0xFA};
  if (changes) to.target |= 1;
}

TRACECODEC_FUNC void instruction_source::decode(feed::known_code& to) {
  if (disassembler_) return x86::decode(*disassembler_, to);
  if ((type_ & file_type::aarch64) != 0) return arm::decode_known(arm::instruction_set::a64, to);
  if ((type_ & file_type::arm32) != 0) return decode_arm32(to);
  if (!synthetic()) return;
  const auto found = x86::regdeps_operands(to.code(), to.branch);
  to.decoded = found.has_value();
  if (found) to.operands = *found;
}

}  // namespace tracecodec::drmemtrace
