// Writes x64dbg traces from register states, or from existing blocks.
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
  std::uint32_t snapshot_distance = 512;  // number of instructions between snapshots; must not be 0
  bool cip_always = false;  // true to store cip in each block, even in exact_union mode
};

// Writer of a trace for `T`. The file has its final name only after finish(). If the writer is
// destroyed before finish(), no file remains. In all modes except raw, the trace has:
// - a snapshot at the start, every snapshot_distance instructions, and after a gap, each with a
//   thread id if the thread is known
// - a thread id in the first block after a thread switch
// - cip in every block, if the mode is minimal or cip_always is set
template <target T> class writer {
 public:
  // Creates a writer to `out`, and writes the header. In raw mode, the header is `h.text` unless it
  // is empty. Otherwise, the header is json_of(h). `name` is the output's name in error messages.
  // Throws the errors of json_of(). Throws trace_error(refused) if h.arch is not T, or if
  // snapshot_distance is 0.
  writer(std::unique_ptr<io::sink> out, std::string name, const trace_header& h,
         writer_options options = {});
  // Creates the file `path`, and writes the header. The suffix selects the compression
  // (io::codec_of_suffix). The path "-" stands for standard output. Also throws the errors of
  // io::open_output().
  writer(const std::string& path, const trace_header& h, writer_options options = {});

  // Writes an executed instruction. `thread` is nullopt if the thread is unknown. `before` contains
  // the registers before the instruction. Not available in raw mode. Throws trace_error(system) if
  // the output cannot be written. Throws trace_error(refused), with record and field, for:
  // - an opcode of 0 or more than 15 bytes
  // - more than 255 accesses (x64dbg records at most 32)
  // - an address or value wider than the target's word
  // - an unknown register word if the block must be a snapshot, or an unknown cip that must be
  //   stored
  // - an unknown thread after a known thread, which a file cannot represent
  // - a user block with incomplete data before the instruction
  void write(std::optional<std::uint32_t> thread, const register_state<T>& before,
             std::span<const std::byte> opcode, std::span<const memory_access> accesses);

  // Writes an instruction that a reader returned. In raw mode, writes the instruction's block
  // unchanged. In other modes, first calls gap() if the instruction's index is not the previous
  // index plus 1.
  void write(const instruction<T>& i);

  // Writes a block unchanged. Throws trace_error(refused) if the block's counts do not match its
  // arrays. Nothing else is checked. In modes other than raw, first writes the instruction that is
  // held back. The next instruction then becomes a snapshot.
  void write_block(const block<T>& b);

  // Writes a user block after the most recent instruction. Throws trace_error(refused) if `type` is
  // less than 0x80, or if `data` has 4 GiB or more. If exact_union mode holds the instruction back,
  // the user block is buffered until the instruction is written.
  void write_user_block(std::uint8_t type, std::span<const std::byte> data);
  // Begins a user block with `size` bytes of data. The caller then passes the data to
  // add_user_data() in pieces. Until the data is complete, other writes and finish() throw
  // trace_error(refused), with the field `data`.
  void begin_user_block(std::uint8_t type, std::uint64_t size);
  void add_user_data(std::span<const std::byte> data);

  // Marks a discontinuity. The next instruction is written as a snapshot.
  void gap();

  // Completes the output. Do not write anything afterwards. In exact_union mode, the last block
  // depends on the registers after its instruction. Recorders can pass these registers as `after`,
  // but they are unknown when a trace is copied. Without `after`, the last block therefore stores
  // the same register words as in the original trace.
  void finish() { finish_with(nullptr); }
  void finish(const register_state<T>& after) { finish_with(&after); }

  // Returns the number of instructions passed to write() so far, including an instruction that is
  // held back.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  using builder = block_builder<T>;

  void push();

  // Writes the instruction that is held back, if any. `then` is the next instruction, or nullptr if
  // no next instruction is known.
  void release(const builder* then);

  // Writes the instruction `i`. `after` is the register state after `i`, or nullptr if that state
  // is unknown. last_ must be the register state before the previous instruction.
  void emit(builder& i, const register_state<T>* after, std::optional<std::uint32_t> next_thread);

  void encode(const block<T>& b);
  void put(std::span<const std::byte> bytes);
  // Writes `bytes` after the most recent instruction. If the instruction is held back, buffers
  // `bytes`.
  void put_or_hold(std::span<const std::byte> bytes);
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
  std::vector<std::byte> held_blocks_ = {};
  register_state<T> last_ = {};
  std::optional<std::uint32_t> last_thread_ = {};
  bool thread_known_ = false;    // true once the thread of an instruction was known
  std::uint64_t user_left_ = 0;  // number of bytes of the user block that are still missing
  // Number of instructions since the last snapshot, including the snapshot, or nullopt if the next
  // instruction must be a snapshot.
  std::optional<std::uint32_t> since_snapshot_ = {};
  // Index of the next instruction if there is no gap, or nullopt if the previous index is unknown.
  std::optional<std::uint64_t> follows_ = {};
  std::uint64_t written_ = 0, emitted_ = 0, offset_ = 0;
  std::array<std::byte, largest_block<T>> buffer_ = {};
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
