// Reads RapidBin files sequentially or from any event. Events of a mapped file are not copied.
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

// Event source that reads a RapidBin file with file::reader, and throws the errors of file::reader.
// Only check(), and not the reader, verifies the header's counts of threads, locks and variables.
class reader final : public event_source {
 public:
  explicit reader(io::input in, reader_options options = {});
  // Opens the file `path`. The path "-" stands for standard input.
  explicit reader(const std::string& path, reader_options options = {});
  inline ~reader() override;

  // Returns the header. The counts in the header are not verified.
  [[nodiscard]] const header& declared() const;
  // Returns all events of a mapped file, or an empty array for a stream.
  [[nodiscard]] event_array mapped_events() const;

  inline event_batch next() override;
  inline std::uint64_t skip(std::uint64_t n) override;
  // Moves to event `n`, so that the next batch begins with it. Returns false if the trace has no
  // event `n`. Works like skip(), but first rewinds if `n` is before the current position. Throws
  // trace_error(refused) if the input is a pipe and `n` is before the current position.
  bool seek(std::uint64_t n);
  inline void rewind() override;
  inline std::uint64_t count() override;
  // Returns the index of the next event.
  [[nodiscard]] std::uint64_t position() const;
  [[nodiscard]] inline std::optional<double> progress() const override;
  [[nodiscard]] inline const std::string& name() const override;
  // Returns the number of bytes after the last whole event. May only be called at the end of the
  // trace.
  [[nodiscard]] std::size_t trailing_bytes();
  // Returns the error that a strict reader would throw at the end because the file contradicts its
  // header. Returns nullopt if the file matches its header. May only be called at the end of the
  // trace.
  [[nodiscard]] inline std::optional<trace_error> first_error() override;

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
inline std::optional<trace_error> reader::first_error() { return state_->first_error(); }

}  // namespace tracecodec::rapidbin
