// Output of lines of text through a buffer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "sink.hpp"

namespace tracecodec::io {

// Writer of lines whose file exists under its name only after finish(). Functions throw trace_error
// like sink::write().
class text_output {
 public:
  explicit text_output(std::unique_ptr<sink> out) : out_(std::move(out)) {}

  // Text to which the next lines are appended.
  [[nodiscard]] std::string& text() noexcept { return text_; }
  // Ends the record to which the last lines belong.
  void end_record() {
    ++written_;
    if (text_.size() > most_buffered) flush();
  }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }  // number of records
  void finish() {
    flush();
    out_->finish();
  }

 private:
  static constexpr std::size_t most_buffered = std::size_t{1} << 16;
  void flush() {
    out_->write(std::as_bytes(std::span<const char>(text_)));
    text_.clear();
  }

  std::unique_ptr<sink> out_;
  std::string text_ = {};
  std::uint64_t written_ = 0;
};

}  // namespace tracecodec::io
