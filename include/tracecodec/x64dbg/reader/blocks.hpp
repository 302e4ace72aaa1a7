// The blocks of a trace one after another, without register state: the raw pass that counts,
// indexes, copies and checks.
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

// Delivers every whole block, then throws trace_error: truncated (with the field in which the trace
// ends), bad_value (types 1 to 0x7F, opcode length 0), or what the input throws. Having thrown, it
// throws the same again. With block_options::repair it goes on after damage, as long as blocks
// follow; checks, repairs, feeds and indexes all read so, and see the same blocks.
template <target T> class block_reader {
 public:
  using user_handler = std::function<void(user_block_data<T>&)>;
  using skipped_handler = std::function<void(const skipped_bytes&)>;

  // Reads the header. Throws trace_error as x64dbg::read_header(), and refused if the header's arch
  // is not T or if the options contradict each other.
  explicit block_reader(io::input in, block_options options = {});
  // Continues behind a header that was read already.
  block_reader(io::window behind_header, trace_header header, block_options options = {});
  block_reader(block_reader&&) noexcept;
  block_reader& operator=(block_reader&&) noexcept;
  ~block_reader();

  [[nodiscard]] const trace_header& header() const { return header_; }
  [[nodiscard]] const block_options& options() const { return options_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

  // The next instruction block into `b`, whose views are valid until the next call; false at the
  // end. User blocks on the way go to the handler, or are skipped.
  TRACECODEC_INLINE bool next(block<T>& b) {
    if (next_before(plain_end_, b, [] {})) [[likely]]
      return true;
    // By value: nothing out of line takes the address of `b`, so that the compiler may keep it in
    // registers, and leave out what nobody asks for.
    const found f = look_closely();
    b = f.block;
    if (f.size == 0) return false;
    accept(b, f.size);
    return true;
  }

  // The next block for which wanted(const block<T>&) holds, as next(); those before it are passed
  // over. It is asked more than once, and must not throw.
  template <class Wanted> bool next(block<T>& b, Wanted&& wanted) {
    do {
      pass_over_unless(wanted);
      if (!next(b)) return false;
    } while (!wanted(std::as_const(b)));
    return true;
  }

  // next() in two steps, which are slower: peek() gives the bytes that the block takes in the file,
  // 0 at the end, and may be called again; accept() takes the block.
  std::size_t peek(block<T>& b);
  TRACECODEC_INLINE void accept(const block<T>& b, std::size_t n) {
    window_.consume(n);
    ++instructions_;
    if (b.has_thread) [[unlikely]]
      saw_thread(b.thread);
  }

  // Of `b`, the block delivered last: its place, and whether it had to be mended.
  [[nodiscard]] TRACECODEC_INLINE block_position position_of(const block<T>& b) const {
    return {window_.offset() - block_codec<T>::extent(b), instructions_ - 1};
  }
  [[nodiscard]] bool was_mended() const { return was_mended_; }
  // Its thread: the last id that was given; unknown before the first.
  [[nodiscard]] std::optional<std::uint32_t> thread() const { return thread_; }
  // Index of the next instruction; how many were delivered, from the trace's first.
  [[nodiscard]] std::uint64_t index() const { return instructions_; }
  // Where the next one is, or a user block before it.
  [[nodiscard]] block_position position() const { return {window_.offset(), instructions_}; }
  [[nodiscard]] block_position first() const { return {first_offset_, 0}; }
  // After an error: where what could not be read begins.
  [[nodiscard]] block_position stopped_at() const {
    return {lost_ ? lost_->offset : window_.offset(), instructions_};
  }

  // Goes to a block; `thread` is the one before it. Streams are read up to there, from the start if
  // it must go back: refused for pipes. Throws trace_error(truncated) if the trace ends before.
  void seek(block_position to, std::optional<std::uint32_t> thread = {});
  // Whether nothing follows (nothing yet, of a growing file). Does not throw: next() does.
  [[nodiscard]] bool at_end();
  // After next() returned false: looks whether the file has grown. Views become invalid.
  void resume();

  // Called with each user block that next() comes across, from then on.
  void on_user_block(user_handler f) { handler_ = std::move(f); }

  // Called with bytes that next() passes over, from then on: only with block_options::repair.
  void on_skipped(skipped_handler f) { skipped_ = std::move(f); }
  // How often bytes were passed over, since the reader was made. Registers and memory before such a
  // place say nothing of what follows it. The thread is kept, unless a trace was appended there.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }

  // What the blocks are read from. Who moves it must call seek() before next().
  [[nodiscard]] io::window& window() { return window_; }
  [[nodiscard]] const io::window& window() const { return window_; }

  // Throws the error of the block at position().
  [[noreturn, gnu::cold, gnu::noinline]] void fail(trace_errc code, std::size_t at,
                                                   std::string_view field,
                                                   std::string_view why) const;

 protected:
  // Whether next_at_hand() may be used: whatever its caller keeps is ready for any block.
  void set_prepared(bool is) {
    prepared_ = is;
    prepared_end_ = is ? plain_end_ : 0;
  }
  // Passes the user blocks in front, which go to the handler. Whether anything follows them.
  bool pass_user_blocks();
  // The fast part of next(): false, and nothing is done, where a closer look is needed. use() is
  // called before the block is taken, and may throw.
  template <class Use> TRACECODEC_INLINE bool next_at_hand(block<T>& b, Use&& use) {
    return next_before(prepared_end_, b, use);
  }

 private:
  // The next block, if it lies before `end`, is wholly at hand and an instruction's.
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

  // The first bytes of an instruction's block, looked at together: where they have a member.
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
    // From here on `p` may be any address, as far as the compiler knows: clang would shift single
    // bytes out of this word instead of loading them, 6 instructions more.
    asm("" : "+r"(p));
    return head;
  }

  // Decodes the block at `p`, which is an instruction's and wholly at hand; returns its end.
  template <bool HasThread>
  TRACECODEC_INLINE static const std::byte* decode_plain(const std::byte* p, block<T>& b) {
    // What the caller has seen, in the form in which the codec asks: the bit is its byte's highest.
    constexpr wire::slice at = block_codec<T>::template slice_of<&block<T>::has_thread>;
    constexpr std::uint8_t bit = 1U << at.low_bit;
    static_assert(bit == 0x80);
    if ((std::to_integer<std::uint8_t>(p[at.offset]) >= bit) != HasThread) __builtin_unreachable();
    // No block has more bytes than these, whatever its counts are: the checks against their end
    // fold away.
    block_codec<T>::decode(std::span(p, largest_block<T>), b);
    const auto last = b.new_values.bytes();
    return last.data() + last.size();
  }

  // Takes blocks until wanted(block), which does not throw, holds or something other than a plain
  // block is met; next() goes on from there. In local variables, which no store through another
  // pointer can have changed: an index pass takes 25 to 30 instructions a block, 33 to 40
  // with next(b).
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

  // The next block after everything that is no plain one: the end, the last blocks before it, user
  // blocks, and blocks that repair suspects.
  [[gnu::cold, gnu::noinline]] found look_closely();

  // An instruction's block, decoded from the front of `in`.
  found checked(found& f, const wire::result& r, std::span<const std::byte> in) const;

  // What is wrong with what was decoded from the front of `in`; nothing: it can be read.
  std::optional<trace_error> wrong_with(const block<T>& b, const wire::result& r,
                                        std::span<const std::byte> in) const;
  // What to say of a file header in front.
  [[nodiscard]] std::string text_of_header(std::span<const std::byte> in) const;
  [[nodiscard]] trace_error error(trace_errc code, std::size_t at, std::string_view field,
                                  std::string_view why) const;

  // With block_options::repair: looks at what is in front, of which decoding came so far. True: it is a
  // block, as it is or, if was_mended(), as in *mended_. False: something was passed over.
  bool examine(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  bool examine_user_block(std::span<const std::byte> in, const block<T>& b, const wire::result& r);
  // Passes the header of an appended trace; false, and nothing is done, if none that fits is in front.
  bool pass_header();
  // Passes over damage, up to the next place from which blocks follow each other. Throws `why` if
  // there is none, and from then on.
  void pass_damage(trace_error why);
  void tell_skipped(std::uint64_t from, std::optional<trace_error> why);

  // `b`, of which decoding came so far; its data need not be at hand. False if it is not there yet.
  bool enter_user_block(const block<T>& b, const wire::result& r);

  // Whether the next `n` bytes have been written; of a pipe or a compressed file as far as they are
  // worth the memory.
  bool is_there(std::uint64_t n);

  // Pieces of at most 1 MiB, so that a mapped file is not touched all at once.
  std::span<const std::byte> next_user_data();

  // A defective block is behind one whose bit was set in the file, never behind a mended one.
  void saw_thread(std::uint32_t thread) {
    thread_ = thread;
    if (options_.repair) look_closely_next();
    behind_thread_ = options_.repair && !was_mended_;
  }

  io::window window_;
  block_options options_;
  trace_header header_;
  std::uint64_t first_offset_ = 0;
  std::uint64_t instructions_ = 0;  // delivered, from the trace's first
  std::uint64_t user_left_ = 0;     // bytes of a user block that are still to come
  std::optional<std::uint32_t> thread_ = {};
  // Before this address a whole block is at hand, and no reason to look at it closely is known.
  std::uintptr_t plain_end_ = 0;
  std::uintptr_t prepared_end_ = 0;  // the same for next_at_hand(), 0 unless prepared_
  bool prepared_ = false;
  bool behind_thread_ = false;  // whether the next block may be defective
  bool was_mended_ = false;
  std::uint64_t gaps_ = 0;
  block_before seen_ = {};    // with block_options::repair, the last block that was found sound
  block_before before_ = {};  // the one before that
  std::unique_ptr<mended_block<T>> mended_ = {};
  // What ended a trace that is repaired, as nothing was found after it.
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
