// Base class of trace::reader and trace::records: an open trace with a position.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "../config.hpp"
#include "../feed/column.hpp"
#include "source.hpp"

namespace tracecodec::feed {
class batch_source;
}

namespace tracecodec::trace {

// Base class of classes that return the instructions of a trace in batches. Objects are movable.
class cursor {
 public:
  // Returns the name used in messages: the path, or "<stdin>".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }

  // has() returns the columns that the format provides. has(c) returns true if the format provides
  // column `c`.
  [[nodiscard]] feed::column_set has() const noexcept;
  [[nodiscard]] bool has(feed::column c) const noexcept { return has().has(c); }

  // Moves forward by `n` instructions, or to the end. Returns the number of skipped instructions.
  std::uint64_t skip(std::uint64_t n);
  // Limits the trace to `n` instructions from the current position.
  void limit(std::uint64_t n) noexcept;
  // Restricts the trace to part `index` of `of` equal parts (feed::shard). If the trace is already
  // restricted to a part, divides that part. The parts include instructions that were already read
  // or skipped. Throws trace_error(refused) if `index` is not below `of`, or if the instructions
  // cannot be counted, as in a pipe.
  void shard(std::uint64_t index, std::uint64_t of);
  // Moves back to the first instruction of the trace or the shard. The limit remains at the same
  // instruction. Throws trace_error if the input cannot be read again, as with a pipe.
  void rewind();
  // Returns the total number of instructions in the trace or the shard, within the limit. May
  // read the whole file. Throws trace_error like count() of feed::stream, and
  // trace_error(refused) if the trace has no end.
  std::uint64_t count();
  // Returns the progress through the trace, or through the part up to the limit, from 0 to 1.
  // Returns nullopt if the progress is unknown.
  [[nodiscard]] std::optional<double> progress() const;
  // Returns the number of the next instruction, counted from 0. If open_options select
  // instructions, only these instructions are counted.
  [[nodiscard]] std::uint64_t position() const noexcept;

 protected:
  cursor(std::string name, const tracecodec::format::facts& format,
         std::unique_ptr<feed::batch_source> from);
  cursor(cursor&&) noexcept;
  cursor& operator=(cursor&&) noexcept;
  ~cursor();

  // Returns the source that was passed to the constructor.
  [[nodiscard]] feed::batch_source& batches() noexcept { return *source_; }
  [[nodiscard]] const feed::batch_source& batches() const noexcept { return *source_; }
  // Returns how many of the next `most` instructions precede the end of the shard or the limit.
  [[nodiscard]] std::size_t within(std::size_t most) const noexcept;

 private:
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  std::string name_;
  const tracecodec::format::facts* format_;
  std::unique_ptr<feed::batch_source> source_;
  std::uint64_t begin_ = 0, end_ = no_end;  // positions of the instructions to return
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/cursor.ipp"
#endif
