// What the raw pass over blocks takes and gives: options, positions, user blocks.
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
  // The thread-id defect is recognised, and such blocks are delivered with their thread id. Damage
  // is passed over: reading goes on at the next place where blocks follow each other
  // (block_reader::on_skipped). Not together with `growing`: a block is judged by its successor.
  bool repair = false;
  // A block that is not there to its end is "not yet": next() returns false, and resume() looks
  // again. So for user blocks, but for what is behind 16 MiB of one in a pipe or a compressed file.
  // Open the input with {.map = false}, if the file might also be shortened.
  bool growing = false;
};

// Where a trace can be entered: the offset of a block, and which instruction it is.
struct block_position {
  std::uint64_t offset = 0;
  std::uint64_t instruction = 0;
};

// The field of errors that are about the header of an appended trace.
inline constexpr std::string_view appended_header_field = "magic";

// Bytes that a reader with block_options::repair passes over.
struct skipped_bytes {
  std::uint64_t offset = 0, size = 0;  // in the trace
  std::uint64_t instruction = 0;       // index of the one that follows
  // Why they were not read. Nothing: they are the header of a trace that was appended.
  std::optional<trace_error> why = {};
};

// A block, and the bytes that it takes; 0 if there is none.
template <target T> struct found_block {
  x64dbg::block<T> block = {};
  std::size_t size = 0;
};

template <target T> class block_reader;

// A user block, as block_reader hands it over; only valid while the handler runs.
template <target T> class user_block_data {
 public:
  [[nodiscard]] std::uint8_t type() const { return type_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }      // of the data
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // of the block
  // Whether all of it is there; unknown for a stream.
  [[nodiscard]] std::optional<bool> whole() const {
    const auto left = from_.window().remaining();
    return left ? std::optional(*left >= from_.user_left_) : std::nullopt;
  }
  // The trace's name.
  [[nodiscard]] const std::string& name() const { return from_.name(); }
  // Index of the instruction behind it.
  [[nodiscard]] std::uint64_t instruction() const { return from_.instructions_; }
  // The next bytes of the data, a large piece; empty at their end. What is not asked for is
  // skipped. Throws trace_error(truncated, field data).
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
