// Reads the blocks of a trace one after another, without register state. Used for counting,
// indexing, copying and checking.
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

// Reader that returns all whole blocks before an error, and then throws trace_error:
// - truncated if the trace ends inside a block. The field is the member at which the trace ends.
// - bad_value if the type of a block is from 1 to 0x7F, or if an opcode has length 0.
// - any error that the input throws.
// After an error, further calls throw the same error again. With block_options::repair, the reader
// continues after damage if sound blocks follow. Checks, repairs, feeds and indexes all use this
// reader, and therefore find the same blocks.
template <target T> class block_reader {
 public:
  using user_handler = std::function<void(user_block_data<T>&)>;
  using skipped_handler = std::function<void(const skipped_bytes&)>;

  // Creates a reader, and reads the header. Throws the errors of x64dbg::read_header(). Throws
  // trace_error(refused) if the header's architecture is not T, or if `repair` and `growing` are
  // both set.
  explicit block_reader(io::input in, block_options options = {});
  // Creates a reader of a trace with a header that was already read. `at_first_block` must be at
  // the first block.
  block_reader(io::window at_first_block, trace_header header, block_options options = {});
  block_reader(block_reader&&) noexcept;
  block_reader& operator=(block_reader&&) noexcept;
  ~block_reader();

  [[nodiscard]] const trace_header& header() const { return header_; }
  [[nodiscard]] const block_options& options() const { return options_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

  // Reads the next instruction block into `b`. The views in `b` are valid until the next call.
  // Returns false at the end. Passes user blocks before the instruction block to the handler, or
  // skips them if no handler is set.
  TRACECODEC_INLINE bool next(block<T>& b) {
    if (next_before(plain_end_, b, [] {})) [[likely]]
      return true;
    // look_closely() returns by value, so that the address of `b` is passed only to inlined
    // functions. The compiler can then keep `b` in registers and omit unused members.
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

  // Reads the next block into `b` without moving past it. Returns the block's size in the file in
  // bytes, or 0 at the end. A call to accept() then moves past the block. peek() may be called
  // repeatedly. Together, peek() and accept() have the same effect as next(), but are slower.
  std::size_t peek(block<T>& b);
  TRACECODEC_INLINE void accept(const block<T>& b, std::size_t n) {
    window_.consume(n);
    ++instructions_;
    if (b.has_thread) [[unlikely]]
      saw_thread(b.thread);
  }

  // Returns the position of `b`, which must be the most recently read block.
  [[nodiscard]] TRACECODEC_INLINE block_position position_of(const block<T>& b) const {
    return {window_.offset() - block_codec<T>::extent(b), instructions_ - 1};
  }
  // Returns true if the most recently read block had the thread-id defect.
  [[nodiscard]] bool was_mended() const { return was_mended_; }
  // Returns the thread of the most recently read block. Returns nullopt before the first thread id.
  [[nodiscard]] std::optional<std::uint32_t> thread() const { return thread_; }
  // Returns the index of the next instruction, which is the number of instructions before it.
  [[nodiscard]] std::uint64_t index() const { return instructions_; }
  // Returns the position of the next block. If user blocks precede the next instruction block,
  // returns the position of the first user block.
  [[nodiscard]] block_position position() const { return {window_.offset(), instructions_}; }
  [[nodiscard]] block_position first() const { return {first_offset_, 0}; }
  // Returns the position of the unreadable data. May only be called after an error.
  [[nodiscard]] block_position stopped_at() const {
    return {lost_ ? lost_->offset : window_.offset(), instructions_};
  }

  // Moves to the block at `to`. `thread` is the thread that is current when the block begins. A
  // stream is read forward to the block, from the start if the block precedes the current position.
  // Throws trace_error(refused) if the trace is a pipe and the block precedes the current position.
  // Throws trace_error(truncated) if the trace ends before the block.
  void seek(block_position to, std::optional<std::uint32_t> thread = {});
  // Returns true if the trace has no further bytes. A growing trace may receive more bytes later.
  // Errors are reported only by next().
  [[nodiscard]] bool at_end();
  // Prepares for further calls to next() after next() has returned false. The file may have grown
  // in the meantime. Invalidates all views.
  void resume();

  // Sets the handler, a callback for each user block that next() encounters.
  void on_user_block(user_handler f) { handler_ = std::move(f); }

  // Sets a callback for each range of bytes that next() skips. Bytes are skipped only if
  // block_options::repair is set.
  void on_skipped(skipped_handler f) { skipped_ = std::move(f); }
  // Returns the number of skipped byte ranges since the reader was created. After a skipped range,
  // the previous values of registers and memory are no longer reliable. The thread remains known,
  // unless the range is the header of an appended trace.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }

  // Returns the window from which blocks are read. A caller that moves the window must call seek()
  // before it calls next().
  [[nodiscard]] io::window& window() { return window_; }
  [[nodiscard]] const io::window& window() const { return window_; }

  // Throws trace_error for an error in the block at position(). `at` is the offset of the error
  // within the block.
  [[noreturn, gnu::cold, gnu::noinline]] void fail(trace_errc code, std::size_t at,
                                                   std::string_view field,
                                                   std::string_view why) const;

 protected:
  // Sets whether next_buffered() may use the fast path. Callers may pass true only if they can
  // handle any instruction block.
  void set_prepared(bool is) {
    prepared_ = is;
    prepared_end_ = is ? plain_end_ : 0;
  }
  // Passes the user blocks at the current position to the handler. Returns true if the trace
  // continues after the user blocks.
  bool pass_user_blocks();
  // Reads the next block on the fast path, and calls use() before moving past the block. use() may
  // throw. If the block must be read with look_closely(), returns false and has no effect.
  template <class Use> TRACECODEC_INLINE bool next_buffered(block<T>& b, Use&& use) {
    return next_before(prepared_end_, b, use);
  }

 private:
  // Reads the next block if it is an instruction block that begins before `end`, and calls use()
  // before moving past the block. Otherwise, returns false and has no effect.
  template <class Use>
  TRACECODEC_INLINE bool next_before(std::uintptr_t end, block<T>& b, Use&& use) {
    const std::byte* p = window_.buffered().data();
    if (address_of(p) >= end) [[unlikely]]
      return false;
    const std::uint32_t head = head_of(p);
    if ((head & opcode_size_bits) == 0) [[unlikely]]
      return false;
    if ((head & (type_bits | has_thread_bit)) != 0) [[unlikely]] {
      if ((head & type_bits) != 0) return false;
      const std::byte* const block_end = decode_plain<true>(p, b);
      use();
      window_.consume_to(block_end);
      ++instructions_;
      saw_thread(b.thread);
    } else {
      const std::byte* const block_end = decode_plain<false>(p, b);
      use();
      window_.consume_to(block_end);
      ++instructions_;
    }
    return true;
  }

  friend user_block_data<T>;
  void begin();

  TRACECODEC_INLINE static std::uintptr_t address_of(const std::byte* p) {
    return reinterpret_cast<std::uintptr_t>(p);
  }

  // First four bytes of an instruction block, which are examined together. The following constants
  // are masks of the members in these bytes.
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
    // Hide the value of `p` from the compiler. Without this statement, clang extracts single bytes
    // from `head` instead of loading them, which takes 6 more instructions.
    asm("" : "+r"(p));
    return head;
  }

  // Decodes the instruction block at `p`, which must be entirely in memory. Returns the end of the
  // block.
  template <bool HasThread>
  TRACECODEC_INLINE static const std::byte* decode_plain(const std::byte* p, block<T>& b) {
    // Repeat the caller's check of has_thread in the codec's form, so that the compiler can omit
    // the codec's check. has_thread is the highest bit of its byte.
    constexpr wire::slice at = block_codec<T>::template slice_of<&block<T>::has_thread>;
    constexpr std::uint8_t bit = 1U << at.low_bit;
    static_assert(bit == 0x80);
    if ((std::to_integer<std::uint8_t>(p[at.offset]) >= bit) != HasThread) __builtin_unreachable();
    // Blocks are never longer than largest_block, so the compiler can remove the checks for the
    // end.
    block_codec<T>::decode(std::span(p, largest_block<T>), b);
    const auto last = b.new_values.bytes();
    return last.data() + last.size();
  }

  // Skips blocks until wanted(block) returns true, or until a block must be read with
  // look_closely(). `wanted` must not throw. The state is kept in local variables, because stores
  // through other pointers cannot change them. An index pass therefore takes 25 to 30 instructions
  // per block, compared with 33 to 40 for next(b).
  template <class Wanted> void pass_over_unless(Wanted& wanted) {
    const std::byte* p = window_.buffered().data();
    std::uint64_t n = instructions_;
    const std::uintptr_t plain_end = plain_end_;
    while (address_of(p) < plain_end) {
      block<T> b;
      const std::byte* block_end = nullptr;
      const std::uint32_t head = head_of(p);
      if ((head & opcode_size_bits) == 0) [[unlikely]]
        break;
      if ((head & (type_bits | has_thread_bit)) != 0) [[unlikely]] {
        if ((head & type_bits) != 0 || options_.repair) break;
        block_end = decode_plain<true>(p, b);
        if (wanted(std::as_const(b))) break;
        thread_ = b.thread;
      } else {
        block_end = decode_plain<false>(p, b);
        if (wanted(std::as_const(b))) [[unlikely]]
          break;
      }
      p = block_end;
      ++n;
    }
    window_.consume_to(p);
    instructions_ = n;
  }

  void look_closely_next() { plain_end_ = prepared_end_ = 0; }

  using found = found_block<T>;

  // Returns the next block in the cases that the fast path does not handle: the end, the last
  // blocks in the buffer, user blocks, and all blocks that repair examines.
  [[gnu::cold, gnu::noinline]] found look_closely();

  // Returns the block `f` with its size. `f` must have been decoded from the front of `in` with the
  // result `r`. Throws if the block cannot be read. Returns an empty result for an incomplete block
  // in a growing trace.
  found checked(found& f, const wire::result& r, std::span<const std::byte> in) const;

  // Returns the error in the block `b`, which was decoded from the front of `in` with the result
  // `r`. Returns nullopt if the block can be read.
  std::optional<trace_error> wrong_with(const block<T>& b, const wire::result& r,
                                        std::span<const std::byte> in) const;
  // Returns the error message for a file header at the front of `in`.
  [[nodiscard]] std::string text_of_header(std::span<const std::byte> in) const;
  [[nodiscard]] trace_error error(trace_errc code, std::size_t at, std::string_view field,
                                  std::string_view why) const;

  // Examines the block `b`, which was decoded from the front of `in` with the result `r`. Requires
  // block_options::repair. Returns true if the block is sound, or if *mended_ contains the
  // corrected block (was_mended()). Returns false if bytes were skipped.
  bool examine(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  bool examine_user_block(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  // Skips the header of an appended trace. If there is no sound header for T at the current
  // position, returns false and has no effect.
  bool pass_header();
  // Skips damage up to the next offset with several consecutive blocks. If there is no such offset,
  // throws `why`. Later calls to next() then also throw `why`.
  void pass_damage(trace_error why);
  void report_skipped(std::uint64_t from, std::optional<trace_error> why);

  // Calls the handler for the user block `b`, which was decoded with the result `r`. The block's
  // data may be only partly in memory. Returns false if the trace is growing and the block is not
  // yet complete.
  bool enter_user_block(const block<T>& b, const wire::result& r);

  // Returns true if the trace contains the next `n` bytes. To save memory, only the first 16 MiB
  // are checked in a pipe or a compressed file.
  bool is_there(std::uint64_t n);

  // Returns the next piece of a user block's data. A piece has at most 1 MiB, so that only a
  // limited number of pages of a mapped file are read at once.
  std::span<const std::byte> next_user_data();

  // Records the thread id of a block. The thread-id defect occurs only after a block whose thread
  // bit is set in the file.
  void saw_thread(std::uint32_t thread) {
    thread_ = thread;
    if (options_.repair) look_closely_next();
    may_have_thread_defect_ = options_.repair && !was_mended_;
  }

  io::window window_;
  block_options options_;
  trace_header header_;
  std::uint64_t first_offset_ = 0;
  std::uint64_t instructions_ = 0;  // index of the next instruction
  std::uint64_t user_left_ = 0;     // number of unread bytes of the user block
  std::optional<std::uint32_t> thread_ = {};
  // Limit of the fast path. Every block that begins before this address is entirely in memory.
  std::uintptr_t plain_end_ = 0;
  std::uintptr_t prepared_end_ = 0;  // plain_end_ for next_buffered(); 0 unless prepared_
  bool prepared_ = false;
  bool may_have_thread_defect_ = false;  // true if the next block may have the thread-id defect
  bool was_mended_ = false;
  std::uint64_t gaps_ = 0;
  block_before seen_ = {};    // last sound block, set only with block_options::repair
  block_before before_ = {};  // previous sound block, before the block of seen_
  std::unique_ptr<mended_block<T>> mended_ = {};
  // Error that ended reading with block_options::repair, because no further blocks were found.
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
