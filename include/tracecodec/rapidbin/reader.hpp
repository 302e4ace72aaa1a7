// Reads RapidBin files: in order or from any event, where they lie in a mapped file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "../config.hpp"
#include "../file/reader_options.hpp"
#include "../io/open.hpp"
#include "reader/events.hpp"

namespace tracecodec::rapidbin {

using file::reader_options;

// What file::reader delivers and throws, as a source of events. The counts of threads, locks and
// variables are for check() to judge.
class reader final : public event_source {
 public:
  explicit reader(io::input in, reader_options options = {});
  // "-" is standard input.
  explicit reader(const std::string& path, reader_options options = {});
  TRACECODEC_FUNC ~reader() override;

  // What the header says.
  [[nodiscard]] const header& declared() const;
  // All events of a mapped file; empty for streams.
  [[nodiscard]] event_array mapped_events() const;

  TRACECODEC_FUNC event_batch next() override;
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  // Goes to event `n`, which next() then delivers; false if there are no more than `n`. As skip(),
  // from the start if it must go back. Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t n);
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  // Index of the event that next() begins with.
  [[nodiscard]] std::uint64_t position() const;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC const std::string& name() const override;
  // At the end: how many bytes there are behind the last whole event.
  [[nodiscard]] std::size_t trailing_bytes();
  // At the end: what is not as the header says, as the error that a strict reader throws; nullopt
  // if all is.
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> complaint() override;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
