// Rules for valid drmemtrace traces: the invariants that DynamoRIO checks (clients/drcachesim/tests/
// invariant_checker), as far as they follow from the records. A check does not stop at the first
// violation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "../file/check_records.hpp"
#include "../io/text/hex.hpp"
#include "../x86/branch.hpp"
#include "feed.hpp"

namespace tracecodec::drmemtrace {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t {
  damaged,
  cut,
  refused,
  head,
  end,
  type,
  branch_type,
  encoding,
  flow,
  target,
  time,
  chunk,
  syscall,
  nesting
};
inline constexpr std::array<check_rule, 14> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the file ends inside a record"},
    {"refused", severity::error, "a record has an invalid value"},
    {"head", severity::error, "the first records of a file are missing or differ between files"},
    {"end", severity::error, "a thread or a file ends without its last record"},
    {"type", severity::warning, "a record of an unknown type"},
    {"branch-type", severity::error, "a conditional branch without its outcome, from version 5 on"},
    {"encoding", severity::error, "an instruction without encoding, or of another size"},
    {"flow", severity::error, "an instruction to which the previous one does not lead"},
    {"target", severity::error, "a branch without target, or a target that is not reached"},
    {"time", severity::error, "a time before the previous one of the thread, or without cpu"},
    {"chunk", severity::error, "a chunk with a wrong number, size or start"},
    {"syscall", severity::error, "a system call without marker, or a marker without system call"},
    {"nesting", severity::error, "kernel code that begins or ends twice"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

template <target T, class Report> class checker
    : public file::record_checker<checker<T, Report>, trace_file<T>, check_rules, rule,
                                  check_summary, Report> {
  using base =
      file::record_checker<checker, trace_file<T>, check_rules, rule, check_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  // Length of an instruction, and the target if it is a direct branch.
  struct known_code {
    std::uint64_t length = 0, target = 0;
    bool is_syscall = false;
  };
  using known_codes = std::unordered_map<std::uint64_t, known_code>;
  struct thread_state {
    known_codes codes = {};  // of the current chunk
    encoding_bytes next_code = {};
    std::optional<std::uint64_t> next = {};  // address of the next instruction, if known
    std::uint64_t pc = 0, marked_target = 0, time = 0, window = 0;
    std::uint64_t chunk = 0, in_chunk = 0;  // number of the chunk, and instructions in it
    std::uint8_t chunk_start = 0;           // number of records that must begin the chunk
    bool wants_cpu = false, after_branch = false, began = false;
    bool is_syscall = false, wants_syscall = false;  // the last instruction is a system call
    std::optional<std::uint64_t> syscall = {}, context_switch = {};  // kernel code in progress
  };
  using base::found;

  void check_one(const entry<T>& e) {
    if (version_ == 0 && !e.is(record_type::header))
      found(rule::head, "no header precedes the record"), version_ = 1;
    // The first records of a file precede its thread.
    if (e.is(record_type::header)) id_ = 0, now_ = nullptr;
    if (e.is(record_type::thread)) id_ = static_cast<std::uint32_t>(e.value), now_ = nullptr;
    if (now_ == nullptr) now_ = &threads_[id_];
    thread_state& t = *now_;
    if (name(e.type).empty() || e.is(record_type::invalid))
      found(rule::type, "type " + std::to_string(static_cast<unsigned>(e.type)));
    check_order(t, e);
    if (e.is(record_type::marker))
      check_marker(t, static_cast<marker>(e.size), e.value);
    else if (e.is(record_type::encoding))
      t.next_code.add(e);
    else if (is_instruction(e.type) && e.size != 0)
      check_instruction(t, e);
    else if (e.is(record_type::thread_exit))
      threads_.erase(id_), now_ = nullptr;
    else if (e.is(record_type::header))
      check_version(e.value);
    ended_ = e.is(record_type::footer);
  }
  void check_end() {
    if (!ended_) found(rule::end, "the trace has no footer: it was not completed");
    for (const auto& [id, t] : threads_)
      if (t.began) found(rule::end, "thread " + std::to_string(id) + " has no thread_exit");
  }

  // A folder has a header for each of its files.
  void check_version(std::uint64_t version) {
    if (version > newest_version || (version_ != 0 && version != version_))
      found(rule::head, "version " + std::to_string(version));
    version_ = version;
  }
  // Checks the records that must follow the previous record of the thread.
  void check_order(thread_state& t, const entry<T>& e) {
    if (e.is(record_type::thread) || e.is(record_type::header)) return;
    if (t.wants_cpu && !e.is(marker::cpu_id)) found(rule::time, "timestamp without cpu_id");
    t.wants_cpu = e.is(marker::timestamp);
    constexpr std::array start{marker::cpu_id, marker::timestamp, marker::record_ordinal};
    if (t.chunk_start != 0 && !e.is(start[--t.chunk_start])) {
      found(rule::chunk, "expected " + std::string(name(start[t.chunk_start])));
      t.chunk_start = 0;
    }
    if (!t.wants_syscall || e.is(marker::timestamp) || e.is(marker::cpu_id)) return;
    t.wants_syscall = false;
    if (!e.is(marker::syscall) && !e.is(record_type::thread_exit) && names_syscalls())
      found(rule::syscall, "no marker after the system call at " + hex(t.pc));
  }
  [[nodiscard]] bool names_syscalls() const noexcept {
    return (type_ & file_type::syscall_numbers) != 0 && (type_ & file_type::regdeps) == 0;
  }
  [[nodiscard]] bool has_encodings() const noexcept { return (type_ & file_type::encodings) != 0; }

  void check_marker(thread_state& t, marker m, std::uint64_t value) {
    switch (m) {
      case marker::version:
        if (value != version_) found(rule::head, "version " + std::to_string(value));
        break;
      case marker::filetype:
        if (type_ != 0 && value != type_) found(rule::head, "filetype " + hex(value));
        type_ = value;
        disassembler_ = make_disassembler(type_);
        break;
      case marker::timestamp:
        if (value < t.time) found(rule::time, std::to_string(value));
        t.time = value;
        break;
      case marker::branch_target:
        t.marked_target = value;
        break;
      case marker::chunk_instr_count:
        chunk_size_ = value;
        break;
      case marker::chunk_footer:
        if (value != t.chunk) found(rule::chunk, "number " + std::to_string(value));
        if ((type_ & file_type::core_sharded) == 0 && t.in_chunk != chunk_size_)
          found(rule::chunk, std::to_string(t.in_chunk) + " instructions");
        t.chunk = value + 1;
        t.in_chunk = 0;
        t.chunk_start = 3;
        codes_of(t).clear();
        break;
      case marker::syscall:
        if (t.began && !t.is_syscall && disassembler_)
          found(rule::syscall, "number " + std::to_string(value));
        break;
      case marker::syscall_trace_start:
      case marker::syscall_trace_end:
        check_nesting(t, t.syscall, m == marker::syscall_trace_start, value);
        break;
      case marker::context_switch_start:
      case marker::context_switch_end:
        check_nesting(t, t.context_switch, m == marker::context_switch_start, value);
        break;
      case marker::kernel_event:
      case marker::rseq_abort:
        if (t.next && value != 0 && value != *t.next && (value != t.pc || version_ >= 7))
          found(rule::flow, "expected pc " + hex(*t.next) + ", found " + hex(value));
        t.next.reset();
        break;
      case marker::window_id:
        if (value != t.window) t.next.reset();
        t.window = value;
        break;
      case marker::kernel_xfer:
      case marker::filter_endpoint:
        t.next.reset();
        break;
      case marker::uncompleted_instruction:
        t.next_code.size = 0;
        break;
      default:
        break;
    }
  }
  void check_nesting(thread_state& t, std::optional<std::uint64_t>& open, bool starts,
                     std::uint64_t value) {
    if (starts == open.has_value() || (!starts && *open != value))
      found(rule::nesting, "value " + std::to_string(value));
    open = starts ? std::optional(value) : std::nullopt;
    t.next.reset();
  }

  // The threads of a core share their encodings.
  known_codes& codes_of(thread_state& t) {
    return (type_ & file_type::core_sharded) != 0 ? shared_codes_ : t.codes;
  }
  known_code check_code(thread_state& t, const entry<T>& e) {
    known_codes& codes = codes_of(t);
    const auto bytes = t.next_code.take();
    if (bytes.empty()) {
      const auto at = codes.find(e.value);
      if (at != codes.end() && at->second.length == e.size) return at->second;
      if (has_encodings())
        found(rule::encoding, "no encoding of the instruction at " + hex(e.value));
      return {};
    }
    if (bytes.size() != e.size && (type_ & file_type::regdeps) == 0)
      found(rule::encoding, std::to_string(bytes.size()) + " bytes for an instruction of " +
                                std::to_string(e.size));
    known_code one{.length = e.size};
    if (disassembler_) {
      const auto i = disassembler_->decode(bytes);
      one.target = x86::direct_target(i, e.value).value_or(0);
      one.is_syscall = i.kind == x86::kind::system;
    }
    return codes[e.value] = one;
  }
  void check_instruction(thread_state& t, const entry<T>& e) {
    const known_code code = check_code(t, e);
    const bool filtered = (type_ & (file_type::filtered | file_type::instructions_filtered)) != 0;
    // Before version 7, traces contain instructions that are executed again after an interruption.
    const bool again = e.value == t.pc && version_ < 7;
    if (t.next && *t.next != e.value && !again && !filtered &&
        !this->missing_before(this->sum().records))
      found(t.after_branch ? rule::target : rule::flow,
            "expected pc " + hex(*t.next) + ", found " + hex(e.value));
    if (e.is(record_type::instr_conditional_jump) && version_ >= 5)
      found(rule::branch_type, "at " + hex(e.value));
    const std::uint64_t marked = std::exchange(t.marked_target, 0);
    t.after_branch =
        class_of(e.type) != branch_class::not_branch && !e.is(record_type::instr_untaken_jump);
    t.next = e.value + e.size;
    if (is_indirect(e.type)) {
      if (marked == 0 && version_ >= 5)
        found(rule::target, "no target of the branch at " + hex(e.value));
      t.next = marked;
    } else if (t.after_branch) {
      t.next = e.is(record_type::instr_conditional_jump) ? 0 : code.target;
    }
    if (t.next == std::uint64_t{0}) t.next.reset();
    t.pc = e.value;
    t.is_syscall = t.wants_syscall = code.is_syscall || e.is(record_type::instr_sysenter);
    t.began = true;
    ++t.in_chunk;
  }

  std::unordered_map<std::uint32_t, thread_state> threads_ = {};
  known_codes shared_codes_ = {};
  std::uint32_t id_ = 0;
  thread_state* now_ = nullptr;
  std::uint64_t version_ = 0, type_ = 0, chunk_size_ = 0;
  std::optional<x86::any_disassembler> disassembler_ = {};
  bool ended_ = false;  // true after a footer
};

}  // namespace tracecodec::drmemtrace
