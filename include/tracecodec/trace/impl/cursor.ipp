// Implementation of trace/cursor.hpp.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "../../feed/adaptors.hpp"
#include "../../feed/batch_source.hpp"
#include "../cursor.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC cursor::cursor(std::string name, const tracecodec::format::facts& format,
                               std::unique_ptr<feed::batch_source> from)
    : name_(std::move(name)), format_(&format), source_(std::move(from)) {}
TRACECODEC_FUNC cursor::cursor(cursor&&) noexcept = default;
TRACECODEC_FUNC cursor& cursor::operator=(cursor&&) noexcept = default;
TRACECODEC_FUNC cursor::~cursor() = default;

TRACECODEC_FUNC feed::column_set cursor::has() const noexcept { return source_->has(); }
TRACECODEC_FUNC std::uint64_t cursor::position() const noexcept { return source_->position(); }

TRACECODEC_FUNC std::size_t cursor::within(std::size_t most) const noexcept {
  const std::uint64_t at = source_->position();
  return at < end_ ? static_cast<std::size_t>(std::min<std::uint64_t>(most, end_ - at)) : 0;
}

TRACECODEC_FUNC std::uint64_t cursor::skip(std::uint64_t n) {
  const std::uint64_t at = source_->position();
  return at < end_ ? source_->skip(std::min(n, end_ - at)) : 0;
}

TRACECODEC_FUNC void cursor::limit(std::uint64_t n) noexcept {
  const std::uint64_t at = source_->position();
  if (n < end_ - std::min(at, end_)) end_ = at + n;
}

TRACECODEC_FUNC void cursor::shard(std::uint64_t index, std::uint64_t of) {
  if (index >= of)
    throw trace_error(trace_errc::refused, {.file = name_},
                      "shard " + std::to_string(index) + "/" + std::to_string(of) +
                          ": the first number must be less than the second");
  const auto [from, to] = feed::shard(index, of).range(count());
  const std::uint64_t begin = begin_ + from;
  if (source_->position() > begin) source_->rewind();
  source_->skip(begin - source_->position());
  begin_ = begin;
  // The last part has no end, because count() excludes instructions after damage. Without an end,
  // reading the last part reports damage at the end of the trace.
  if (index + 1 != of || end_ != no_end) end_ = begin + (to - from);
}

TRACECODEC_FUNC void cursor::rewind() {
  source_->rewind();
  source_->skip(begin_);
}

TRACECODEC_FUNC std::optional<double> cursor::progress() const {
  const auto whole = source_->progress();
  if (end_ == no_end || end_ <= begin_) return whole;
  const std::uint64_t at = std::clamp(source_->position(), begin_, end_);
  return std::max(whole.value_or(0),
                  static_cast<double>(at - begin_) / static_cast<double>(end_ - begin_));
}

TRACECODEC_FUNC std::uint64_t cursor::count() {
  const auto all = source_->count();
  if (!all && end_ == no_end)
    throw trace_error(trace_errc::refused, {.file = name_}, "it is endless and cannot be counted");
  const std::uint64_t end = std::min(all.value_or(end_), end_);
  return end - std::min(begin_, end);
}

}  // namespace tracecodec::trace
