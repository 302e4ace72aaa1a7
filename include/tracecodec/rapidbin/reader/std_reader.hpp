// Reads events from STD text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "../../io/open.hpp"
#include "events.hpp"

namespace tracecodec::rapidbin {

// Property of STD text that the events do not preserve.
enum class std_remark : std::uint8_t {
  // The text contains numbers both with and without a letter. For example, T1 and 1 are the same
  // thread.
  two_spellings,
  left_out,     // the text contains operations that RapidBin lacks
  more_columns  // the text has columns after the location, which are ignored
};

struct std_options {
  // True to number all threads, locks, variables and locations by first appearance, regardless of
  // their names.
  bool renumber = false;
  // True to treat numbers that do not fit in a RapidBin file as errors. Set this option if the
  // events will be written to a RapidBin file.
  bool fitting = false;
  // True to treat the operations wait, notify, notifyAll and dummy, and columns after the location,
  // as errors. If false, these operations and columns are ignored.
  bool strict = false;
  // Callback for remarks. two_spellings is reported once per kind of id, when the second spelling
  // occurs. left_out and more_columns are reported once, at the end of the text, with the number of
  // affected lines.
  std::function<void(std_remark, const std::string&)> remark = {};
};

// Event source for STD text in all dialects (split_std()), with lines that end in LF or CR LF.
// Empty lines and comments are skipped. Numbers that do not fit in a RapidBin event are preserved.
// If an id is written as a name in the text, name_of() returns the name.
//
// If a line is malformed, next() first returns all events before the line, and then throws
// trace_error(bad_value) with the line's offset, the event's index and the field. A line that the
// options forbid causes trace_error(refused). After an error, the next call continues after the
// line. Memory use grows with the number of distinct names and ids.
class std_reader final : public event_source {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 10;  // in bytes

  explicit std_reader(io::input in, std_options options = {});
  explicit std_reader(const std::string& path, std_options options = {});
  TRACECODEC_FUNC ~std_reader() override;

  TRACECODEC_FUNC event_batch next() override;
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  // Returns the index of the next event.
  [[nodiscard]] std::uint64_t position() const;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC const std::string& name() const override;
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t named() const override;
  [[nodiscard]] TRACECODEC_FUNC const std::string* name_of(id_kind kind,
                                                           std::uint64_t id) const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> id_of(
      id_kind kind, std::string_view name) const override;

 private:
  class lines;
  std::unique_ptr<lines> lines_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_reader.ipp"
#endif
