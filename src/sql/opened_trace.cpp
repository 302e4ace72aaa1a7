#include "opened_trace.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/os.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/source.hpp>

#include <utility>

namespace tracecodec::sql {

opened_trace::opened_trace(std::string path, format::open_options how)
    : path_(std::move(path)), how_(std::move(how)) {
  if (path_ == "-")
    throw trace_error(trace_errc::refused, {.file = "<stdin>"},
                      "SQL reads a trace several times: write it to a file first");
  trace::source from(path_, how_);
  format_ = &from.format();
  if (!from.rewindable())
    throw trace_error(trace_errc::refused, {.file = path_},
                      "SQL reads a trace several times: write it to a file first");
  properties_ = trace::open_columns(std::move(from), how_);
  names_ = std::make_unique<query::register_names>(*properties_);
  const std::string index = query::index_name(path_);
  if (!format::changes_reading(how_) && io::os::facts_if_any(index).what != io::os::kind::missing)
    index_ = std::make_unique<query::trace_index>(index, path_);
}

std::unique_ptr<feed::column_source> opened_trace::open(bool registers) const {
  format::open_options how = how_;
  how.registers = how.registers || registers;
  return trace::open_columns(path_, how);
}

}  // namespace tracecodec::sql
