// Reads a trace of any format as columns of instructions. The class has no template parameters.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "cursor.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Opens only the columns of a trace, for code that uses a column_source. Throws like trace::source
// and trace::visit.
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(
    source from, const tracecodec::format::open_options& how = {});
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(
    const std::string& path, const tracecodec::format::open_options& how = {});

// Reader of a trace in batches of columns:
//
//   trace::reader from("x.champsimtrace.xz");
//   from.want({feed::column::ip, feed::column::taken});
//   for (feed::columns batch; from.next(batch);)
//     for (std::size_t row = 0; row != batch.size(); ++row) ... batch.ip()[row] ...
class reader : public cursor {
 public:
  // Opens `path` like trace::source. Throws like trace::source and trace::visit.
  explicit reader(const std::string& path, const tracecodec::format::open_options& how = {});
  explicit reader(source from, const tracecodec::format::open_options& how = {});
  // Reads the trace `name` through `columns`, which the caller created from the trace's feed.
  reader(std::string name, const tracecodec::format::facts& format,
         std::unique_ptr<feed::column_source> columns)
      : cursor(std::move(name), format, std::move(columns)) {}

  // Returns the underlying source, for properties of the whole trace, such as the names of
  // registers and operations.
  [[nodiscard]] feed::column_source& columns() noexcept {
    return static_cast<feed::column_source&>(batches());
  }
  [[nodiscard]] const feed::column_source& columns() const noexcept {
    return static_cast<const feed::column_source&>(batches());
  }

  // Selects the columns of the next batch and of all later batches, like
  // feed::column_source::want().
  void want(feed::column_set wanted, feed::column_set lenient = {}) {
    columns().want(wanted, lenient);
  }

  // Fills `to` with up to `most` instructions. `most` must be at least 1. Returns false at the end.
  // Like feed::column_source::next(), returns all instructions before an error before it throws
  // trace_error.
  bool next(feed::columns& to, std::size_t most = feed::columns::most_rows);
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/reader.ipp"
#endif
