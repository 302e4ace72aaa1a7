// A trace of any format as columns of instructions: one class without template parameters.
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

// The columns of a trace alone, for what takes its source. Throws as trace::source and trace::visit.
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(
    source from, const tracecodec::format::open_options& how = {});
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(
    const std::string& path, const tracecodec::format::open_options& how = {});

//   trace::reader from("x.champsimtrace.xz");
//   from.want({feed::column::ip, feed::column::taken});
//   for (feed::columns batch; from.next(batch);)
//     for (std::size_t row = 0; row != batch.size(); ++row) ... batch.ip()[row] ...
class reader : public cursor {
 public:
  // `path` as trace::source takes it. Throws trace_error as trace::source and trace::visit.
  explicit reader(const std::string& path, const tracecodec::format::open_options& how = {});
  explicit reader(source from, const tracecodec::format::open_options& how = {});
  // The trace `name` by columns that were made of its feed elsewhere.
  reader(std::string name, const tracecodec::format::facts& format,
         std::unique_ptr<feed::column_source> columns)
      : cursor(std::move(name), format, std::move(columns)) {}

  // What it reads by, for what is asked of the trace as a whole: names of registers and operations.
  [[nodiscard]] feed::column_source& columns() noexcept {
    return static_cast<feed::column_source&>(batches());
  }
  [[nodiscard]] const feed::column_source& columns() const noexcept {
    return static_cast<const feed::column_source&>(batches());
  }

  // The columns that batches have from the next one on; as feed::column_source::want().
  void want(feed::column_set wanted, feed::column_set lenient = {}) {
    columns().want(wanted, lenient);
  }

  // Fills `to` with the next instructions, `most` of them (at least 1) or fewer; false at the end. What is whole is
  // delivered before trace_error is thrown; as feed::column_source::next().
  bool next(feed::columns& to, std::size_t most = feed::columns::most_rows);
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/reader.ipp"
#endif
