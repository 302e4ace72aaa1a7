// A trace that is open and where in it: what trace::reader (columns) and trace::records have in common.
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

// Movable. What its derived classes deliver are batches of instructions.
class cursor {
 public:
  // As messages call it: the path, or "<stdin>".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }

  // The columns of which the format knows something; whether it does of `c`.
  [[nodiscard]] feed::column_set has() const noexcept;
  [[nodiscard]] bool has(feed::column c) const noexcept { return has().has(c); }

  // Moves `n` instructions on, or to the end; returns how many.
  std::uint64_t skip(std::uint64_t n);
  // No more than `n` instructions from here.
  void limit(std::uint64_t n) noexcept;
  // Of the instructions from the trace's begin, or from where an earlier part begins, to the end: part
  // `index` of `of` equal ones (feed::shard). What was read or skipped before counts as not read. Throws
  // trace_error: refused if `index` is not below `of`, or it cannot be counted (a pipe).
  void shard(std::uint64_t index, std::uint64_t of);
  // Back to the first instruction, or to the first of the shard; a limit from there is kept. Throws
  // trace_error where the input cannot (a pipe).
  void rewind();
  // How many instructions there are in all, or in the shard, within the limit. May read the whole file.
  // Throws trace_error as feed::stream's count(); refused if they have no end.
  std::uint64_t count();
  // 0 to 1: how much was read of the trace, or of the part up to the limit, as far as that is known.
  [[nodiscard]] std::optional<double> progress() const;
  // The number of the next instruction, from 0: among those that open_options choose, if they do.
  [[nodiscard]] std::uint64_t position() const noexcept;

 protected:
  cursor(std::string name, const tracecodec::format::facts& format,
         std::unique_ptr<feed::batch_source> from);
  cursor(cursor&&) noexcept;
  cursor& operator=(cursor&&) noexcept;
  ~cursor();

  // What it was made with.
  [[nodiscard]] feed::batch_source& batches() noexcept { return *source_; }
  [[nodiscard]] const feed::batch_source& batches() const noexcept { return *source_; }
  // Of `most` instructions those that are within the part; 0 at its end.
  [[nodiscard]] std::size_t within(std::size_t most) const noexcept;

 private:
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  std::string name_;
  const tracecodec::format::facts* format_;
  std::unique_ptr<feed::batch_source> source_;
  std::uint64_t begin_ = 0, end_ = no_end;  // of what is delivered, by position
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/cursor.ipp"
#endif
