// Reads RapidBin files: in order or from any event, where they lie in a mapped file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../file/reader.hpp"
#include "reader/events.hpp"
#include "trace_file.hpp"

namespace tracecodec::rapidbin {

using file::reader_options;

// What file::reader delivers and throws, as a source of events. The counts of threads, locks and
// variables are for check() to judge.
class reader final : public event_source, public file::reader<trace_file> {
  using base = file::reader<trace_file>;

 public:
  using base::base, base::batch_size;

  // What the header says.
  [[nodiscard]] const rapidbin::header& declared() const { return base::header(); }
  // All events of a mapped file; empty for streams.
  [[nodiscard]] event_array mapped_events() const { return base::mapped_records(); }

  event_batch next() override {
    const auto b = base::next();
    return {b.records, b.first, nullptr, b.last};
  }
  std::uint64_t skip(std::uint64_t n) override { return base::skip(n); }
  void rewind() override { base::rewind(); }
  std::uint64_t count() override { return base::count(); }
  [[nodiscard]] std::optional<double> progress() const override { return base::progress(); }
  [[nodiscard]] const std::string& name() const override { return base::name(); }
  // At the end: what is not as the header says, as the error that a strict reader throws; nullopt
  // if all is.
  [[nodiscard]] std::optional<trace_error> complaint() override { return base::complaint(); }
};

}  // namespace tracecodec::rapidbin
