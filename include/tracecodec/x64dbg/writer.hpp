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
#include <vector>

#include "../io/output/sink.hpp"
#include "header.hpp"
#include "reader/instruction.hpp"
#include "writer/block_builder.hpp"
#include "writer/mode.hpp"

namespace tracecodec::x64dbg {

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
         writer_options options = {});
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  writer(const std::string& path, const trace_header& h, writer_options options = {});

  // One executed instruction: its thread if that is known, the registers before it, its bytes, its
  // memory accesses. Not in raw mode. Throws trace_error(refused), with record and field: an opcode
  // of 0 or more than 15 bytes, more than 255 accesses (x64dbg itself stops at 32), an address or
  // value wider than the target's word, an unknown register word where a snapshot is due, an
  // unknown thread behind a known one (a file cannot say that), missing data of a user block;
  // system.
  void write(std::optional<std::uint32_t> thread, const register_state<T>& before,
             std::span<const std::byte> opcode, std::span<const memory_access> accesses);

  // An instruction as a reader delivers it: its block in raw mode. If it does not follow the one
  // before, by its index, there is a gap.
  void write(const instruction<T>& i);

  // A block as it is: nothing is added, nothing is checked but that its counts are those of its
  // arrays (refused). In the other modes what is held back is written before it, and there is a
  // gap behind it.
  void write_block(const block<T>& b);

  // A user block: `type` of 0x80 or more, `data` under 4 GiB, else refused. It comes behind the
  // instruction written last. In exact_union mode it is kept in memory until that is written.
  void write_user_block(std::uint8_t type, std::span<const std::byte> data);
  // The same in pieces, which must come to `size` bytes before anything else is written or the
  // output is finished, else refused (field data).
  void begin_user_block(std::uint8_t type, std::uint64_t size);
  void add_user_data(std::span<const std::byte> data);

  // What follows does not continue what was written: the next block will be a snapshot.
  void gap();

  // Completes the output; nothing may be written after it. In exact_union mode the last block of a
  // trace that was read repeats the words that were listed there, as the registers after it are not
  // in a file; a recorder that knows them gives them.
  void finish() { finish_with(nullptr); }
  void finish(const register_state<T>& after) { finish_with(&after); }

  // Instructions taken so far, one held back included.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  using builder = block_builder<T>;

  void push();

  // Writes what is held back, if something is; `then` is the instruction behind it, if known.
  void release(const builder* then);

  // last_ is the state before the instruction before; `after` the state behind this one.
  void emit(builder& i, const register_state<T>* after, std::optional<std::uint32_t> next_thread);

  void encode(const block<T>& b);
  void put(std::span<const std::byte> bytes);
  // Behind the instruction that was taken last.
  void put_behind(std::span<const std::byte> bytes);
  void require_user_data() const;
  void require_ready(std::optional<std::uint32_t> thread) const;
  void finish_with(const register_state<T>* after);
  [[noreturn]] void refuse(const std::string& field, const std::string& why) const;
  [[noreturn]] void refuse(const std::string& field, const std::string& why,
                           std::uint64_t record) const;

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

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
