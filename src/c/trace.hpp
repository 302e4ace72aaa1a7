// Declarations that the functions of tracecodec.h share.
#pragma once
#include <tracecodec.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tracecodec/feed/columns.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_questions.hpp>
#include <tracecodec/trace/cursor.hpp>
#include <tracecodec/trace/instruction_source.hpp>

namespace tracecodec::c {

// Trace whose instructions can be read both as records and as columns, even alternately.
class instructions : public trace::cursor {
 public:
  instructions(trace::source from, const tracecodec::format::open_options& how)
      : cursor{from.name(), from.format(), trace::open_instructions(std::move(from), how)} {}

  [[nodiscard]] trace::instruction_source& all() noexcept {
    return static_cast<trace::instruction_source&>(batches());
  }
  // Selects the columns of the next batches.
  void want(feed::column_set wanted) { all().want(wanted); }
  bool next(feed::columns& to, std::size_t most) {
    const std::size_t here = within(most);
    if (here != 0) return all().next(to, here);
    to.clear();
    return false;
  }
  trace::record_batch next_records(std::size_t most) {
    const std::size_t here = within(most);
    return here != 0 ? all().next_records(here) : trace::record_batch();
  }
};

constexpr tracecodec_text text_of(std::string_view s) noexcept { return {s.data(), s.size()}; }

// Storage for an error in the form of a tracecodec_error.
class failure {
 public:
  // Stores the exception that is being handled. Never throws. If memory is exhausted, the code of
  // the error becomes TRACECODEC_NO_MEMORY.
  void take() noexcept;
  void clear() noexcept { shown_.code = TRACECODEC_OK; }
  [[nodiscard]] tracecodec_status code() const noexcept { return shown_.code; }
  [[nodiscard]] const tracecodec_error& shown() const noexcept { return shown_; }

 private:
  void take(tracecodec_status code, const char* what) noexcept;
  void take(const trace_error& e);

  std::string file_ = {}, field_ = {}, message_ = {}, line_ = {};
  tracecodec_error shown_ = {TRACECODEC_OK, 0, 0, 0, 0, {"", 0}, {"", 0}, {"", 0}, {"", 0}};
};

// Returns the elements of column `c` in the batch `from`. If a column has several parts, `part`
// selects the part.
tracecodec_array array_of(const feed::columns& from, feed::column c, std::size_t part) noexcept;
// Returns the offsets of the lists in column `c`. Returns an empty span if the column does not
// contain lists.
std::span<const std::int32_t> offsets_of(const feed::columns& from, feed::column c) noexcept;

// Converts a set of columns to the bits that tracecodec.h uses.
std::uint64_t bits_of(feed::column_set s) noexcept;
// Converts the bits that tracecodec.h uses to a set of columns. Throws trace_error(refused) for a
// bit that does not represent a column.
feed::column_set set_of(std::uint64_t bits);

}  // namespace tracecodec::c

struct tracecodec_trace {
  bool streamed = false;                   // true once a stream owns the trace and closes it
  std::shared_ptr<const void> keeps = {};  // owner of the data that the trace uses
  std::string name = {};
  std::optional<tracecodec::c::instructions> from = {};  // empty if the trace could not be opened
  tracecodec::feed::columns batch = {};
  std::uint64_t dropped_operands = 0;
  std::string operation = {};
  bool can_have_index = false;  // true for a file or folder of which all instructions are read
  std::unique_ptr<tracecodec::query::trace_index> index = {};         // null if there is none
  std::optional<tracecodec::query::memory_questions> questions = {};  // they use `from` and `index`
  tracecodec::c::failure error = {};
};

namespace tracecodec::c {

[[noreturn]] inline void refuse(const std::string& why) {
  throw trace_error(trace_errc::refused, {}, why);
}

// If the trace is open, calls f with the trace and its instructions. It is an error if a stream
// owns the trace. If f throws, stores the exception as the error of the trace. Returns the code of
// the error, or TRACECODEC_OK.
template <class F> tracecodec_status guarded(tracecodec_trace* t, F f) noexcept {
  if (t == nullptr) return TRACECODEC_REFUSED;
  if (!t->from) return t->error.code();
  t->error.clear();
  try {
    if (t->streamed) refuse("a stream owns the trace now");
    f(*t, *t->from);
  } catch (...) {
    t->error.take();
  }
  return t->error.code();
}
template <class F> tracecodec_status guarded(const tracecodec_trace* t, F f) noexcept = delete;

}  // namespace tracecodec::c
