// Reads STD text as events.
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

// What a text has that events do not show.
enum class std_remark : std::uint8_t {
  two_spellings,  // a number with its letter and without: T1 and 1 are the same thread
  left_out,       // lines of operations that RapidBin lacks
  more_columns    // lines with columns after the location, which are not read
};

struct std_options {
  // Numbers all threads, locks, variables and locations by first appearance, whatever their names.
  bool renumber = false;
  // Refuses numbers that no event of a RapidBin file holds, where they are to be written to one.
  bool fitting = false;
  // Refuses lines of wait, notify, notifyAll and dummy, and columns after the location, instead of
  // leaving them out.
  bool strict = false;
  // Called once for each remark: of spellings where the second occurs, of lines at the end of the
  // text, with their number.
  std::function<void(std_remark, const std::string&)> remark = {};
};

// All dialects (split_std), lines that end in LF or CR LF; empty lines and comments are left out.
// Numbers that no word of a RapidBin file holds are read as they are. An id that the text calls by a
// name, name_of() has. Delivers every event before a line that is none, then throws
// trace_error(bad_value) with the line's offset, the event's index and the field, or refused for what
// the options refuse; the next call continues after that line.
// Memory: linear in the different names and numbers.
class std_reader final : public event_source {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 10;  // bytes

  explicit std_reader(io::input in, std_options options = {});
  explicit std_reader(const std::string& path, std_options options = {});
  TRACECODEC_FUNC ~std_reader() override;

  TRACECODEC_FUNC event_batch next() override;
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  // Index of the event that next() begins with.
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
