// Reads STD text as events.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../config.hpp"
#include "../../io/open.hpp"
#include "../../io/owned.hpp"
#include "events.hpp"

namespace tracecodec::rapidbin {

struct std_options {
  // Numbers all threads, locks, variables and locations by first appearance, whatever their names:
  // for traces whose numbers do not fit (a location above 32,767), or contradict other names.
  bool renumber = false;
};

// Both dialects, lines that end in LF or CR LF, empty lines left out. Delivers every event before a
// line that is none, then throws trace_error(bad_value) with the line's offset, the event's index
// and the field, or refused for a number that no event holds; the next call goes on behind that
// line.
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

 private:
  class lines;
  io::owned<lines> lines_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/std_reader.ipp"
#endif
