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
  std::uint32_t snapshot_distance = 512;  // a snapshot is due every so many instructions; not 0
  bool cip_always = false;                // stores cip in each block even in exact_union mode
};

// Writer of a trace for `T`. The file appears under its name only after finish(). An unfinished
// writer leaves nothing. In every mode but raw, the trace has:
// - a snapshot at the start, every snapshot_distance instructions, and after a gap, each with a
//   thread id as soon as a thread is known
// - a thread id in the first block after a thread switch
// - cip in every block, in minimal mode or with cip_always
template <target T> class writer {
 public:
  // Writes the header: h.text in raw mode if it is not empty, otherwise json_of(h). Errors call
  // the output `name`. Throws trace_error(refused) as json_of() does, if h.arch is not T, or if
  // snapshot_distance is 0.
  writer(std::unique_ptr<io::sink> out, std::string name, const trace_header& h,
         writer_options options = {});
  // Writes to the file `path`, compressed according to its suffix (io::codec_of_suffix). "-" is
  // standard output. Throws trace_error as io::open_output does.
  writer(const std::string& path, const trace_header& h, writer_options options = {});

  // Writes one executed instruction: its thread (empty if unknown), the registers before it,
  // its bytes and its memory accesses. Not available in raw mode. Throws trace_error(system) if
  // writing fails. Throws trace_error(refused), with record and field, in these cases:
  // - an opcode of 0 or more than 15 bytes
  // - more than 255 accesses (x64dbg itself stops at 32)
  // - an address or value wider than the target's word
  // - an unknown register word where a snapshot is due
  // - an unknown thread after a known one, which a file cannot express
  // - missing data of a user block
  void write(std::optional<std::uint32_t> thread, const register_state<T>& before,
             std::span<const std::byte> opcode, std::span<const memory_access> accesses);

  // Writes an instruction as a reader delivers it; in raw mode, its block. If its index does
  // not follow the previous one, there is a gap.
  void write(const instruction<T>& i);

  // Writes a block unchanged. Nothing is checked except that its counts match its arrays
  // (refused). In the other modes, an instruction that is held back is written first, and a gap
  // follows the block.
  void write_block(const block<T>& b);

  // Writes a user block after the most recent instruction. Refused unless `type` is 0x80 or
  // more and `data` is shorter than 4 GiB. In exact_union mode the block is buffered until that
  // instruction is written.
  void write_user_block(std::uint8_t type, std::span<const std::byte> data);
  // Begins a user block whose data add_user_data() writes in pieces. Anything else is refused
  // (field data) until the pieces add up to `size` bytes.
  void begin_user_block(std::uint8_t type, std::uint64_t size);
  void add_user_data(std::span<const std::byte> data);

  // Marks a discontinuity: the next block will be a snapshot.
  void gap();

  // Completes the output; nothing may be written afterwards. In exact_union mode the last block
  // needs the registers after its instruction, which recorders pass as `after`. A trace that was
  // read does not contain them, so without `after` the last block repeats the words listed there.
  void finish() { finish_with(nullptr); }
  void finish(const register_state<T>& after) { finish_with(&after); }

  // Returns the number of instructions taken so far, including one that is held back.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  using builder = block_builder<T>;

  void push();

  // Writes the instruction that is held back, if any. `then` is the next
  // instruction, nullptr if unknown.
  void release(const builder* then);

  // Writes `i`. last_ is the state before the previous instruction. `after` is the state after
  // `i`, nullptr if unknown.
  void emit(builder& i, const register_state<T>* after, std::optional<std::uint32_t> next_thread);

  void encode(const block<T>& b);
  void put(std::span<const std::byte> bytes);
  // Writes after the most recently taken instruction, even if that is held back.
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
  std::uint64_t user_left_ = 0;  // bytes of a user block that are still to come
  std::optional<std::uint32_t> since_snapshot_ = {};  // empty: a snapshot is due
  std::optional<std::uint64_t> follows_ = {};         // index that continues the output
  std::uint64_t written_ = 0, emitted_ = 0, offset_ = 0;
  std::array<std::byte, largest_block<T>> buffer_ = {};
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
