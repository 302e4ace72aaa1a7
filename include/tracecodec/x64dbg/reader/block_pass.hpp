// Types of block_reader's interface: options, positions, skipped bytes and user blocks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../io/error.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

struct block_options {
  // True to read damaged traces. Blocks with the thread-id defect are returned with their thread
  // id. Damage is skipped, and reading continues at the next offset with several consecutive blocks
  // (see block_reader::on_skipped). Cannot be combined with `growing`, because the reader needs the
  // following blocks to detect damage.
  bool repair = false;
  // True to wait for the rest of an incomplete block at the end. next() then returns false, and can
  // return the block after resume(). For a user block in a pipe or a compressed file, only the
  // first 16 MiB are checked. Open the input with {.map = false} if the file might also become
  // shorter.
  bool growing = false;
};

// Position at which reading can start: the offset of a block, and the index of the block's
// instruction.
struct block_position {
  std::uint64_t offset = 0;
  std::uint64_t instruction = 0;
};

// Field name in errors about the header of an appended trace.
inline constexpr std::string_view appended_header_field = "magic";

// Range of bytes that a reader with block_options::repair has skipped.
struct skipped_bytes {
  std::uint64_t offset = 0, size = 0;  // offset in the trace and size, in bytes
  std::uint64_t instruction = 0;       // index of the next instruction
  // Error in the skipped bytes, or nullopt if the bytes are the header of an appended trace.
  std::optional<trace_error> why = {};
};

// Block and its size in bytes. The size is 0 if no block was found.
template <target T> struct found_block {
  x64dbg::block<T> block = {};
  std::size_t size = 0;
};

template <target T> class block_reader;

// User block that block_reader passes to the handler. The object is valid only until the handler
// returns.
template <target T> class user_block_data {
 public:
  [[nodiscard]] std::uint8_t type() const { return type_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }      // size of the data in bytes
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // byte offset of the block
  // Returns true if the trace contains the whole block. Returns nullopt for a stream, because the
  // size of a stream is unknown.
  [[nodiscard]] std::optional<bool> whole() const {
    const auto left = from_.window().remaining();
    return left ? std::optional(*left >= from_.user_left_) : std::nullopt;
  }
  // Returns the name of the trace.
  [[nodiscard]] const std::string& name() const { return from_.name(); }
  // Returns the index of the first instruction after the block.
  [[nodiscard]] std::uint64_t instruction() const { return from_.instructions_; }
  // Returns the next piece of the data, which is usually large, or an empty piece at the end. Data
  // that the handler does not read is skipped. Throws trace_error(truncated), with the field
  // `data`, if the trace ends inside the data.
  std::span<const std::byte> next() { return from_.next_user_data(); }

 private:
  friend block_reader<T>;
  user_block_data(block_reader<T>& from, const block<T>& head, std::uint64_t offset)
      : from_(from), type_(head.type), size_(head.size), offset_(offset) {}
  block_reader<T>& from_;
  std::uint8_t type_;
  std::uint32_t size_;
  std::uint64_t offset_;
};

}  // namespace tracecodec::x64dbg
