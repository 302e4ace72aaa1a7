// Writes instructions of other traces as drmemtrace traces.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../feed/listed.hpp"
#include "../x86/branch.hpp"
#include "../x86/make_disassembler.hpp"
#include "../x86/regdeps.hpp"
#include "writer.hpp"

namespace tracecodec::drmemtrace {

// Instruction to write. What is unknown is 0 or empty.
struct written_instruction {
  std::uint64_t ip = 0;
  std::uint64_t target = 0;                // of a taken branch
  std::optional<std::uint64_t> next = {};  // address of the thread's next instruction
  std::uint32_t thread = 1;
  std::uint32_t length = 0;
  feed::branch_class branch = feed::branch_class::not_branch;
  bool taken = false;
  std::span<const std::byte> code = {};  // at most 16 bytes
  std::span<const feed::listed_access> accesses = {};
  feed::register_numbers written = {}, read = {};
};

// Numbers of instructions of which the trace does not contain something.
struct unknown_facts {
  std::uint64_t lengths = 0;    // written as 1, unless the code is known
  std::uint64_t sizes = 0;      // accesses, written as 1
  std::uint64_t targets = 0;    // indirect branches, written as if they go to the next instruction
  std::uint64_t classes = 0;    // branches of another kind, written as indirect or untaken
  std::uint64_t codes = 0;      // instructions without code, between others with code
  std::uint64_t registers = 0;  // registers that do not fit in an encoding
  std::uint64_t gaps = 0;       // instructions to which the previous one does not lead

  unknown_facts& operator+=(const unknown_facts& o) noexcept {
    lengths += o.lengths;
    sizes += o.sizes;
    targets += o.targets;
    classes += o.classes;
    codes += o.codes;
    registers += o.registers;
    gaps += o.gaps;
    return *this;
  }
};

struct instruction_writer_options {
  // Processor: file_type::x86_64 or another one whose code is written. If it is 0, instructions have
  // synthetic encodings (file_type::regdeps), which contain only their registers.
  std::uint64_t processor = 0;
  bool threads = false;  // true if there may be several threads, which a file of a core contains
};

// Writer of a trace of version 7. A timestamp is the number of instructions so far, plus 1, because the
// time is unknown, and so is the cpu. Timestamps are written at the start and when the thread changes,
// or after resume().
//
// An instruction that follows itself without being a branch is a further iteration of a rep string
// instruction (instr_no_fetch). If the previous instruction of a thread does not lead to the next one,
// a marker window_id precedes it.
template <target T> class instruction_writer {
 public:
  instruction_writer(std::unique_ptr<io::sink> out, std::string name,
                     const instruction_writer_options& o)
      : out_(std::move(out), std::move(name)),
        options_(o),
        type_(file_type::encodings | (o.processor != 0 ? o.processor : file_type::regdeps) |
              (o.threads ? file_type::core_sharded : 0)),
        disassembler_(make_disassembler(type_)) {}

  // Makes `time` the next timestamp, which precedes the next instruction: instructions of other threads
  // are in other files.
  void resume(std::uint64_t time) noexcept { time_ = time; }
  // Throws like writer::write().
  void add(const written_instruction& i) {
    const std::uint64_t ip = i.ip & x86::low_bytes(sizeof(word));
    thread_state& t = start(i.thread);
    const bool is_branch = i.branch != feed::branch_class::not_branch;
    const bool again = t.began && ip == t.ip && !t.was_branch && !is_branch &&
                       (i.code.empty() || i.code.size() == t.length);
    if (!again && t.next && *t.next != ip) {
      ++unknown_.gaps;
      put(marker::window_id, unknown_.gaps);
    }
    known& k = facts_of(i);
    if (!again) t.length = length_of(i, k);
    const record_type what = again ? record_type::instr_no_fetch : type_of(i);
    std::optional<entry<T>> target;
    t.next = ip + t.length;
    if (is_indirect(what)) {
      std::uint64_t to = i.target != 0 ? i.target : i.next.value_or(0);
      if (to == 0) to = *t.next, ++unknown_.targets;
      target = mark(marker::branch_target, to);
      t.next = to;
    } else if (class_of(what) != feed::branch_class::not_branch &&
               what != record_type::instr_untaken_jump) {
      t.next = k.target;
    }
    if (t.next == std::uint64_t{0}) t.next.reset();
    if (t.next) *t.next &= x86::low_bytes(sizeof(word));
    t.ip = ip;
    t.began = true;
    t.was_branch = is_branch;
    write(what, static_cast<std::uint16_t>(t.length), ip, i, target);
    std::array<std::size_t, 2> count{};
    for (const feed::listed_access& a : i.accesses) {
      const std::size_t n = count[a.write]++;
      const auto& sizes = k.sizes[a.write];
      std::uint32_t size = a.size != 0 || n >= sizes.size() ? a.size : sizes[n];
      if (size == 0) size = 1, ++unknown_.sizes;
      out_.write({a.write ? record_type::write : record_type::read,
                  static_cast<std::uint16_t>(std::min<std::uint32_t>(size, 0xFFFF)),
                  static_cast<word>(a.address)});
    }
  }
  void finish() {
    out_.cut();
    out_.finish();
  }
  [[nodiscard]] std::uint64_t written() const noexcept { return out_.written(); }
  [[nodiscard]] const unknown_facts& unknown() const noexcept { return unknown_; }

 private:
  using word = wire::word_t<T>;
  struct thread_state {
    std::uint64_t ip = 0;
    std::optional<std::uint64_t> next = {};  // address of the next instruction, if it is known
    std::uint32_t length = 0;
    bool began = false, was_branch = false;
  };
  // Properties of an instruction that its code or earlier executions determine.
  struct known {
    std::vector<std::byte> code = {};
    std::uint64_t target = 0;  // of a direct branch
    std::uint32_t length = 0;
    std::array<std::array<std::uint16_t, 2>, 2> sizes = {};  // of reads and writes
  };

  static entry<T> mark(marker m, std::uint64_t value) {
    return {record_type::marker, static_cast<std::uint16_t>(m), static_cast<word>(value)};
  }
  void put(marker m, std::uint64_t value) { out_.write(mark(m, value)); }
  void put_time() {
    put(marker::timestamp, std::exchange(time_, std::nullopt).value_or(1 + out_.written()));
    put(marker::cpu_id, ~std::uint64_t{0});
  }
  // Writes the first records of the file or of a thread, if the thread is another one.
  thread_state& start(std::uint32_t thread) {
    if (now_ != nullptr && thread == thread_) {
      if (time_) put_time();
      return *now_;
    }
    const bool first = now_ == nullptr;
    if (first) {
      out_.write({record_type::header, 0, newest_version});
      put(marker::version, newest_version);
      put(marker::filetype, type_);
    }
    out_.write({record_type::thread, 4, thread});
    out_.write({record_type::pid, 4, 1});
    if (first) {
      put(marker::cache_line_size, 64);
      put(marker::page_size, 4096);
    }
    thread_ = thread;
    if (threads_.size() == instruction_source::most_threads && !threads_.contains(thread))
      threads_.clear();
    now_ = &threads_[thread];
    // A branch and its target are not separated by a timestamp.
    if (!now_->was_branch) put_time();
    return *now_;
  }

  known& facts_of(const written_instruction& i) {
    if (known_.size() == instruction_source::most_encodings) known_.clear();
    known& k = known_[i.ip];
    if (!disassembler_ || std::ranges::equal(k.code, i.code)) return k;
    k = {.code = {i.code.begin(), i.code.end()}};
    const x86::instruction d = disassembler_->decode(i.code);
    k.target = x86::direct_target(d, i.ip).value_or(0);
    std::array<std::size_t, 2> count{};
    for (const x86::memory_operand& m : d.memory_operands())
      for (const bool write : {false, true})
        if (write ? m.writes : m.reads) k.sizes[write][count[write]++] = m.size;
    return k;
  }
  std::uint32_t length_of(const written_instruction& i, known& k) {
    constexpr std::uint32_t longest = 15;
    if (!i.code.empty()) return static_cast<std::uint32_t>(i.code.size());
    if (i.length != 0) return i.length;
    const std::uint64_t distance = i.next.value_or(i.ip) - i.ip;
    if (!i.taken && distance != 0 && distance <= longest)
      k.length = static_cast<std::uint32_t>(distance);
    if (k.length != 0) return k.length;
    ++unknown_.lengths;
    return 1;
  }
  record_type type_of(const written_instruction& i) {
    using feed::branch_class;
    constexpr std::array types{record_type::instr_direct_jump,   record_type::instr_indirect_jump,
                               record_type::instr_taken_jump,    record_type::instr_direct_call,
                               record_type::instr_indirect_call, record_type::instr_return};
    if (i.branch == branch_class::not_branch) return record_type::instr;
    unknown_.classes += i.branch == branch_class::other;
    if (!i.taken && (i.branch == branch_class::conditional || i.branch == branch_class::other))
      return record_type::instr_untaken_jump;
    return i.branch == branch_class::other ? record_type::instr_indirect_jump
                                           : types[static_cast<std::size_t>(i.branch)];
  }
  void write(record_type what, std::uint16_t length, std::uint64_t ip, const written_instruction& i,
             const std::optional<entry<T>>& target) {
    const entry<T> e{what, length, static_cast<word>(ip)};
    if (options_.processor != 0) {
      unknown_.codes += i.code.empty();
      return out_.write_instruction(e, i.code, false, target);
    }
    using category = x86::regdeps_category;
    std::uint32_t kind = i.branch != feed::branch_class::not_branch ? category::branch : 0;
    for (const feed::listed_access& a : i.accesses)
      kind |= a.write ? category::store : category::load;
    const auto made = x86::regdeps_encoding(class_of(what), i.written, i.read, kind);
    unknown_.registers += made.dropped;
    out_.write_instruction(e, std::span(made.bytes.all).first(made.bytes.size), false, target);
  }

  writer<T> out_;
  instruction_writer_options options_;
  std::uint64_t type_;
  std::optional<x86::any_disassembler> disassembler_;
  unknown_facts unknown_ = {};
  std::optional<std::uint64_t> time_ = {};
  std::unordered_map<std::uint64_t, known> known_ = {};
  std::unordered_map<std::uint32_t, thread_state> threads_ = {};
  std::uint32_t thread_ = 0;
  thread_state* now_ = nullptr;  // of thread `thread_`
};

}  // namespace tracecodec::drmemtrace
