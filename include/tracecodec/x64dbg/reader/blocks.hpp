// Reads the blocks of a trace one after another, without register state. Counters, indexes, copies
// and checks read traces in this way.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "../header.hpp"
#include "block_pass.hpp"
#include "resume.hpp"

namespace tracecodec::x64dbg {

template <target T> class mended_block;

// Reader that returns all whole blocks before an error, then throws trace_error:
// - truncated: the trace ends inside a block, in the error's field
// - bad_value: the type of a block is from 1 to 0x7F, or an opcode has length 0
// - whatever the input throws
// After an error, further calls throw the same error again. With block_options::repair, the reader
// continues after damage if blocks follow. Checks, repairs, feeds and indexes all use this reader,
// and therefore find the same blocks.
template <target T> class block_reader {
 public:
  using user_handler = std::function<void(user_block_data<T>&)>;
  using skipped_handler = std::function<void(const skipped_bytes&)>;

  // Creates a reader, and reads the header. Throws what x64dbg::read_header() throws. Throws
  // trace_error(refused) if the header's arch is not T, or if `repair` and `growing` are both set.
  explicit block_reader(io::input in, block_options options = {});
  // Creates a reader of a trace whose header was already read. `behind_header` is at the first
  // block.
  block_reader(io::window behind_header, trace_header header, block_options options = {});
  block_reader(block_reader&&) noexcept;
  block_reader& operator=(block_reader&&) noexcept;
  ~block_reader();

  [[nodiscard]] const trace_header& header() const { return header_; }
  [[nodiscard]] const block_options& options() const { return options_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

  // Reads the next instruction block into `b`, whose views are valid until the next call. Returns
  // false at the end. Passes user blocks on the way to the handler, or skips them if no handler is
  // set.
  TRACECODEC_INLINE bool next(block<T>& b) {
    if (next_before(plain_end_, b, [] {})) [[likely]]
      return true;
    // look_closely() returns by value. No function that is not inlined takes the address of `b`,
    // so the compiler may keep it in registers and leave out unused members.
    const found f = look_closely();
    b = f.block;
    if (f.size == 0) return false;
    accept(b, f.size);
    return true;
  }

  // Reads the next block for which wanted(const block<T>&) returns true, and skips other blocks.
  // `wanted` may be called more than once for a block, and must not throw.
  template <class Wanted> bool next(block<T>& b, Wanted&& wanted) {
    do {
      pass_over_unless(wanted);
      if (!next(b)) return false;
    } while (!wanted(std::as_const(b)));
    return true;
  }

  // Reads the next block into `b` without moving past it. Returns the block's size in bytes in the
  // file, or 0 at the end. accept() then moves past the block. Both calls together have the effect
  // of next(), but are slower. peek() may be called repeatedly.
  std::size_t peek(block<T>& b);
  TRACECODEC_INLINE void accept(const block<T>& b, std::size_t n) {
    window_.consume(n);
    ++instructions_;
    if (b.has_thread) [[unlikely]]
      saw_thread(b.thread);
  }

  // Returns the position of `b`, which must be the block that was read last.
  [[nodiscard]] TRACECODEC_INLINE block_position position_of(const block<T>& b) const {
    return {window_.offset() - block_codec<T>::extent(b), instructions_ - 1};
  }
  // Returns true if the block that was read last had the thread-id defect.
  [[nodiscard]] bool was_mended() const { return was_mended_; }
  // Returns the thread of the block that was read last, which is the most recent thread id. Returns
  // nullopt before the first thread id.
  [[nodiscard]] std::optional<std::uint32_t> thread() const { return thread_; }
  // Returns the index of the next instruction, that is, the number of instructions before it in
  // the trace.
  [[nodiscard]] std::uint64_t index() const { return instructions_; }
  // Returns the position of the next block, or of a user block before it.
  [[nodiscard]] block_position position() const { return {window_.offset(), instructions_}; }
  [[nodiscard]] block_position first() const { return {first_offset_, 0}; }
  // Returns the position of the unreadable part. Call it after an error.
  [[nodiscard]] block_position stopped_at() const {
    return {lost_ ? lost_->offset : window_.offset(), instructions_};
  }

  // Moves to the block at `to`. `thread` is the thread before the block. A stream is read up to the
  // block, and from the start if the block is before the current position. Throws
  // trace_error(refused) if it would have to move back in a pipe. Throws trace_error(truncated) if
  // the trace ends before the block.
  void seek(block_position to, std::optional<std::uint32_t> thread = {});
  // Returns true if the trace has no further bytes, or a growing trace has no further bytes yet.
  // Does not report errors, which next() throws.
  [[nodiscard]] bool at_end();
  // Prepares for further calls to next() after it returned false, because the file may have grown.
  // Invalidates all views.
  void resume();

  // Sets the handler, a callback for each user block that next() encounters.
  void on_user_block(user_handler f) { handler_ = std::move(f); }

  // Sets a callback for each range of bytes that next() skips, which it does only if
  // block_options::repair is set.
  void on_skipped(skipped_handler f) { skipped_ = std::move(f); }
  // Returns the number of ranges of bytes that were skipped since the reader was created. After a
  // skipped range, previous values of registers and memory are unknown. The thread is kept, unless
  // the range is the header of an appended trace.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }

  // Returns the window from which blocks are read. A caller that moves the window must call seek()
  // before next().
  [[nodiscard]] io::window& window() { return window_; }
  [[nodiscard]] const io::window& window() const { return window_; }

  // Throws trace_error for the block at position(). `at` is the offset of the error in the block.
  [[noreturn, gnu::cold, gnu::noinline]] void fail(trace_errc code, std::size_t at,
                                                   std::string_view field,
                                                   std::string_view why) const;

 protected:
  // Sets whether next_at_hand() may use the fast path. Pass true only if the caller can handle any
  // instruction block.
  void set_prepared(bool is) {
    prepared_ = is;
    prepared_end_ = is ? plain_end_ : 0;
  }
  // Passes the user blocks at the current position to the handler. Returns true if the trace
  // continues after them.
  bool pass_user_blocks();
  // Reads the next block on the fast path. Returns false, without effect, if the block must be read
  // with look_closely(). Calls use() before it moves past the block. use() may throw.
  template <class Use> TRACECODEC_INLINE bool next_at_hand(block<T>& b, Use&& use) {
    return next_before(prepared_end_, b, use);
  }

 private:
  // Reads the next block if it is an instruction block that begins before `end`. Returns false,
  // without effect, otherwise. Calls use() before it moves past the block.
  template <class Use>
  TRACECODEC_INLINE bool next_before(std::uintptr_t end, block<T>& b, Use&& use) {
    const std::byte* p = window_.at_hand().data();
    if (address_of(p) >= end) [[unlikely]]
      return false;
    const std::uint32_t head = head_of(p);
    if ((head & opcode_size_bits) == 0) [[unlikely]]
      return false;
    if ((head & (type_bits | has_thread_bit)) != 0) [[unlikely]] {
      if ((head & type_bits) != 0) return false;
      const std::byte* const behind = decode_plain<true>(p, b);
      use();
      window_.consume_to(behind);
      ++instructions_;
      saw_thread(b.thread);
    } else {
      const std::byte* const behind = decode_plain<false>(p, b);
      use();
      window_.consume_to(behind);
      ++instructions_;
    }
    return true;
  }

  friend user_block_data<T>;
  void begin();

  TRACECODEC_INLINE static std::uintptr_t address_of(const std::byte* p) {
    return reinterpret_cast<std::uintptr_t>(p);
  }

  // First four bytes of an instruction block, examined together. The constants are masks of its
  // members.
  using head_word = wire::u32le;
  static_assert(instruction_type == 0);
  template <auto M> static constexpr std::uint32_t slice_bits = [] {
    constexpr wire::slice at = block_codec<T>::template slice_of<M>;
    return ((1U << at.width) - 1) << (8 * at.offset + at.low_bit);
  }();
  static constexpr std::uint32_t type_bits =
      0xFFU << 8 * block_codec<T>::template offset_of<&block<T>::type>;
  static constexpr std::uint32_t opcode_size_bits = slice_bits<&block<T>::opcode_size>;
  static constexpr std::uint32_t has_thread_bit = slice_bits<&block<T>::has_thread>;
  TRACECODEC_INLINE static std::uint32_t head_of(const std::byte*& p) {
    const std::uint32_t head = head_word::load(p);
    // Hide the value of `p` from the compiler. Otherwise, clang extracts single bytes from `head`
    // instead of loading them, which takes 6 more instructions.
    asm("" : "+r"(p));
    return head;
  }

  // Decodes the instruction block at `p`, which is entirely in memory. Returns its end.
  template <bool HasThread>
  TRACECODEC_INLINE static const std::byte* decode_plain(const std::byte* p, block<T>& b) {
    // Repeat the caller's check of has_thread in the form that the codec tests. has_thread is the
    // highest bit of its byte.
    constexpr wire::slice at = block_codec<T>::template slice_of<&block<T>::has_thread>;
    constexpr std::uint8_t bit = 1U << at.low_bit;
    static_assert(bit == 0x80);
    if ((std::to_integer<std::uint8_t>(p[at.offset]) >= bit) != HasThread) __builtin_unreachable();
    // No block is longer than largest_block, so the compiler removes the checks against the end.
    block_codec<T>::decode(std::span(p, largest_block<T>), b);
    const auto last = b.new_values.bytes();
    return last.data() + last.size();
  }

  // Skips blocks until wanted(block) returns true, or until a block must be read with
  // look_closely(). `wanted` must not throw. The state is in local variables, which no store
  // through another pointer can change. An index pass therefore takes 25 to 30 instructions per
  // block, compared with 33 to 40 with next(b).
  template <class Wanted> void pass_over_unless(Wanted& wanted) {
    const std::byte* p = window_.at_hand().data();
    std::uint64_t n = instructions_;
    const std::uintptr_t plain_end = plain_end_;
    while (address_of(p) < plain_end) {
      block<T> b;
      const std::byte* behind = nullptr;
      const std::uint32_t head = head_of(p);
      if ((head & opcode_size_bits) == 0) [[unlikely]]
        break;
      if ((head & (type_bits | has_thread_bit)) != 0) [[unlikely]] {
        if ((head & type_bits) != 0 || options_.repair) break;
        behind = decode_plain<true>(p, b);
        if (wanted(std::as_const(b))) break;
        thread_ = b.thread;
      } else {
        behind = decode_plain<false>(p, b);
        if (wanted(std::as_const(b))) [[unlikely]]
          break;
      }
      p = behind;
      ++n;
    }
    window_.consume_to(p);
    instructions_ = n;
  }

  void look_closely_next() { plain_end_ = prepared_end_ = 0; }

  using found = found_block<T>;

  // Returns the next block in the cases that the fast path does not handle. They are the end, the
  // last blocks in the buffer, user blocks, and all blocks that repair examines.
  [[gnu::cold, gnu::noinline]] found look_closely();

  // Returns `f`, which was decoded from the front of `in` with result `r`, with its size. Throws if
  // the block cannot be read. Returns an empty result for an incomplete block in a growing trace.
  found checked(found& f, const wire::result& r, std::span<const std::byte> in) const;

  // Returns the error in block `b`, which was decoded from the front of `in` with result `r`.
  // Returns nullopt if the block can be read.
  std::optional<trace_error> wrong_with(const block<T>& b, const wire::result& r,
                                        std::span<const std::byte> in) const;
  // Returns the error message for a file header at the front of `in`.
  [[nodiscard]] std::string text_of_header(std::span<const std::byte> in) const;
  [[nodiscard]] trace_error error(trace_errc code, std::size_t at, std::string_view field,
                                  std::string_view why) const;

  // Examines block `b`, which was decoded from the front of `in` with result `r`. Requires
  // block_options::repair. Returns true if the block is sound, or if the corrected block is in
  // *mended_ (was_mended()). Returns false if bytes were skipped.
  bool examine(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  bool examine_user_block(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  // Skips the header of an appended trace. Returns false, without effect, if the current position
  // does not have a sound header for T.
  bool pass_header();
  // Skips damage up to the next offset from which blocks follow each other. If no such offset is
  // found, throws `why`, and makes later calls to next() throw it too.
  void pass_damage(trace_error why);
  void tell_skipped(std::uint64_t from, std::optional<trace_error> why);

  // Calls the handler for user block `b`, which was decoded with result `r`. The block's data need
  // not be in memory. Returns false if the trace is growing and the block is not complete yet.
  bool enter_user_block(const block<T>& b, const wire::result& r);

  // Returns true if the trace contains the next `n` bytes. In a pipe or a compressed file, only the
  // first 16 MiB are checked, to save memory.
  bool is_there(std::uint64_t n);

  // Returns the next piece of a user block's data. A piece has up to 1 MiB, so that not all pages
  // of a mapped file are read at once.
  std::span<const std::byte> next_user_data();

  // Records the thread id of a block. A block with the defect can follow only a block whose thread
  // bit was set in the file.
  void saw_thread(std::uint32_t thread) {
    thread_ = thread;
    if (options_.repair) look_closely_next();
    behind_thread_ = options_.repair && !was_mended_;
  }

  io::window window_;
  block_options options_;
  trace_header header_;
  std::uint64_t first_offset_ = 0;
  std::uint64_t instructions_ = 0;  // index of the next instruction
  std::uint64_t user_left_ = 0;     // number of bytes of the user block that were not read yet
  std::optional<std::uint32_t> thread_ = {};
  // Address before which the fast path may read blocks: any block that begins before it is entirely
  // in memory.
  std::uintptr_t plain_end_ = 0;
  std::uintptr_t prepared_end_ = 0;  // plain_end_ for next_at_hand(); 0 unless prepared_
  bool prepared_ = false;
  bool behind_thread_ = false;  // true if the next block may have the thread-id defect
  bool was_mended_ = false;
  std::uint64_t gaps_ = 0;
  block_before seen_ = {};    // last sound block, set only with block_options::repair
  block_before before_ = {};  // previous sound block, before the block of seen_
  std::unique_ptr<mended_block<T>> mended_ = {};
  // Error after which a reader with block_options::repair found no more blocks.
  struct end_of_repair {
    trace_error why;
    std::uint64_t offset;
  };
  std::unique_ptr<end_of_repair> lost_ = {};
  user_handler handler_ = {};
  skipped_handler skipped_ = {};
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/blocks.ipp"
#endif
