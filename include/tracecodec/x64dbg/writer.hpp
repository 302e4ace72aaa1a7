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
  std::uint32_t snapshot_distance = 512;  // number of instructions between snapshots; not 0
  bool cip_always = false;                // true to store cip in each block in exact_union mode
};

// Writer of a trace for `T`. The file appears under its name only after finish(). A writer that is
// destroyed before finish() leaves no file. In all modes except raw, the trace has:
// - a snapshot at the start, every snapshot_distance instructions, and after a gap, each with a
//   thread id if the thread is known
// - a thread id in the first block after a thread switch
// - cip in every block, if the mode is minimal or cip_always is set
template <target T> class writer {
 public:
  // Creates a writer to `out`, and writes the header. The header is `h.text` in raw mode if it is
  // not empty, otherwise json_of(h). `name` is the output's name in errors. Throws what json_of()
  // throws. Throws trace_error(refused) if h.arch is not T, or if snapshot_distance is 0.
  writer(std::unique_ptr<io::sink> out, std::string name, const trace_header& h,
         writer_options options = {});
  // Creates the file `path`, and writes the header. The suffix selects the compression
  // (io::codec_of_suffix). "-" is standard output. Also throws what io::open_output() throws.
  writer(const std::string& path, const trace_header& h, writer_options options = {});

  // Writes an executed instruction. `thread` is nullopt if the thread is unknown. `before` is the
  // registers before the instruction. Not available in raw mode. Throws trace_error(system) if the
  // output cannot be written. Throws trace_error(refused), with record and field, for:
  // - an opcode of 0 or more than 15 bytes
  // - more than 255 accesses (x64dbg records at most 32)
  // - an address or value wider than the target's word
  // - an unknown register word if the block must be a snapshot, or an unknown cip if it is stored
  // - an unknown thread after a known thread, which a file cannot express
  // - a user block whose data is still incomplete
  void write(std::optional<std::uint32_t> thread, const register_state<T>& before,
             std::span<const std::byte> opcode, std::span<const memory_access> accesses);

  // Writes an instruction that a reader returned. In raw mode, writes its block unchanged. In other
  // modes, calls gap() first if the instruction's index does not follow the previous index.
  void write(const instruction<T>& i);

  // Writes a block unchanged. Only checks that the block's counts match its arrays, and throws
  // trace_error(refused) if they do not match. In modes other than raw, writes an instruction that
  // is held back first, and the next instruction becomes a snapshot.
  void write_block(const block<T>& b);

  // Writes a user block after the most recent instruction. Throws trace_error(refused) unless
  // `type` is 0x80 or more and `data` is shorter than 4 GiB. In exact_union mode the user block is
  // buffered until the instruction is written.
  void write_user_block(std::uint8_t type, std::span<const std::byte> data);
  // Begins a user block with `size` bytes of data, which add_user_data() writes in pieces. Until
  // the data is complete, other writes and finish() throw trace_error(refused), with field `data`.
  void begin_user_block(std::uint8_t type, std::uint64_t size);
  void add_user_data(std::span<const std::byte> data);

  // Marks a discontinuity. The next instruction will be written as a snapshot.
  void gap();

  // Completes the output. Nothing may be written afterwards. In exact_union mode, the last block
  // depends on the registers after its instruction, which recorders pass as `after`. A trace that
  // was read does not contain these registers. Without `after`, the last block therefore stores the
  // register words that the instruction's block in the read trace lists.
  void finish() { finish_with(nullptr); }
  void finish(const register_state<T>& after) { finish_with(&after); }

  // Returns the number of instructions passed to write() so far, including an instruction that is
  // held back.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  using builder = block_builder<T>;

  void push();

  // Writes the instruction that is held back. Does nothing if no instruction is held back. `then`
  // is the next instruction, or nullptr if it is unknown.
  void release(const builder* then);

  // Writes `i`. `after` is the state after `i`, or nullptr if it is unknown. last_ must be the
  // state before the previous instruction.
  void emit(builder& i, const register_state<T>* after, std::optional<std::uint32_t> next_thread);

  void encode(const block<T>& b);
  void put(std::span<const std::byte> bytes);
  // Writes `bytes` after the most recent instruction. Buffers `bytes` if the instruction is held
  // back.
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
  bool thread_known_ = false;    // true once an instruction had a thread
  std::uint64_t user_left_ = 0;  // number of bytes of the user block that are still missing
  // Number of instructions from the last snapshot on. Nullopt if the next instruction must be a
  // snapshot.
  std::optional<std::uint32_t> since_snapshot_ = {};
  // Index of the instruction that follows the previous instruction without a gap. Nullopt if the
  // previous index is unknown.
  std::optional<std::uint64_t> follows_ = {};
  std::uint64_t written_ = 0, emitted_ = 0, offset_ = 0;
  std::array<std::byte, largest_block<T>> buffer_ = {};
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
