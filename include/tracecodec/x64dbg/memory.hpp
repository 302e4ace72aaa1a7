// Questions about memory and execution: what an address held at an instruction, who wrote it last,
// who uses it next, when an address was executed. Answered from the file, without loading it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "reader.hpp"

namespace tracecodec::x64dbg {

// One byte of memory before an instruction.
struct memory_byte {
  enum class origin : std::uint8_t {
    unknown,  // no instruction in reach touched it: the trace does not say
    earlier,  // as `instruction`, an earlier one, left it
    later     // as `instruction`, the one asked about or a later one, found it: nobody traced was
              // there between; the kernel and untraced code may have been
  };
  std::uint8_t value = 0;  // 0 if unknown
  origin from = origin::unknown;
  std::uint64_t instruction = 0;
  friend bool operator==(const memory_byte&, const memory_byte&) = default;
};

// An access that was looked for.
struct access_hit {
  std::uint64_t instruction = 0;
  std::uint64_t offset = 0;  // of its block
  std::optional<std::uint32_t> thread = {};
  memory_access access = {};
};

// How many instructions a question may look at, before and from the instruction asked about.
struct memory_reach {
  std::uint64_t back = static_cast<std::uint64_t>(-1);
  std::uint64_t forward = static_cast<std::uint64_t>(-1);
};

// Moves the reader it is given. Cost: looking back decodes whole stretches between snapshots of the
// index, nearest first, until everything is found; looking forward decodes until everything is
// found. What is never touched costs the whole trace, unless `reach` is limited. In a compressed file a stretch is what
// must be decompressed at once: a block of xz, a frame of zstd, or all that is before, which is then one stretch. So
// nothing is decompressed twice for one question. Throws trace_error as reader::seek() and next().
//
// Trust: x64dbg drops what one instruction accesses beyond 32 words, does not see what the kernel
// or untraced code writes, and gives 0 for memory that it cannot read.
template <target T> class memory_queries {
  using word = wire::word_t<T>;

 public:
  // Both must outlive it.
  memory_queries(reader<T>& trace, const snapshot_index& index) : trace_(trace), index_(index) {}

  // Called every 65,536 instructions that a question looks at; what it throws ends the question.
  void on_pause(std::function<void()> f) { pause_ = std::move(f); }

  // The `size` bytes at `address` (which wraps around) before instruction `n`. The value an earlier
  // access left is taken first; then the old value of the next one, but for what PUSH, PUSHF, CALL
  // and their like store: x64dbg gives the word at csp there, not the one below it.
  std::vector<memory_byte> at(std::uint64_t n, word address, std::size_t size,
                              memory_reach reach = {});

  // The last access before instruction `n` that changed one of these bytes. Writes of the value
  // that was there already look like reads in a trace and are not found.
  std::optional<access_hit> last_write(std::uint64_t n, word address, std::size_t size = 1,
                                       std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // The first access to one of these bytes by instruction `n` or a later one.
  std::optional<access_hit> next_access(std::uint64_t n, word address, std::size_t size = 1,
                                        std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Calls f(const instruction<T>&) for each execution of the instruction at `address` from
  // instruction `from` on, before `to`; f returns false to stop. Decodes everything between.
  template <class F> void executions(word address, F&& f, std::uint64_t from = 0,
                                     std::uint64_t to = static_cast<std::uint64_t>(-1)) {
    if (from >= to) return;
    look_forward(from, to - from,
                 [&](const instruction<T>& i) { return i.ip() == address && !f(i); });
  }

 private:
  // Where the stretch that ends before instruction `end` begins, not before `low`.
  std::uint64_t begin_of_stretch(std::uint64_t end, std::uint64_t low);
  // Calls f(instruction, end of its stretch) for those before `n`, stretch by stretch from the last
  // one, until done() or `reach`.
  template <class F, class Done>
  void look_back(std::uint64_t n, std::uint64_t reach, F&& f, Done&& done);
  // Calls f(instruction) from `n` on until it says true, or `reach`.
  template <class F> void look_forward(std::uint64_t n, std::uint64_t reach, F&& f) {
    trace_.seek(n, &index_);
    instruction<T> i;
    for (std::uint64_t k = 0; k < reach && trace_.next(i); ++k) {
      if (f(i)) return;
      count_one();
    }
  }

  void count_one() {
    if (++looked_at_ % 65536 == 0 && pause_) pause_();
  }

  reader<T>& trace_;
  const snapshot_index& index_;
  std::function<void()> pause_ = {};
  std::uint64_t looked_at_ = 0;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/memory.ipp"
#endif
