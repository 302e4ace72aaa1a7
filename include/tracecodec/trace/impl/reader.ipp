// The functions of trace/reader.hpp. The one place where the columns of every format are made.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include "../../feed/adaptors.hpp"
#include "../open.hpp"
#include "../reader.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(source from,
                                                                  const visit_options& how) {
  return visit(std::move(from), how,
               [](auto feed) { return feed::make_column_source(std::move(feed)); });
}
TRACECODEC_FUNC std::unique_ptr<feed::column_source> open_columns(const std::string& path,
                                                                  const visit_options& how) {
  return open_columns(source(path, how), how);
}

TRACECODEC_FUNC reader::reader(const std::string& path, const visit_options& how)
    : reader(source(path, how), how) {}
TRACECODEC_FUNC reader::reader(source from, const visit_options& how)
    : name_(from.name()), format_(from.format()), columns_(open_columns(std::move(from), how)) {}

TRACECODEC_FUNC bool reader::next(feed::columns& to, std::size_t most) {
  const std::uint64_t at = columns_->position();
  if (at >= end_) {
    to.clear();
    return false;
  }
  return columns_->next(to, static_cast<std::size_t>(std::min<std::uint64_t>(most, end_ - at)));
}

TRACECODEC_FUNC std::uint64_t reader::skip(std::uint64_t n) {
  const std::uint64_t at = columns_->position();
  return at < end_ ? columns_->skip(std::min(n, end_ - at)) : 0;
}

TRACECODEC_FUNC void reader::limit(std::uint64_t n) noexcept {
  const std::uint64_t at = columns_->position();
  if (n < end_ - std::min(at, end_)) end_ = at + n;
}

TRACECODEC_FUNC void reader::shard(std::uint64_t index, std::uint64_t of) {
  if (index >= of)
    throw trace_error(trace_errc::refused, {.file = name_},
                      "shard " + std::to_string(index) + "/" + std::to_string(of) +
                          ": the first number must be below the second");
  const auto [from, to] = feed::shard(index, of).range(count());
  const std::uint64_t begin = begin_ + from;
  if (columns_->position() > begin) columns_->rewind();
  columns_->skip(begin - columns_->position());
  begin_ = begin;
  end_ = begin + (to - from);
}

TRACECODEC_FUNC void reader::rewind() {
  columns_->rewind();
  columns_->skip(begin_);
}

TRACECODEC_FUNC std::optional<double> reader::progress() const {
  const auto whole = columns_->progress();
  if (end_ == no_end || end_ <= begin_) return whole;
  const std::uint64_t at = std::clamp(columns_->position(), begin_, end_);
  return std::max(whole.value_or(0), static_cast<double>(at - begin_) /
                                         static_cast<double>(end_ - begin_));
}

TRACECODEC_FUNC std::uint64_t reader::count() {
  const auto all = columns_->count();
  if (!all && end_ == no_end)
    throw trace_error(trace_errc::refused, {.file = name_}, "it has no end, and cannot be counted");
  const std::uint64_t end = std::min(all.value_or(end_), end_);
  return end - std::min(begin_, end);
}

}  // namespace tracecodec::trace
