// Rules for valid drmemtrace traces: DynamoRIO's invariants (invariant_checker.cpp), as far as they
// follow from the records. A check does not stop at the first violation.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../file/check_records.hpp"
#include "../format/own_options.hpp"
#include "../io/text/hex.hpp"
#include "../x86/branch.hpp"
#include "feed.hpp"
#include "folder.hpp"

namespace tracecodec::drmemtrace {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t {
  damaged,
  cut,
  refused,
  file,
  type,
  encoding,
  flow,
  target,
  time,
  chunk,
  syscall,
  nesting,
  access,
  signal,
  rseq,
  function
};
inline constexpr std::array<check_rule, 16> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the file ends inside a record"},
    {"refused", severity::error, "a record has an invalid value"},
    {"file", severity::error, "the first or last record of a file or thread is missing or wrong"},
    {"type", severity::error, "a type that does not exist, or not in this version"},
    {"encoding", severity::error, "an instruction without encoding, or of another size"},
    {"flow", severity::error, "an instruction to which the previous one does not lead"},
    {"target", severity::error, "a branch without target, or a target that is not reached"},
    {"time", severity::error, "a time before the previous one of the thread, or without cpu_id"},
    {"chunk", severity::error, "a chunk with a wrong number, size or start"},
    {"syscall", severity::error, "a system call without marker, or a marker without system call"},
    {"nesting", severity::error, "kernel code that begins or ends twice, or does not end"},
    {"access", severity::error, "accesses or prefetches that the instruction does not have"},
    {"signal", severity::error, "a signal handler that does not return where it interrupted"},
    {"rseq", severity::error, "an abort of a restartable sequence that was executed to its end"},
    {"function", severity::error, "a marker of a function that does not follow a branch"},
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
  // Receives the order of a folder. If the files of cores alternate, their chunks are not checked.
  void use(const format::own_options& o) {
    alternates_ = o.value_or(order::thread) != order::thread;
  }

 private:
  struct known_code {
    std::uint64_t length = 0, target = 0;  // target of a direct branch, or 0
    bool is_syscall = false, is_counted = false, is_decoded = false, is_prefetch = false;
    std::uint8_t reads = 0, writes = 0;  // numbers of accesses, if is_counted
  };
  using known_codes = std::unordered_map<std::uint64_t, known_code>;  // of the current chunk
  // Position in a file: number of the next chunk, instructions in the current one, and records and
  // instructions so far. After the end of a chunk, `repeats` further records are not counted.
  struct file_position {
    std::uint64_t chunk = 0, in_chunk = 0, records = 0, instructions = 0;
    unsigned repeats = 0;
  };
  struct thread_state {
    known_codes codes = {};
    feed::code_bytes next_code = {};
    std::optional<marker> wants = {};        // marker that must follow
    std::optional<std::uint64_t> next = {};  // address of the next instruction, if it is known
    std::optional<std::uint64_t> syscall = {}, context_switch = {};  // kernel code in progress
    std::uint64_t pc = 0, marked_target = 0, time = 0, window = 0;
    file_position at = {};
    known_code last = {};                 // code of the last instruction
    std::uint64_t reads = 0, writes = 0;  // accesses of the last instruction
    // Addresses that signals interrupted, and the one to which the last handler returns.
    std::vector<std::uint64_t> interrupted = {};
    std::optional<std::uint64_t> resumes = {};
    std::uint64_t rseq_end = 0, return_address = 0;
    bool after_function = false, calls_kernel = false;
    // Whether the last instruction is a branch or a system call, and its marker is missing.
    bool began = false, after_branch = false, after_syscall = false, wants_syscall = false;
  };
  using base::found;

  void found_number(rule r, std::string_view what, std::uint64_t n) {
    found(r, std::string(what) + ' ' + std::to_string(n));
  }
  static constexpr std::size_t most_nested = 64;  // signal handlers
  [[nodiscard]] bool is(std::uint64_t type) const noexcept { return (type_ & type) != 0; }

  void check_one(const entry<T>& e) {
    if (version_ == 0 && !e.is(record_type::header))
      found(rule::file, "no header precedes the record"), version_ = 1;
    ended_ = e.is(record_type::footer);
    if (code_count_ + 16 * threads_.size() > instruction_source::most_encodings) {
      found(rule::file, "more threads and encodings than a check remembers");
      threads_.clear(), shared_codes_.clear();
      now_ = nullptr, code_count_ = 0;
    }
    // The first records of a file precede its thread.
    if (e.is(record_type::thread) || e.is(record_type::header)) {
      if (threads_.size() == instruction_source::most_threads) threads_.clear();
      id_ = e.is(record_type::thread) ? static_cast<std::uint32_t>(e.value) : 0;
      now_ = &threads_[id_];
      if (e.is(record_type::header)) check_version(e.value);
      begin_file(e.is(record_type::header), now_->at);
      return;
    }
    if (now_ == nullptr) now_ = &threads_[id_];
    thread_state& t = *now_;
    check_order(t, e);
    count(t, e);
    if (is_prefetch(e.type)) check_prefetch(t);
    const bool reads = e.is(record_type::read), writes = e.is(record_type::write);
    t.reads += reads;
    t.writes += writes;
    if (std::exchange(t.after_function, false) && (reads || writes))
      found(rule::function, "between an instruction and its access");
    if (e.is(record_type::instr_no_fetch)) {
      check_accesses(t);
      if (t.next_code.size != 0) check_code(t, e);
    }
    if (e.is(record_type::marker))
      check_marker(t, static_cast<marker>(e.size), e.value);
    else if (e.is(record_type::encoding))
      t.next_code.add(e.value, e.size);
    else if (is_instruction(e.type) && e.size != 0)
      check_instruction(t, e);
    else if (e.is(record_type::thread_exit))
      check_exit(t);
    else if (name(e.type).empty() || e.is(record_type::invalid))
      found_number(rule::type, "type", static_cast<std::uint64_t>(e.type));
  }
  void check_end() {
    if (!ended_) found(rule::file, "the trace has no footer: it was not completed");
    for (const auto& [id, t] : threads_)
      if (t.began) found_number(rule::file, "no thread_exit of thread", id);
  }

  // Counts the records that precede the thread, which belong to its file.
  void begin_file(bool begins, file_position& of_thread) {
    if (begins) {
      before_thread_ = 0;
    } else if (before_thread_) {
      const std::uint64_t records = *std::exchange(before_thread_, std::nullopt);
      if (is(file_type::core_sharded)) {
        add_start();
        shared_.records += records;
      } else {
        of_thread = {.records = records};
      }
    }
  }
  // Adds a place where the file of a core may begin. Its file contains a header for each thread.
  void add_start() {
    if (starts_.size() == most_starts) starts_.clear(), lost_start_ = true;
    if (starts_.empty() || starts_.back().records != shared_.records) starts_.push_back(shared_);
  }
  file_position& position_of(thread_state& t) {
    return is(file_type::core_sharded) ? shared_ : t.at;
  }
  void count(thread_state& t, const entry<T>& e) {
    file_position& p = position_of(t);
    if (p.repeats != 0 && (e.is(marker::timestamp) || e.is(marker::cpu_id))) {
      --p.repeats;
      return;
    }
    if (!is_counted(e)) return;
    ++(before_thread_ ? *before_thread_ : p.records);
  }
  void check_chunk_end(file_position& p, std::uint64_t number) {
    const bool shared = is(file_type::core_sharded);
    const std::uint64_t count = std::exchange(p.in_chunk, 0);
    const bool first = shared && number == 0;  // of a file of a core
    p.repeats = 2;
    if (number != std::exchange(p.chunk, number + 1) && !first && !misses(shared))
      found_number(rule::chunk, "number", number);
    if (misses(shared)) return;
    if (first ? !keep_starts(&file_position::instructions, p.instructions, chunk_size_)
              : count != chunk_size_)
      found(rule::chunk, "not chunk_instr_count instructions");
  }
  void check_ordinal(file_position& p, std::uint64_t value) {
    const bool shared = is(file_type::core_sharded);
    if (misses(shared)) return;
    if (shared ? !keep_starts(&file_position::records, p.records, value) : p.records != value)
      found_number(rule::chunk, "record_ordinal", value);
  }
  // Removes the places after which the file does not have `count` of `what`, of which there are `all`.
  // Returns false and removes none if no other ones remain.
  bool keep_starts(std::uint64_t file_position::*what, std::uint64_t all, std::uint64_t count) {
    const auto first = std::ranges::lower_bound(starts_, all - count, {}, what);
    const auto last = std::ranges::upper_bound(starts_, all - count, {}, what);
    if (first == last) return false;
    starts_ = std::vector<file_position>(first, last);
    return true;
  }
  // Returns true if the positions in the current file are not known.
  [[nodiscard]] bool misses(bool shared) {
    return (shared && (alternates_ || lost_start_)) || this->missing_before(this->sum().records);
  }
  // The last instruction is unknown after a further iteration.
  void check_prefetch(const thread_state& t) {
    if (t.last.is_decoded && !t.last.is_prefetch)
      found(rule::access, "a prefetch after the instruction at " + hex(t.pc));
  }

  void check_exit(thread_state& t) {
    check_accesses(t);
    if (t.syscall || t.context_switch) found(rule::nesting, "kernel code does not end");
    if (version_ >= 5 && t.began && !(has_line_size_ && has_page_size_))
      found(rule::file,
            "no " +
                std::string(name(has_line_size_ ? marker::page_size : marker::cache_line_size)) +
                " of the processor");
    forget(t.codes);
    threads_.erase(id_);
    now_ = nullptr;
  }
  // Checks the accesses of the last instruction. Before version 7, it may not have been completed.
  void check_accesses(thread_state& t) {
    const known_code code = std::exchange(t.last, known_code{});
    const std::uint64_t reads = std::exchange(t.reads, 0), writes = std::exchange(t.writes, 0);
    if (!code.is_counted || version_ < 7 || (reads == code.reads && writes == code.writes) ||
        is(file_type::filtered | file_type::instruction_only | file_type::instructions_filtered |
           file_type::data_filtered) ||
        this->missing_before(this->sum().records))
      return;
    found(rule::access, std::to_string(reads) + " reads and " + std::to_string(writes) +
                            " writes of " + hex(t.pc) + ", expected " + std::to_string(code.reads) +
                            " and " + std::to_string(code.writes));
  }
  void check_version(std::uint64_t version) {
    if (version > newest_version || (version_ != 0 && version != version_))
      found_number(rule::file, "version", version);
    version_ = version;
  }
  // Checks the records that must follow the previous record of the thread.
  void check_order(thread_state& t, const entry<T>& e) {
    if (t.wants && !e.is(*t.wants))
      found(t.wants == marker::cpu_id         ? rule::time
            : t.wants == marker::kernel_event ? rule::rseq
                                              : rule::chunk,
            "expected " + std::string(name(*t.wants)));
    t.wants.reset();
    if (e.is(marker::timestamp)) t.wants = marker::cpu_id;
    if (e.is(marker::record_ordinal)) t.wants = marker::timestamp;
    if (e.is(marker::chunk_footer)) t.wants = marker::record_ordinal;
    if (e.is(marker::rseq_abort)) t.wants = marker::kernel_event;
    if (e.is(marker::timestamp) || e.is(marker::cpu_id)) return;
    if (std::exchange(t.wants_syscall, false) && !e.is(marker::syscall) &&
        !e.is(record_type::thread_exit))
      found(rule::syscall, "no marker after the system call at " + hex(t.pc));
  }

  void check_marker(thread_state& t, marker m, std::uint64_t value) {
    const auto is_one_of = [m](auto... all) { return ((m == all) || ...); };
    if (m == marker::version) {
      check_version(value);
    } else if (m == marker::filetype) {
      if (type_ != 0 && value != type_) found(rule::file, "filetype " + hex(value));
      type_ = value;
      disassembler_ = make_disassembler(type_);
    } else if (m == marker::timestamp) {
      if (value < std::exchange(t.time, value)) found_number(rule::time, "timestamp", value);
    } else if (m == marker::branch_target) {
      t.marked_target = value;
    } else if (m == marker::chunk_instr_count) {
      chunk_size_ = value;
    } else if (m == marker::chunk_footer) {
      check_chunk_end(position_of(t), value);
      forget(codes_of(t));
    } else if (m == marker::record_ordinal) {
      check_ordinal(position_of(t), value);
    } else if (m == marker::syscall) {
      if (t.began && !t.after_syscall && disassembler_)
        found_number(rule::syscall, "no system call before number", value);
    } else if (is_one_of(marker::syscall_trace_start, marker::syscall_trace_end)) {
      check_nesting(t, t.syscall, m == marker::syscall_trace_start, value);
    } else if (is_one_of(marker::context_switch_start, marker::context_switch_end)) {
      check_nesting(t, t.context_switch, m == marker::context_switch_start, value);
    } else if (is_one_of(marker::kernel_event, marker::rseq_abort)) {
      if (value != 0) check_flow(t, value);
      t.next.reset();
      if (m == marker::kernel_event)
        begin_handler(t, value);
      else if (t.rseq_end != 0 && t.pc + t.last.length == t.rseq_end && t.pc != value)
        found(rule::rseq, "the instruction at " + hex(t.pc) + " ends the sequence");
    } else if (m == marker::rseq_entry) {
      t.rseq_end = value;
    } else if (m >= marker::func_id && m <= marker::func_retval) {
      check_function(t, m, value);
    } else if (m == marker::cache_line_size) {
      has_line_size_ = true;
    } else if (m == marker::page_size) {
      has_page_size_ = true;
    } else if (is_one_of(marker::kernel_xfer, marker::filter_endpoint) ||
               (m == marker::window_id && value != std::exchange(t.window, value))) {
      t.next.reset();
      if (m == marker::kernel_xfer && !t.interrupted.empty()) {
        t.resumes = t.interrupted.back();
        t.interrupted.pop_back();
      } else {
        t.interrupted.clear();
      }
    } else if (m == marker::uncompleted_instruction) {
      t.next_code.size = 0;
    }
  }
  void begin_handler(thread_state& t, std::uint64_t pc) {
    // A further signal before the next instruction interrupts where the first handler returns to.
    if (pc != 0 && t.resumes && *t.resumes != pc) found_resumed(t, pc);
    t.resumes.reset();
    if (t.interrupted.size() == most_nested) t.interrupted.erase(t.interrupted.begin());
    t.interrupted.push_back(pc);
  }
  void found_resumed(const thread_state& t, std::uint64_t pc) {
    found(rule::signal, "expected pc " + hex(*t.resumes) + ", found " + hex(pc));
  }
  void check_function(thread_state& t, marker m, std::uint64_t value) {
    if (m == marker::func_id) t.calls_kernel = value >= first_syscall_id;
    t.after_function = true;
    if (t.calls_kernel || !t.began) return;
    if (!t.after_branch) found(rule::function, "not after a branch, but after " + hex(t.pc));
    if (m == marker::func_retaddr && t.return_address != 0 && value != t.return_address)
      found(rule::function, "expected retaddr " + hex(t.return_address) + ", found " + hex(value));
  }
  void check_nesting(thread_state& t, std::optional<std::uint64_t>& open, bool starts,
                     std::uint64_t value) {
    const bool nested = starts && (t.syscall || t.context_switch);
    if (nested || (!starts && open != value)) found_number(rule::nesting, "value", value);
    open = starts ? std::optional(value) : std::nullopt;
    t.next.reset();
  }
  // Before version 7, traces contain instructions that were interrupted and are executed again.
  void check_flow(thread_state& t, std::uint64_t pc) {
    const bool again = pc == t.pc && version_ < 7;
    const bool filtered = is(file_type::filtered | file_type::instructions_filtered);
    if (t.next && *t.next != pc && !again && !filtered &&
        !this->missing_before(this->sum().records))
      found(t.after_branch ? rule::target : rule::flow,
            "expected pc " + hex(*t.next) + ", found " + hex(pc));
  }

  // The threads of a core share their encodings.
  known_codes& codes_of(thread_state& t) {
    return is(file_type::core_sharded) ? shared_codes_ : t.codes;
  }
  known_code check_code(thread_state& t, const entry<T>& e) {
    known_codes& codes = codes_of(t);
    const auto bytes = t.next_code.take();
    if (bytes.empty()) {
      if (const auto at = codes.find(e.value); at != codes.end() && at->second.length == e.size)
        return at->second;
      if (is(file_type::encodings)) found(rule::encoding, "no encoding at " + hex(e.value));
      return {};
    }
    if (bytes.size() != e.size && !is(file_type::regdeps))
      found_number(rule::encoding, "bytes:", bytes.size());
    known_code one{.length = e.size};
    if (disassembler_) {
      const x86::instruction i = disassembler_->decode(bytes);
      one.target = x86::direct_target(i, e.value).value_or(0);
      one.is_syscall = i.kind == x86::kind::system;
      one.is_decoded = i.valid();
      count_accesses(i, one);
    }
    code_count_ += codes.insert_or_assign(e.value, one).second;
    return one;
  }
  // Sets the numbers of accesses, unless they depend on the values of registers.
  static void count_accesses(const x86::instruction& i, known_code& to) {
    to.is_counted = i.valid() && !i.repeated && !to.is_syscall;
    for (const x86::memory_operand& m : i.memory_operands()) {
      if (m.conditional || m.kind == x86::memory_kind::scattered ||
          m.kind == x86::memory_kind::frame)
        to.is_counted = false;
      if (m.kind == x86::memory_kind::hint) {
        to.is_prefetch = true;
        continue;
      }
      to.reads += m.reads;
      to.writes += m.writes;
    }
  }
  void forget(known_codes& codes) noexcept {
    code_count_ -= codes.size();
    codes.clear();
  }
  void check_instruction(thread_state& t, const entry<T>& e) {
    check_accesses(t);
    const known_code code = check_code(t, e);
    check_flow(t, e.value);
    if (t.resumes && *t.resumes != 0 && *t.resumes != e.value &&
        !is(file_type::filtered | file_type::instructions_filtered))
      found_resumed(t, e.value);
    t.resumes.reset();
    const bool undecided = e.is(record_type::instr_conditional_jump);
    if (undecided && version_ >= 5) found(rule::type, "a branch without outcome");
    t.pc = e.value;
    t.last = code;
    t.last.length = e.size;
    if (e.is(record_type::instr_direct_call) || e.is(record_type::instr_indirect_call))
      t.return_address = e.value + e.size;
    t.next = e.value + e.size;
    t.after_branch = class_of(e.type) != feed::branch_class::not_branch;
    const std::uint64_t marked = std::exchange(t.marked_target, 0);
    if (is_indirect(e.type)) {
      if (marked == 0 && version_ >= 5) found(rule::target, "no target of " + hex(e.value));
      t.next = marked;
    } else if (t.after_branch && !e.is(record_type::instr_untaken_jump)) {
      t.next = undecided ? 0 : code.target;
    }
    if (t.next == std::uint64_t{0}) t.next.reset();
    t.after_syscall = code.is_syscall || e.is(record_type::instr_sysenter);
    t.wants_syscall = t.after_syscall && is(file_type::syscall_numbers) && !is(file_type::regdeps);
    t.began = true;
    file_position& p = position_of(t);
    ++p.in_chunk;
    ++p.instructions;
  }

  std::map<std::uint32_t, thread_state> threads_ = {};
  known_codes shared_codes_ = {};
  // Position in the file of a core, and places where the file may begin: those that agree with its
  // chunks so far.
  file_position shared_ = {};
  static constexpr std::size_t most_starts = std::size_t{1} << 16;
  std::vector<file_position> starts_ = {};
  bool lost_start_ = false;                          // true if there were too many places
  bool alternates_ = false;                          // true if the files of a folder alternate
  std::optional<std::uint64_t> before_thread_ = {};  // number of records since a header
  std::size_t code_count_ = 0;                       // of all threads
  std::uint32_t id_ = 0;
  thread_state* now_ = nullptr;  // state of thread `id_`, or null if it must be looked up
  std::uint64_t version_ = 0, type_ = 0, chunk_size_ = 0;
  std::optional<x86::any_disassembler> disassembler_ = {};
  bool ended_ = false;  // true after a footer
  // True if the trace contains the sizes of cache lines and pages.
  bool has_line_size_ = false, has_page_size_ = false;
};

}  // namespace tracecodec::drmemtrace
