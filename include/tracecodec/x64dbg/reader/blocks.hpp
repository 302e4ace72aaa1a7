// Reads the blocks of a trace one after another, without register state. Counting, indexing,
// copying and checking use this raw pass.
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

// Reader that delivers every whole block, then throws trace_error: truncated (with the field in
// which the trace ends), bad_value (types 1 to 0x7F, opcode length 0), or an error of the
// input. Once it has thrown, it throws the same error again. With block_options::repair it
// continues after damage, as long as blocks follow. Checks, repairs, feeds and indexes all read
// this way, and see the same blocks.
template <target T> class block_reader {
 public:
  using user_handler = std::function<void(user_block_data<T>&)>;
  using skipped_handler = std::function<void(const skipped_bytes&)>;

  // Reads the header. Throws trace_error as x64dbg::read_header() does. Throws refused if the
  // header's arch is not T, or if the options contradict each other.
  explicit block_reader(io::input in, block_options options = {});
  // Continues after a header that was read already.
  block_reader(io::window behind_header, trace_header header, block_options options = {});
  block_reader(block_reader&&) noexcept;
  block_reader& operator=(block_reader&&) noexcept;
  ~block_reader();

  [[nodiscard]] const trace_header& header() const { return header_; }
  [[nodiscard]] const block_options& options() const { return options_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

  // Reads the next instruction block into `b`, whose views are valid until the next call.
  // Returns false at the end. User blocks on the way go to the handler, or are skipped.
  TRACECODEC_INLINE bool next(block<T>& b) {
    if (next_before(plain_end_, b, [] {})) [[likely]]
      return true;
    // Returned by value: no function out of line takes the address of `b`, so the compiler may
    // keep it in registers and leave out unused members.
    const found f = look_closely();
    b = f.block;
    if (f.size == 0) return false;
    accept(b, f.size);
    return true;
  }

  // Reads the next block for which wanted(const block<T>&) holds and skips those before it.
  // `wanted` may be called more than once for a block, and must not throw.
  template <class Wanted> bool next(block<T>& b, Wanted&& wanted) {
    do {
      pass_over_unless(wanted);
      if (!next(b)) return false;
    } while (!wanted(std::as_const(b)));
    return true;
  }

  // Reads the next block without taking it; accept() takes it. The two together are a
  // slower next(). Returns the size of the block in the file in bytes, or 0 at the end. May
  // be called repeatedly.
  std::size_t peek(block<T>& b);
  TRACECODEC_INLINE void accept(const block<T>& b, std::size_t n) {
    window_.consume(n);
    ++instructions_;
    if (b.has_thread) [[unlikely]]
      saw_thread(b.thread);
  }

  // Returns the position of `b`, which must be the block delivered last.
  [[nodiscard]] TRACECODEC_INLINE block_position position_of(const block<T>& b) const {
    return {window_.offset() - block_codec<T>::extent(b), instructions_ - 1};
  }
  // Returns true if the block delivered last had the thread-id defect.
  [[nodiscard]] bool was_mended() const { return was_mended_; }
  // Returns the thread of the block delivered last: the most recent thread id,
  // unknown before the first.
  [[nodiscard]] std::optional<std::uint32_t> thread() const { return thread_; }
  // Returns the index of the next instruction, that is, the number of instructions
  // before it in the trace.
  [[nodiscard]] std::uint64_t index() const { return instructions_; }
  // Returns the position of the next block, or of a user block before it.
  [[nodiscard]] block_position position() const { return {window_.offset(), instructions_}; }
  [[nodiscard]] block_position first() const { return {first_offset_, 0}; }
  // Returns, after an error, where the unreadable part begins.
  [[nodiscard]] block_position stopped_at() const {
    return {lost_ ? lost_->offset : window_.offset(), instructions_};
  }

  // Moves to a block. `thread` is the thread before it. A stream is read up to the block, from
  // the start when moving back, which is refused for pipes. Throws trace_error(truncated) if
  // the trace ends first.
  void seek(block_position to, std::optional<std::uint32_t> thread = {});
  // Returns true if nothing follows (in a growing file: nothing yet). Does not throw; next()
  // reports errors.
  [[nodiscard]] bool at_end();
  // Checks whether the file has grown, after next() returned false. Views become invalid.
  void resume();

  // Sets a callback for each user block that next() encounters from then on.
  void on_user_block(user_handler f) { handler_ = std::move(f); }

  // Sets a callback for bytes that next() skips from then on. Only
  // block_options::repair skips bytes.
  void on_skipped(skipped_handler f) { skipped_ = std::move(f); }
  // Returns how often bytes were skipped since the reader was created. Registers and memory
  // from before such a place are unknown after it. The thread is kept, unless a trace was
  // appended there.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }

  // Returns the window from which blocks are read. A caller that moves it must call seek()
  // before next().
  [[nodiscard]] io::window& window() { return window_; }
  [[nodiscard]] const io::window& window() const { return window_; }

  // Throws an error about the block at position().
  [[noreturn, gnu::cold, gnu::noinline]] void fail(trace_errc code, std::size_t at,
                                                   std::string_view field,
                                                   std::string_view why) const;

 protected:
  // Sets whether next_at_hand() may be used, that is, whether the caller is ready for any block.
  void set_prepared(bool is) {
    prepared_ = is;
    prepared_end_ = is ? plain_end_ : 0;
  }
  // Passes the user blocks in front to the handler. Returns true if anything follows them.
  bool pass_user_blocks();
  // Reads the next block on the fast path. Returns false, without effect, if the block needs a
  // closer look. Calls use() before it takes the block; use() may throw.
  template <class Use> TRACECODEC_INLINE bool next_at_hand(block<T>& b, Use&& use) {
    return next_before(prepared_end_, b, use);
  }

 private:
  // Reads the next block if it begins before `end` and is an instruction block entirely in memory.
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

  // First bytes of an instruction block, examined together, and masks of their members.
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
    // Hides the value of `p` from the compiler: otherwise clang shifts single bytes out of this
    // word instead of loading them, which takes 6 instructions more.
    asm("" : "+r"(p));
    return head;
  }

  // Decodes the instruction block at `p`, which is entirely in memory. Returns its end.
  template <bool HasThread>
  TRACECODEC_INLINE static const std::byte* decode_plain(const std::byte* p, block<T>& b) {
    // Repeats what the caller has checked, in the form that the codec tests: the flag is the
    // highest bit of its byte.
    constexpr wire::slice at = block_codec<T>::template slice_of<&block<T>::has_thread>;
    constexpr std::uint8_t bit = 1U << at.low_bit;
    static_assert(bit == 0x80);
    if ((std::to_integer<std::uint8_t>(p[at.offset]) >= bit) != HasThread) __builtin_unreachable();
    // No block is longer than this, whatever its counts, so the checks against the end fold away.
    block_codec<T>::decode(std::span(p, largest_block<T>), b);
    const auto last = b.new_values.bytes();
    return last.data() + last.size();
  }

  // Skips blocks until wanted(block), which must not throw, holds, or until a block needs a
  // closer look. next() continues from there. State is kept in local variables, which no store
  // through another pointer can change. An index pass takes 25 to 30 instructions per block
  // this way, and 33 to 40 with next(b).
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

  // Returns the next block in all cases that are not plain: the end, the last blocks before it,
  // user blocks, and blocks that repair suspects.
  [[gnu::cold, gnu::noinline]] found look_closely();

  // Returns the instruction block `f`, decoded from the front of `in`, with its size. Throws if
  // it cannot be read.
  found checked(found& f, const wire::result& r, std::span<const std::byte> in) const;

  // Returns the error in what was decoded from the front of `in`, or nullopt if it can be read.
  std::optional<trace_error> wrong_with(const block<T>& b, const wire::result& r,
                                        std::span<const std::byte> in) const;
  // Returns the message about a file header at the front of `in`.
  [[nodiscard]] std::string text_of_header(std::span<const std::byte> in) const;
  [[nodiscard]] trace_error error(trace_errc code, std::size_t at, std::string_view field,
                                  std::string_view why) const;

  // Examines the front of `in`, of which `r` and `b` are the decoding result; needs
  // block_options::repair. Returns true if there is a block: unchanged, or in *mended_ if
  // was_mended(). Returns false if something was skipped.
  bool examine(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  bool examine_user_block(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  // Skips the header of an appended trace. Returns false, without effect, if no
  // matching header is in front.
  bool pass_header();
  // Skips damage up to the next place from which blocks follow each other. If there is none,
  // throws `why`, then and in later calls.
  void pass_damage(trace_error why);
  void tell_skipped(std::uint64_t from, std::optional<trace_error> why);

  // Enters the user block `b`, decoded with result `r`; its data need not be in memory. Returns
  // false if it is not written yet.
  bool enter_user_block(const block<T>& b, const wire::result& r);

  // Returns true if the next `n` bytes have been written. In a pipe or a compressed file, only
  // the first 16 MiB are checked, to save memory.
  bool is_there(std::uint64_t n);

  // Returns a piece of at most 1 MiB, so that a mapped file is not touched all at once.
  std::span<const std::byte> next_user_data();

  // Records a thread id. A defective block follows a block whose bit was set in the
  // file, never a mended one.
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
  std::uint64_t user_left_ = 0;     // bytes of a user block that are still to come
  std::optional<std::uint32_t> thread_ = {};
  // Below this address, a whole block is in memory, and nothing requires a closer look.
  std::uintptr_t plain_end_ = 0;
  std::uintptr_t prepared_end_ = 0;  // plain_end_ for next_at_hand(); 0 unless prepared_
  bool prepared_ = false;
  bool behind_thread_ = false;  // true if the next block may be defective
  bool was_mended_ = false;
  std::uint64_t gaps_ = 0;
  block_before seen_ = {};    // with block_options::repair, the last sound block
  block_before before_ = {};  // the sound block before seen_
  std::unique_ptr<mended_block<T>> mended_ = {};
  // Error that ended a trace under repair, because no blocks were found after it.
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
