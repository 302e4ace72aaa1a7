// The blocks of a trace one after another, without register state: the raw pass that counts,
// indexes, copies and checks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "block_pass.hpp"
#include "defect.hpp"
#include "read_header.hpp"

namespace tracecodec::x64dbg {

// Delivers every whole block, then throws trace_error: truncated (with the field in which the trace
// ends), bad_value (types 1 to 0x7F, opcode length 0), or what the input throws. Having thrown, it
// throws the same again.
template <target T> class block_reader {
 public:
  using user_handler = std::function<void(user_block_data<T>&)>;

  // Reads the header. Throws trace_error as x64dbg::read_header(), and refused if the header's arch
  // is not T or if the options contradict each other.
  explicit block_reader(io::input in, block_options options = {})
      : window_(std::move(in)), options_(options), header_(read_header(window_)) {
    begin();
  }
  // Continues behind a header that was read already.
  block_reader(io::window behind_header, trace_header header, block_options options = {})
      : window_(std::move(behind_header)), options_(options), header_(std::move(header)) {
    begin();
  }

  [[nodiscard]] const trace_header& header() const { return header_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

  // The next instruction block into `b`, whose views are valid until the next call; false at the
  // end. User blocks on the way go to the handler, or are skipped.
  TRACECODEC_INLINE bool next(block<T>& b) {
    const std::size_t n = peek(b);
    if (n == 0) return false;
    accept(b, n);
    return true;
  }

  // The same in two steps: peek() gives the bytes that the block takes in the file, 0 at the end,
  // and may be called again; accept() takes the block.
  TRACECODEC_INLINE std::size_t peek(block<T>& b) {
    const std::byte* const p = window_.at_hand().data();
    // Bytes 0 and 3: type 0, no thread id.
    if (address_of(p) >= plain_end_ || (wire::u32le::load(p) & 0x800000FFU) != 0) [[unlikely]] {
      // By value: nothing out of line takes the address of `b`, so that the compiler may keep it in
      // registers, and leave out what nobody asks for.
      const found f = look_closely();
      b = f.block;
      return f.size;
    }
    // No block has more bytes than these, whatever its counts are: the checks against their end
    // fold away.
    const auto r = block_codec<T>::decode(std::span(p, largest_block<T>), b);
    if (b.opcode_size == 0) [[unlikely]]
      fail(trace_errc::bad_value, 3, "opcode_size", no_opcode);
    return r.used;
  }
  TRACECODEC_INLINE void accept(const block<T>& b, std::size_t n) {
    window_.consume(n);
    ++instructions_;
    if (b.has_thread) [[unlikely]]
      saw_thread(b.thread);
  }

  // Of `b`, the block delivered last: its place, and whether it had to be mended.
  [[nodiscard]] block_position position_of(const block<T>& b) const {
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

  // Goes to a block; `thread` is the one before it. Streams are read up to there, from the start if
  // it must go back: refused for pipes. Throws trace_error(truncated) if the trace ends before.
  void seek(block_position to, std::optional<std::uint32_t> thread = {}) {
    thread_ = thread;
    user_left_ = 0;
    plain_end_ = 0;
    behind_thread_ = was_mended_ = false;
    if (!window_.seek(to.offset)) {
      window_.check_end();
      throw trace_error(trace_errc::truncated, {name(), window_.offset(), to.instruction, {}},
                        "the trace ends before offset " + std::to_string(to.offset));
    }
    instructions_ = to.instruction;
  }
  // Whether nothing follows (nothing yet, of a growing file). Does not throw: next() does.
  [[nodiscard]] bool at_end() {
    plain_end_ = 0;  // a refilled buffer lies elsewhere
    return window_.look(1).empty();
  }
  // After next() returned false: looks whether the file has grown. Views become invalid.
  void resume() {
    window_.resume();
    plain_end_ = 0;
  }

  // Called with each user block that next() comes across, from then on.
  void on_user_block(user_handler f) { handler_ = std::move(f); }

  // What the blocks are read from. Who moves it must call seek() before next().
  [[nodiscard]] io::window& window() { return window_; }
  [[nodiscard]] const io::window& window() const { return window_; }

  // Throws the error of the block at position().
  [[noreturn, gnu::cold, gnu::noinline]] void fail(trace_errc code, std::size_t at,
                                                   std::string_view field,
                                                   std::string_view why) const {
    throw trace_error(code, {name(), window_.offset() + at, instructions_, std::string(field)},
                      std::string(why));
  }

 private:
  friend user_block_data<T>;
  void begin() {
    first_offset_ = window_.offset();
    std::string why;
    if (header_.arch != T)
      why = "is \"" + std::string(arch_name(header_.arch)) + "\", opened as \"" +
            std::string(arch_name(T)) + '"';
    else if (options_.repair && options_.growing)
      why = "a trace that is still being written cannot be repaired";
    const std::string field = header_.arch != T ? "arch" : "";
    if (!why.empty())
      throw trace_error(trace_errc::refused, {name(), prefix_codec::size, {}, field}, why);
  }

  TRACECODEC_INLINE static std::uintptr_t address_of(const std::byte* p) {
    return reinterpret_cast<std::uintptr_t>(p);
  }

  using found = found_block<T>;
  static constexpr std::string_view no_opcode = "the instruction has no bytes";

  // The next block after everything that is no plain one: the end, the last blocks before it, user
  // blocks, and blocks that repair suspects.
  [[gnu::cold, gnu::noinline]] found look_closely() {
    for (;;) {
      was_mended_ = false;
      while (user_left_ != 0)
        if (next_user_data().empty()) return {};
      const auto in = window_.look(behind_thread_ ? defect_window<T> : largest_block<T>);
      if (in.empty()) {
        window_.check_end();
        return {};
      }
      const auto type = std::to_integer<std::uint8_t>(in[0]);
      if (type >= first_user_type) {
        if (!enter_user_block(in)) return {};
        continue;
      }
      if (type != instruction_type)
        fail(trace_errc::bad_value, 0, "type",
             "block type " + std::to_string(type) + " is unknown");
      if (behind_thread_) {
        if (!mended_) mended_ = std::make_unique<mended_block<T>>();
        was_mended_ = mended_->find(in, in.size() < defect_window<T>, thread_.value_or(0));
        if (was_mended_) return decode(mended_->bytes());
      }
      behind_thread_ = false;
      const auto held = window_.at_hand();
      plain_end_ = held.size() < largest_block<T>
                       ? 0
                       : address_of(held.data()) + held.size() - largest_block<T> + 1;
      return decode(in);
    }
  }

  found decode(std::span<const std::byte> in) const {
    found f;
    const auto r = block_codec<T>::decode(in, f.block);
    if (!r) {
      window_.check_end();
      if (options_.growing) return {};
      fail(trace_errc::truncated, r.used, r.field,
           "the trace ends inside the block, after " + std::to_string(in.size()) + " bytes");
    }
    if (f.block.opcode_size == 0) fail(trace_errc::bad_value, 3, "opcode_size", no_opcode);
    f.size = r.used;
    return f;
  }

  // False if it is not there yet.
  bool enter_user_block(std::span<const std::byte> in) {
    user_block head{};
    const auto r = user_head_codec::decode(in, head);
    if (!r) {
      window_.check_end();
      if (options_.growing) return false;
      fail(trace_errc::truncated, r.used, r.field,
           "the trace ends inside the head of a user block");
    }
    user_block_data<T> data(*this, head, window_.offset());
    window_.consume(r.used);
    user_left_ = head.size;
    plain_end_ = 0;
    if (handler_) handler_(data);
    return true;
  }

  // Pieces of at most 1 MiB, so that a mapped file is not touched all at once.
  std::span<const std::byte> next_user_data() {
    const auto in = window_.look(1);
    const std::uint64_t n =
        std::min<std::uint64_t>({user_left_, in.size(), std::uint64_t{1} << 20});
    if (n == 0 && user_left_ != 0) {
      window_.check_end();
      if (!options_.growing)
        fail(trace_errc::truncated, 0, "data",
             "the trace ends inside a user block, " + std::to_string(user_left_) +
                 " bytes before its end");
    }
    window_.consume(static_cast<std::size_t>(n));
    user_left_ -= n;
    return in.first(static_cast<std::size_t>(n));
  }

  // A defective block is behind one whose bit was set in the file, never behind a mended one.
  void saw_thread(std::uint32_t thread) {
    thread_ = thread;
    if (options_.repair) plain_end_ = 0;
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
  bool behind_thread_ = false;  // whether the next block may be defective
  bool was_mended_ = false;
  std::unique_ptr<mended_block<T>> mended_ = {};
  user_handler handler_ = {};
};

}  // namespace tracecodec::x64dbg
