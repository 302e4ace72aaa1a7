// Queries about memory and execution: what an address held at an instruction, which instruction
// wrote it last or accesses it next, and when an address was executed. Queries read the file as
// needed and do not load it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "reader.hpp"

namespace tracecodec::x64dbg {

// Byte of memory as it was before an instruction.
struct memory_byte {
  enum class origin : std::uint8_t {
    unknown,  // no instruction within reach reveals the value
    earlier,  // `instruction`, an earlier one, left the value
    // `instruction`, the queried one or a later one, found the value. No traced instruction
    // accessed the byte in between; the kernel or untraced code may have.
    later
  };
  std::uint8_t value = 0;  // 0 if unknown
  origin from = origin::unknown;
  std::uint64_t instruction = 0;
  friend bool operator==(const memory_byte&, const memory_byte&) = default;
};

// Access found by a query.
struct access_hit {
  std::uint64_t instruction = 0;
  std::uint64_t offset = 0;  // byte offset of the instruction's block
  std::optional<std::uint32_t> thread = {};
  memory_access access = {};
};

// Maximum number of instructions that a query may examine: before the queried one, and from it on.
struct memory_reach {
  std::uint64_t back = static_cast<std::uint64_t>(-1);
  std::uint64_t forward = static_cast<std::uint64_t>(-1);
};

// Queries on a trace, which move the reader passed in.
//
// A backward search decodes whole stretches between snapshots of the index, nearest first,
// until everything is found. A forward search decodes until everything is found. A query for a
// byte that is never accessed decodes the whole trace, unless `reach` limits it. In a
// compressed file, a stretch is what must be decompressed at once: an xz block, a zstd frame,
// or everything before the position if there are no such units. So no query decompresses data
// twice. Throws trace_error as reader::seek() and next() do.
//
// The answers are only as good as the trace. x64dbg drops accesses of one instruction beyond 32
// words, does not see writes by the kernel or untraced code, and records 0 for unreadable memory.
template <target T> class memory_queries {
  using word = wire::word_t<T>;

 public:
  // `trace` and `index` must outlive this object.
  memory_queries(reader<T>& trace, const snapshot_index& index) : trace_(trace), index_(index) {}

  // Sets a callback for every 65,536 instructions that queries examine. An exception from it
  // ends the query.
  void on_poll(std::function<void()> f) { poll_hook_ = std::move(f); }

  // Returns the `size` bytes at `address` before instruction `n`. Addresses wrap around. Prefers
  // the value that an earlier access left, then the old value of the next access. Ignores old
  // values of stores by PUSH, PUSHF, CALL and similar instructions: x64dbg records the word at
  // csp for them, not the one below it.
  std::vector<memory_byte> at(std::uint64_t n, word address, std::size_t size,
                              memory_reach reach = {});

  // Returns the last access before instruction `n` that changed one of these bytes. A write of
  // the value that was already there looks like a read in a trace and is not found.
  std::optional<access_hit> last_write(std::uint64_t n, word address, std::size_t size = 1,
                                       std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Returns the first access to one of these bytes by instruction `n` or a later one.
  std::optional<access_hit> next_access(std::uint64_t n, word address, std::size_t size = 1,
                                        std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Calls f(const instruction<T>&) for each execution of the instruction at `address`, from
  // instruction `from` up to, but not including, `to`. f returns false to stop. Decodes every
  // instruction in between.
  template <class F> void executions(word address, F&& f, std::uint64_t from = 0,
                                     std::uint64_t to = static_cast<std::uint64_t>(-1)) {
    if (from >= to) return;
    look_forward(from, to - from,
                 [&](const instruction<T>& i) { return i.ip() == address && !f(i); });
  }

 private:
  // Returns the first instruction of the stretch that ends before instruction `end`, or `low`
  // if that is later.
  std::uint64_t begin_of_stretch(std::uint64_t end, std::uint64_t low);
  // Calls f(instruction, end of its stretch) for instructions before `n`, stretch by stretch from
  // the last one. Stops after a stretch once done() returns true, or after `reach` instructions.
  template <class F, class Done>
  void look_back(std::uint64_t n, std::uint64_t reach, F&& f, Done&& done);
  // Calls f(instruction) from instruction `n` on, until f returns true or `reach`
  // instructions are done.
  template <class F> void look_forward(std::uint64_t n, std::uint64_t reach, F&& f) {
    trace_.seek(n, &index_);
    instruction<T> i;
    for (std::uint64_t k = 0; k < reach && trace_.next(i); ++k) {
      if (f(i)) return;
      count_one();
    }
  }

  void count_one() {
    if (++looked_at_ % 65536 == 0 && poll_hook_) poll_hook_();
  }

  reader<T>& trace_;
  const snapshot_index& index_;
  std::function<void()> poll_hook_ = {};
  std::uint64_t looked_at_ = 0;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/memory.ipp"
#endif
