// Reads RapidBin files: in order or from any event, where they lie in a mapped file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../file/reader.hpp"
#include "../file/reader_options.hpp"
#include "../io/open.hpp"
#include "reader/events.hpp"
#include "trace_file.hpp"

namespace tracecodec::rapidbin {

using file::reader_options;

// What file::reader delivers and throws, as a source of events. The counts of threads, locks and
// variables are for check() to judge.
class reader final : public event_source {
 public:
  explicit reader(io::input in, reader_options options = {});
  // "-" is standard input.
  explicit reader(const std::string& path, reader_options options = {});
  inline ~reader() override;

  // What the header says.
  [[nodiscard]] const header& declared() const;
  // All events of a mapped file; empty for streams.
  [[nodiscard]] event_array mapped_events() const;

  inline event_batch next() override;
  inline std::uint64_t skip(std::uint64_t n) override;
  // Goes to event `n`, which next() then delivers; false if there are no more than `n`. As skip(),
  // from the start if it must go back. Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t n);
  inline void rewind() override;
  inline std::uint64_t count() override;
  // Index of the event that next() begins with.
  [[nodiscard]] std::uint64_t position() const;
  [[nodiscard]] inline std::optional<double> progress() const override;
  [[nodiscard]] inline const std::string& name() const override;
  // At the end: how many bytes there are behind the last whole event.
  [[nodiscard]] std::size_t trailing_bytes();
  // At the end: what is not as the header says, as the error that a strict reader throws; nullopt
  // if all is.
  [[nodiscard]] inline std::optional<trace_error> complaint() override;

 private:
  class state;
  std::unique_ptr<state> state_;
};

class reader::state : public file::reader<trace_file> {
 public:
  using file::reader<trace_file>::reader;
};

inline reader::reader(io::input in, reader_options options)
    : state_(std::make_unique<state>(std::move(in), options)) {}
inline reader::reader(const std::string& path, reader_options options)
    : reader(io::open_input(path), options) {}
inline reader::~reader() = default;

inline const header& reader::declared() const { return state_->header(); }
inline event_array reader::mapped_events() const { return state_->mapped_records(); }

inline event_batch reader::next() {
  const auto b = state_->next();
  return {b.records, b.first, nullptr, b.last};
}
inline std::uint64_t reader::skip(std::uint64_t n) { return state_->skip(n); }
inline bool reader::seek(std::uint64_t n) { return state_->seek(n); }
inline void reader::rewind() { state_->rewind(); }
inline std::uint64_t reader::count() { return state_->count(); }
inline std::uint64_t reader::position() const { return state_->position(); }
inline std::optional<double> reader::progress() const { return state_->progress(); }
inline const std::string& reader::name() const { return state_->name(); }
inline std::size_t reader::trailing_bytes() { return state_->trailing_bytes(); }
inline std::optional<trace_error> reader::complaint() { return state_->complaint(); }

}  // namespace tracecodec::rapidbin
