// Queries about memory and execution. Queries find memory values before an instruction, the last
// write to an address, the next access to an address, and the executions of an address. They read
// only the necessary parts of the file, and do not load the file into memory.
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
    unknown,  // no access within reach determines the value
    // Value after an access by `instruction`, which precedes the queried instruction.
    earlier,
    // Value before an access by `instruction`, which is the queried instruction or a later
    // instruction. No traced instruction accessed the byte in between, but the kernel or untraced
    // code may have changed the byte.
    later
  };
  std::uint8_t value = 0;  // 0 if `from` is unknown
  origin from = origin::unknown;
  std::uint64_t instruction = 0;
  friend bool operator==(const memory_byte&, const memory_byte&) = default;
};

// Access that a query has found.
struct access_hit {
  std::uint64_t instruction = 0;
  std::uint64_t offset = 0;  // byte offset of the instruction's block
  std::optional<std::uint32_t> thread = {};
  memory_access access = {};
};

// Maximum numbers of instructions that a query may examine. `back` limits the instructions before
// the queried instruction. `forward` limits the queried instruction and the instructions after it.
struct memory_reach {
  std::uint64_t back = static_cast<std::uint64_t>(-1);
  std::uint64_t forward = static_cast<std::uint64_t>(-1);
};

// Queries on a trace. Each query changes the position of the reader.
//
// A backward search decodes entire stretches of the trace, each of which begins at a snapshot in
// the index. The search starts with the nearest stretch and continues until the result is complete.
// A forward search decodes instructions until the result is complete. A query for a byte that is
// never accessed decodes the entire trace unless `reach` limits the query.
//
// In a compressed file, a stretch is an xz block or a zstd frame. In a file without such units, the
// stretch is everything before the position. Queries therefore never decompress data twice. Queries
// throw the errors of reader::seek() and reader::next().
//
// The accuracy of the results depends on the trace. x64dbg records at most 32 words for each
// instruction, does not record writes by the kernel or untraced code, and records 0 for unreadable
// memory.
template <target T> class memory_queries {
  using word = wire::word_t<T>;

 public:
  // Creates an object for queries on `trace`. `trace` and `index` must outlive the object.
  memory_queries(reader<T>& trace, const snapshot_index& index) : trace_(trace), index_(index) {}

  // Sets a callback that queries call after every 65,536 examined instructions. If the callback
  // throws an exception, the query ends with this exception.
  void on_poll(std::function<void()> f) { poll_hook_ = std::move(f); }

  // Returns the `size` bytes at `address` before instruction `n`. Addresses wrap around. The result
  // for each byte is the value after the last earlier access. If there is no earlier access, the
  // result is the value before the next access. The old values of PUSH, PUSHF, CALL and similar
  // instructions are ignored, because x64dbg records the word at csp instead of the word below it.
  std::vector<memory_byte> at(std::uint64_t n, word address, std::size_t size,
                              memory_reach reach = {});

  // Returns the last access before instruction `n` that changed one of the `size` bytes at
  // `address`. Does not find writes that leave the value unchanged, because a trace does not
  // distinguish these writes from reads. Returns nullopt if there is no such access within `reach`
  // instructions.
  std::optional<access_hit> last_write(std::uint64_t n, word address, std::size_t size = 1,
                                       std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Returns the first access to one of the `size` bytes at `address` by instruction `n` or a later
  // instruction. Returns nullopt if there is no such access within `reach` instructions.
  std::optional<access_hit> next_access(std::uint64_t n, word address, std::size_t size = 1,
                                        std::uint64_t reach = static_cast<std::uint64_t>(-1));

  // Calls f(const instruction<T>&) for each execution of the instruction at `address`, from
  // instruction `from` up to, but not including, instruction `to`. Stops if f() returns false.
  // Reads all instructions in this range.
  template <class F> void executions(word address, F&& f, std::uint64_t from = 0,
                                     std::uint64_t to = static_cast<std::uint64_t>(-1)) {
    if (from >= to) return;
    look_forward(from, to - from,
                 [&](const instruction<T>& i) { return i.ip() == address && !f(i); });
  }

 private:
  // Returns the number of the first instruction in the stretch that contains instruction `end` - 1,
  // or `low` if `low` is greater.
  std::uint64_t begin_of_stretch(std::uint64_t end, std::uint64_t low);
  // Calls f(instruction, end of the stretch) for the last `reach` instructions before instruction
  // `n`. Stretches are visited from last to first, but each stretch is read forwards. Stops after a
  // stretch if done() returns true.
  template <class F, class Done>
  void look_back(std::uint64_t n, std::uint64_t reach, F&& f, Done&& done);
  // Calls f(instruction) for up to `reach` instructions, starting with instruction `n`. Stops if
  // f() returns true.
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
