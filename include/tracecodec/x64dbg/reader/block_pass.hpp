// Types that the raw pass over blocks uses: options, positions, skipped bytes, user blocks.
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
  // Recognises the thread-id defect, and delivers such blocks with their thread id. Skips
  // damage: reading continues at the next place where blocks follow each other
  // (block_reader::on_skipped). Cannot be combined with `growing`, because a block is judged by
  // its successor.
  bool repair = false;
  // Treats an incomplete block as not yet written: next() returns false, and resume() looks
  // again. User blocks are treated alike, except beyond their first 16 MiB in a pipe or a
  // compressed file. Open the input with {.map = false} if the file might also be shortened.
  bool growing = false;
};

// Position at which a trace can be entered: the offset of a block, and the
// index of its instruction.
struct block_position {
  std::uint64_t offset = 0;
  std::uint64_t instruction = 0;
};

// Field name in errors about the header of an appended trace.
inline constexpr std::string_view appended_header_field = "magic";

// Bytes that a reader with block_options::repair skips.
struct skipped_bytes {
  std::uint64_t offset = 0, size = 0;  // in the trace, in bytes
  std::uint64_t instruction = 0;       // index of the next instruction
  // Error that made the bytes unreadable. Empty if they are the header of an appended trace.
  std::optional<trace_error> why = {};
};

// Block with its size in bytes; the size is 0 if there is none.
template <target T> struct found_block {
  x64dbg::block<T> block = {};
  std::size_t size = 0;
};

template <target T> class block_reader;

// User block as block_reader passes it to the handler; valid only while the handler runs.
template <target T> class user_block_data {
 public:
  [[nodiscard]] std::uint8_t type() const { return type_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }      // bytes of data
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // byte offset of the block
  // Returns true if the block is complete, false if not, and nullopt for a stream,
  // where it is unknown.
  [[nodiscard]] std::optional<bool> whole() const {
    const auto left = from_.window().remaining();
    return left ? std::optional(*left >= from_.user_left_) : std::nullopt;
  }
  // Returns the name of the trace.
  [[nodiscard]] const std::string& name() const { return from_.name(); }
  // Returns the index of the next instruction after the block.
  [[nodiscard]] std::uint64_t instruction() const { return from_.instructions_; }
  // Returns the next piece of the data, usually a large one; empty at the end. Data that is not
  // read is skipped. Throws trace_error(truncated, field data).
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
