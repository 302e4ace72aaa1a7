// Questions about memory and execution: what an address held at an instruction, who wrote it last,
// who uses it next, when an address was executed. Answered from the file, without loading it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
// found. What is never touched costs the whole trace, unless `reach` is limited. Streams are read
// from their start again for each stretch. Throws trace_error as reader::seek() and next().
//
// Trust: x64dbg drops what one instruction accesses beyond 32 words, does not see what the kernel
// or untraced code writes, and gives 0 for memory that it cannot read.
template <target T> class memory_queries {
  using word = wire::word_t<T>;

 public:
  // Both must outlive it.
  memory_queries(reader<T>& trace, const snapshot_index& index) : trace_(trace), index_(index) {}

  // The `size` bytes at `address` (which wraps around) before instruction `n`. The value an earlier
  // access left is taken first; then the old value of the next one, but for what PUSH, PUSHF, CALL
  // and their like store: x64dbg gives the word at csp there, not the one below it.
  std::vector<memory_byte> at(std::uint64_t n, word address, std::size_t size,
                              memory_reach reach = {}) {
    using origin = memory_byte::origin;
    std::vector<memory_byte> found(size);
    std::vector<bool> closed(size);  // what is not known here will not be known
    std::size_t open = size;
    const auto take = [&](std::size_t i, std::uint8_t value, origin from, std::uint64_t by) {
      if (!closed[i]) --open;
      closed[i] = true;
      found[i] = {value, from, by};
    };
    const auto back = [&](const instruction<T>& i, std::uint64_t stretch_end) {
      // A stretch is walked forward: later accesses replace earlier ones of the same stretch.
      for (const memory_access& a : i.accesses())
        each_common_byte(address, size, a, [&](std::size_t k, unsigned shift) {
          if (!closed[k] || found[k].instruction < stretch_end)
            take(k, static_cast<std::uint8_t>(a.value_after() >> shift), origin::earlier, i.index);
        });
    };
    const auto forward = [&](const instruction<T>& i) {
      for (const memory_access& a : i.accesses())
        each_common_byte(address, size, a, [&](std::size_t k, unsigned shift) {
          if (closed[k]) return;
          const bool known = trusts_old_value<T>(a, i.opcode(), csp_of(*i.before));
          take(k, known ? static_cast<std::uint8_t>(a.old_value >> shift) : std::uint8_t{0},
               known ? origin::later : origin::unknown, known ? i.index : 0);
        });
      return open == 0;
    };
    look_back(n, reach.back, back, [&open] { return open == 0; });
    if (open != 0) look_forward(n, reach.forward, forward);
    return found;
  }

  // The last access before instruction `n` that changed one of these bytes. Writes of the value
  // that was there already look like reads in a trace and are not found.
  std::optional<access_hit> last_write(std::uint64_t n, word address, std::size_t size = 1,
                                       std::uint64_t reach = static_cast<std::uint64_t>(-1)) {
    std::optional<access_hit> hit;
    const auto back = [&](const instruction<T>& i, std::uint64_t) {
      for (const memory_access& a : i.accesses())
        if (a.new_value && changes(address, size, a, i)) hit = make_hit(i, a);
    };
    look_back(n, reach, back, [&hit] { return hit.has_value(); });
    return hit;
  }

  // The first access to one of these bytes by instruction `n` or a later one.
  std::optional<access_hit> next_access(std::uint64_t n, word address, std::size_t size = 1,
                                        std::uint64_t reach = static_cast<std::uint64_t>(-1)) {
    std::optional<access_hit> hit;
    look_forward(n, reach, [&](const instruction<T>& i) {
      for (const memory_access& a : i.accesses())
        each_common_byte(address, size, a, [&](std::size_t, unsigned) {
          if (!hit) hit = make_hit(i, a);
        });
      return hit.has_value();
    });
    return hit;
  }

  // Calls f(const instruction<T>&) for each execution of the instruction at `address` from
  // instruction `from` on, before `to`; f returns false to stop. Decodes everything between.
  template <class F> void executions(word address, F&& f, std::uint64_t from = 0,
                                     std::uint64_t to = static_cast<std::uint64_t>(-1)) {
    if (from >= to) return;
    look_forward(from, to - from,
                 [&](const instruction<T>& i) { return i.ip() == address && !f(i); });
  }

 private:
  // Calls f(index of the byte in the range, its shift in the access's value) for each byte that the
  // `size` bytes at `address` share with the access. Addresses wrap around.
  template <class F>
  static void each_common_byte(word address, std::size_t size, const memory_access& a, F&& f) {
    for (unsigned b = 0; b < sizeof(word); ++b) {
      const word at = static_cast<word>(static_cast<word>(a.address) + b - address);
      if (at < size) f(static_cast<std::size_t>(at), 8 * b);
    }
  }
  // The old value of what PUSH and its like store is wrong: there every byte counts as changed.
  static bool changes(word address, std::size_t size, const memory_access& a,
                      const instruction<T>& i) {
    const bool trusted = trusts_old_value<T>(a, i.opcode(), csp_of(*i.before));
    bool any = false;
    each_common_byte(address, size, a, [&](std::size_t, unsigned shift) {
      any = any || !trusted || ((a.old_value ^ *a.new_value) >> shift & 0xFFU) != 0;
    });
    return any;
  }
  static std::optional<word> csp_of(const register_state<T>& s) {
    constexpr std::size_t w = register_state<T>::csp_word;
    return s.known(w) ? std::optional(s[w]) : std::nullopt;
  }
  static access_hit make_hit(const instruction<T>& i, const memory_access& a) {
    return {i.index, i.offset, i.thread, a};
  }

  // Calls f(instruction, end of its stretch) for those before `n`, stretch by stretch from the last
  // one, until done() or `reach`.
  template <class F, class Done>
  void look_back(std::uint64_t n, std::uint64_t reach, F&& f, Done&& done) {
    n = std::min(n, index_.instructions());
    const std::uint64_t low = n > reach ? n - reach : 0;
    instruction<T> i;
    for (std::uint64_t end = n; end > low && !done();) {
      const snapshot* s = index_.before(end - 1);
      const std::uint64_t start = std::max(low, s != nullptr ? s->instruction : 0);
      trace_.seek(start, &index_);
      while (trace_.index() < end && trace_.next(i)) f(i, end);
      end = start;
    }
  }
  // Calls f(instruction) from `n` on until it says true, or `reach`.
  template <class F> void look_forward(std::uint64_t n, std::uint64_t reach, F&& f) {
    trace_.seek(n, &index_);
    instruction<T> i;
    for (std::uint64_t k = 0; k < reach && trace_.next(i); ++k)
      if (f(i)) return;
  }

  reader<T>& trace_;
  const snapshot_index& index_;
};

}  // namespace tracecodec::x64dbg
