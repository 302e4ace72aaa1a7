// Queries about memory and execution. They find the value of memory at an instruction, its last
// write or next access, and the executions of an address. Queries read only parts of the file, and
// do not load it into memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "reader.hpp"

namespace tracecodec::x64dbg {

// Value of a byte of memory before an instruction.
struct memory_byte {
  enum class origin : std::uint8_t {
    unknown,  // no access within reach contains the value
    earlier,  // the value after an access by `instruction`, which is before the queried instruction
    // The value before an access by `instruction`, which is the queried instruction or a later one.
    // No traced instruction accessed the byte in between, but the kernel or untraced code may have
    // changed it.
    later
  };
  std::uint8_t value = 0;  // 0 if `from` is unknown
  origin from = origin::unknown;
  std::uint64_t instruction = 0;
  friend bool operator==(const memory_byte&, const memory_byte&) = default;
};

// Access that a query found.
struct access_hit {
  std::uint64_t instruction = 0;
  std::uint64_t offset = 0;  // byte offset of the instruction's block
  std::optional<std::uint32_t> thread = {};
  memory_access access = {};
};

// Maximum numbers of instructions that a query may examine. `back` limits the instructions before
// the queried instruction. `forward` limits the queried instruction and later instructions.
struct memory_reach {
  std::uint64_t back = static_cast<std::uint64_t>(-1);
  std::uint64_t forward = static_cast<std::uint64_t>(-1);
};

// Queries on a trace. Each query moves the reader.
//
// A backward search decodes whole stretches between snapshots of the index, nearest first, until
// everything is found. A forward search decodes instructions until everything is found. A query
// for a byte that is never accessed decodes the whole trace, unless `reach` limits it.
//
// In a compressed file, a stretch is an xz block, a zstd frame, or everything before the position
// if the file has no such units. Therefore no query decompresses data twice. Queries throw what
// reader::seek() and reader::next() throw.
//
// The results are only as good as the trace. x64dbg records at most 32 words for each instruction,
// does not record writes by the kernel or untraced code, and records 0 for unreadable memory.
template <target T> class memory_queries {
  using word = wire::word_t<T>;

 public:
  // Creates an object for queries on `trace`. `trace` and `index` must outlive the object.
  memory_queries(reader<T>& trace, const snapshot_index& index) : trace_(trace), index_(index) {}

  // Sets a callback that is called after every 65,536 instructions that queries examine. If the
  // callback throws, the query ends with the exception.
  void on_poll(std::function<void()> f) { poll_hook_ = std::move(f); }

  // Returns the `size` bytes at `address` before instruction `n`. Addresses wrap around. For each
  // byte, the result is the value after the last earlier access, or else the value before the next
  // access. Ignores the old values of stores by PUSH, PUSHF, CALL and similar instructions, because
  // x64dbg records the word at csp instead of the word below it.
  std::vector<memory_byte> at(std::uint64_t n, word address, std::size_t size,
                              memory_reach reach = {});

  // Returns the last access before instruction `n` that changed one of the `size` bytes at
  // `address`. Does not find writes that leave the value unchanged, because they look like reads in
  // a trace. Returns nullopt if there is no such access within `reach` instructions.
  std::optional<access_hit> last_write(std::uint64_t n, word address, std::size_t size = 1,
                                       std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Returns the first access to one of the `size` bytes at `address` by instruction `n` or a later
  // instruction. Returns nullopt if there is no such access within `reach` instructions.
  std::optional<access_hit> next_access(std::uint64_t n, word address, std::size_t size = 1,
                                        std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Calls f(const instruction<T>&) for each execution of the instruction at `address`, from
  // instruction `from` up to, but not including, instruction `to`. Stops if f() returns false.
  // Reads all instructions from `from` on.
  template <class F> void executions(word address, F&& f, std::uint64_t from = 0,
                                     std::uint64_t to = static_cast<std::uint64_t>(-1)) {
    if (from >= to) return;
    look_forward(from, to - from,
                 [&](const instruction<T>& i) { return i.ip() == address && !f(i); });
  }

 private:
  // Returns the first instruction of the stretch that ends before instruction `end`, or `low` if
  // `low` is later.
  std::uint64_t begin_of_stretch(std::uint64_t end, std::uint64_t low);
  // Calls f(instruction, end of the stretch) for the last `reach` instructions before `n`. Starts
  // with the last stretch, and reads each stretch forwards. Stops after a stretch if done() returns
  // true.
  template <class F, class Done>
  void look_back(std::uint64_t n, std::uint64_t reach, F&& f, Done&& done);
  // Calls f(instruction) for the first `reach` instructions from instruction `n` on. Stops if f()
  // returns true.
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
