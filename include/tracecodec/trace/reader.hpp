// A trace of any format as columns of instructions: one class without template parameters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// The columns of a trace alone, for what takes its source. Throws as trace::source and trace::visit.
std::unique_ptr<feed::column_source> open_columns(source from, const visit_options& how = {});
std::unique_ptr<feed::column_source> open_columns(const std::string& path,
                                                  const visit_options& how = {});

//   trace::reader from("x.champsimtrace.xz");
//   from.want({feed::column::ip, feed::column::taken});
//   for (feed::columns batch; from.next(batch);)
//     for (std::size_t row = 0; row != batch.size(); ++row) ... batch.ip()[row] ...
class reader {
 public:
  // `path` as trace::source takes it. Throws trace_error as trace::source and trace::visit.
  explicit reader(const std::string& path, const visit_options& how = {});
  explicit reader(source from, const visit_options& how = {});
  // The trace `name` by columns that were made of its feed elsewhere.
  reader(std::string name, trace::format format, std::unique_ptr<feed::column_source> columns)
      : name_(std::move(name)), format_(format), columns_(std::move(columns)) {}

  // As messages call it: the path, or "<stdin>".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] trace::format format() const noexcept { return format_; }
  // What it reads by, for what is asked of the trace as a whole: names of registers and operations.
  [[nodiscard]] feed::column_source& columns() noexcept { return *columns_; }
  [[nodiscard]] const feed::column_source& columns() const noexcept { return *columns_; }

  // The columns of which the format knows something; whether it does of `c`.
  [[nodiscard]] feed::column_set has() const noexcept { return columns_->has(); }
  [[nodiscard]] bool has(feed::column c) const noexcept { return has().has(c); }
  // The columns that batches have from the next one on; as feed::column_source::want().
  void want(feed::column_set wanted, feed::column_set lenient = {}) {
    columns_->want(wanted, lenient);
  }

  // Fills `to` with the next instructions, `most` of them (at least 1) or fewer; false at the end. What is whole is
  // delivered before trace_error is thrown; as feed::column_source::next().
  bool next(feed::columns& to, std::size_t most = feed::columns::most_rows);

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
  // The number of the next instruction, from 0: among those that visit_options choose, if they do.
  [[nodiscard]] std::uint64_t position() const noexcept { return columns_->position(); }

 private:
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  std::string name_;
  trace::format format_;
  std::unique_ptr<feed::column_source> columns_;
  std::uint64_t begin_ = 0, end_ = no_end;  // of what is delivered, by position
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/reader.ipp"
#endif
