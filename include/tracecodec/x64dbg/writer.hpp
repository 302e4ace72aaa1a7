// Writes x64dbg traces: from register states, or blocks as they are.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/open.hpp"
#include "header.hpp"
#include "reader/instruction.hpp"
#include "writer/block_builder.hpp"

namespace tracecodec::x64dbg {

enum class writer_mode : std::uint8_t {
  // Each block gives cip and the register words that changed since the block before.
  minimal,
  // What x64dbg itself writes: the words that changed since the block before and those that the
  // instruction is going to change, cip too only if it does (or if nothing else does); a thread id
  // also on the last block before a switch. One instruction is held back until the next is known.
  exact_union,
  // Header and blocks as they were read, byte for byte. For a whole trace: nothing is added.
  raw
};

struct writer_options {
  writer_mode mode = writer_mode::minimal;
  std::uint32_t snapshot_distance = 512;  // instructions from one snapshot to the next; not 0
  bool cip_always = false;                // in exact_union mode, too, each block gives cip
};

// A trace for `T`. It exists under its name only after finish(); a writer destroyed before leaves
// nothing. Outside raw mode there is a snapshot at the start, every snapshot_distance and behind a
// gap, each with a thread id (without one while no thread is known); an id on each first block of
// another thread; in minimal mode, and with cip_always, cip in every block.
template <target T> class writer {
 public:
  // `name` is what errors call the output. Writes the header: h.text in raw mode if it is there,
  // else json_of(h). Throws trace_error(refused): as json_of(); h.arch is not T; distance 0.
  writer(std::unique_ptr<io::sink> out, std::string name, const trace_header& h,
         writer_options options = {})
      : out_(std::move(out)), name_(std::move(name)), options_(options) {
    if (h.arch != T) refuse("arch", "the header is for another architecture");
    if (options.snapshot_distance == 0) refuse("snapshot_distance", "is 0");
    const bool as_it_was = options.mode == writer_mode::raw && !h.text.empty();
    put(header_bytes(as_it_was ? h.text : json_of(h, name_)));
  }
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  writer(const std::string& path, const trace_header& h, writer_options options = {})
      : writer(io::open_output(path, io::codec_of_suffix(path)), path, h, options) {}

  // One executed instruction: its thread if that is known, the registers before it, its bytes, its
  // memory accesses. Not in raw mode. Throws trace_error(refused), with record and field: an opcode
  // of 0 or more than 15 bytes, more than 255 accesses (x64dbg itself stops at 32), an address or
  // value wider than the target's word, an unknown register word where a snapshot is due, an
  // unknown thread behind a known one (a file cannot say that), missing data of a user block;
  // system.
  void write(std::optional<std::uint32_t> thread, const register_state<T>& before,
             std::span<const std::byte> opcode, std::span<const memory_access> accesses) {
    if (options_.mode == writer_mode::raw) refuse("", "raw mode takes blocks");
    require_ready(thread);
    next_.take(opcode, accesses,
               [this](const char* field, const std::string& why) { refuse(field, why); });
    next_.thread = thread;
    next_.state = before;
    next_.listed.reset();
    push();
  }

  // An instruction as a reader delivers it: its block in raw mode. If it does not follow the one
  // before, by its index, there is a gap.
  void write(const instruction<T>& i) {
    if (options_.mode == writer_mode::raw) return write_block(i.block);
    require_ready(i.thread);
    if (follows_ && i.index != *follows_) gap();
    follows_ = i.index + 1;
    next_.take(i.block);
    next_.thread = i.thread;
    next_.state = *i.before;
    next_.listed.reset();
    register_state<T>::walk(i.block, [this](std::size_t w, auto) { next_.listed.set(w); });
    push();
  }

  // A block as it is: nothing is added, nothing is checked but that its counts are those of its
  // arrays (refused). In the other modes what is held back is written before it, and there is a
  // gap behind it.
  void write_block(const block<T>& b) {
    require_user_data();
    gap();
    encode(b);
    thread_known_ = thread_known_ || b.has_thread;
    ++written_;
  }

  // A user block: `type` of 0x80 or more, `data` under 4 GiB, else refused. It comes behind the
  // instruction written last. In exact_union mode it is kept in memory until that is written.
  void write_user_block(std::uint8_t type, std::span<const std::byte> data) {
    begin_user_block(type, data.size());
    add_user_data(data);
  }
  // The same in pieces, which must come to `size` bytes before anything else is written or the
  // output is finished, else refused (field data).
  void begin_user_block(std::uint8_t type, std::uint64_t size) {
    require_user_data();
    if (!is_user_type(type)) refuse("type", "of a user block is 0x80 or more");
    if (size > 0xFFFFFFFF) refuse("size", "a user block has less than 4 GiB");
    block<T> b;
    b.type = type;
    b.size = static_cast<std::uint32_t>(size);
    std::array<std::byte, user_block_codec<T>::front_size> head{};
    user_block_codec<T>::store_front(b, head);
    put_behind(head);
    user_left_ = size;
  }
  void add_user_data(std::span<const std::byte> data) {
    if (data.size() > user_left_)
      refuse("data", std::to_string(data.size()) + " bytes, the user block has room for " +
                         std::to_string(user_left_));
    put_behind(data);
    user_left_ -= data.size();
  }

  // What follows does not continue what was written: the next block will be a snapshot.
  void gap() {
    release(nullptr);
    since_snapshot_.reset();
    last_thread_.reset();
    follows_.reset();
  }

  // Completes the output; nothing may be written after it. In exact_union mode the last block of a
  // trace that was read repeats the words that were listed there, as the registers after it are not
  // in a file; a recorder that knows them gives them.
  void finish() { finish_with(nullptr); }
  void finish(const register_state<T>& after) { finish_with(&after); }

  // Instructions taken so far, one held back included.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  using builder = block_builder<T>;

  void push() {
    ++written_;
    thread_known_ = thread_known_ || next_.thread;
    if (options_.mode == writer_mode::minimal) {
      emit(next_, nullptr, {});
      std::swap(last_, next_.state);
      return;
    }
    release(&next_);
    std::swap(held_instruction_, next_);
    held_ = true;
  }

  // Writes what is held back, if something is; `then` is the instruction behind it, if known.
  void release(const builder* then) {
    if (!held_) return;
    held_ = false;
    builder& h = held_instruction_;
    emit(h, then != nullptr ? &then->state : nullptr, then != nullptr ? then->thread : h.thread);
    std::swap(last_, h.state);
    if (!behind_held_.empty()) put(behind_held_);
    behind_held_.clear();
  }

  // last_ is the state before the instruction before; `after` the state behind this one.
  void emit(builder& i, const register_state<T>* after, std::optional<std::uint32_t> next_thread) {
    const bool snapshot = !since_snapshot_ || *since_snapshot_ >= options_.snapshot_distance;
    std::bitset<register_words<T>> give;
    if (snapshot) {
      give.set();
    } else {
      for (std::size_t w = 0; w < register_words<T>; ++w)
        give[w] = i.state.known(w) && (!last_.known(w) || last_[w] != i.state[w]);
      if (options_.mode == writer_mode::exact_union) {
        if (after != nullptr)
          for (std::size_t w = 0; w < register_words<T>; ++w)
            give[w] = give[w] || (after->known(w) && (*after)[w] != i.state[w]);
        else
          give |= i.listed;
      }
      // x64dbg leaves out a cip that stays, but shows blocks without any register misaligned.
      if (options_.mode == writer_mode::minimal || options_.cip_always || give.none())
        give.set(register_state<T>::cip_word);
    }
    for (std::size_t w = 0; w < register_words<T>; ++w)
      if (give[w] && !i.state.known(w)) {
        if (snapshot || w == register_state<T>::cip_word)
          refuse("values", "register word " + std::to_string(w) + " is unknown", emitted_);
        give.reset(w);
      }
    bool id = snapshot || i.thread != last_thread_;
    if (options_.mode == writer_mode::exact_union) id = id || next_thread != i.thread;
    encode(i.build(give, id && i.thread));
    since_snapshot_ = snapshot ? 1 : *since_snapshot_ + 1;
    last_thread_ = i.thread;
  }

  void encode(const block<T>& b) {
    const auto done = block_codec<T>::encode(b, buffer_);
    if (!done) refuse(std::string(done.field), std::string(wire::message(done.error)), emitted_);
    put(std::span(buffer_).first(done.used));
    ++emitted_;
  }
  void put(std::span<const std::byte> bytes) {
    out_->write(bytes);
    offset_ += bytes.size();
  }
  // Behind the instruction that was taken last.
  void put_behind(std::span<const std::byte> bytes) {
    if (held_)
      behind_held_.insert(behind_held_.end(), bytes.begin(), bytes.end());
    else
      put(bytes);
  }
  void require_user_data() const {
    if (user_left_ != 0)
      refuse("data", std::to_string(user_left_) + " bytes of a user block are missing");
  }
  void require_ready(std::optional<std::uint32_t> thread) const {
    require_user_data();
    if (!thread && thread_known_)
      refuse("thread", "is unknown: readers would take that of the instruction before");
  }
  void finish_with(const register_state<T>* after) {
    require_user_data();
    if (held_ && after != nullptr) {
      held_ = false;
      emit(held_instruction_, after, held_instruction_.thread);
      put(behind_held_);
    }
    release(nullptr);
    out_->finish();
  }
  [[noreturn]] void refuse(const std::string& field, const std::string& why) const {
    refuse(field, why, written_);
  }
  [[noreturn]] void refuse(const std::string& field, const std::string& why,
                           std::uint64_t record) const {
    throw trace_error(trace_errc::refused, {name_, offset_, record, field}, why);
  }

  std::unique_ptr<io::sink> out_;
  std::string name_;
  writer_options options_;
  builder next_ = {}, held_instruction_ = {};
  bool held_ = false;
  std::vector<std::byte> behind_held_ = {};
  register_state<T> last_ = {};
  std::optional<std::uint32_t> last_thread_ = {};
  bool thread_known_ = false;    // of some instruction so far
  std::uint64_t user_left_ = 0;  // bytes of a user block that are still to come
  std::optional<std::uint32_t> since_snapshot_ = {};  // nothing: a snapshot is due
  std::optional<std::uint64_t> follows_ = {};         // index that continues what was written
  std::uint64_t written_ = 0, emitted_ = 0, offset_ = 0;
  std::array<std::byte, largest_block<T>> buffer_ = {};
};

}  // namespace tracecodec::x64dbg
