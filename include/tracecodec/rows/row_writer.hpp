// Writes rows to a sink, one behind the other: json_lines.hpp and csv.hpp are the two forms.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "buffer.hpp"

namespace tracecodec::rows {

// `Row` is a plain struct, or record_fields<Codec>: its columns are those of each_column(). The
// writer allocates nothing for a row. The output exists under its name only after finish(); a
// writer destroyed before leaves nothing.
template <class Row, class Form> class row_writer {
 public:
  explicit row_writer(std::unique_ptr<io::sink> out, Form form = {})
      : out_(std::move(out)), form_(form) {
    form_.template begin<Row>(text_);
  }
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output: (unsupported) also for .bz2 and .lz4, which are read
  // only.
  explicit row_writer(const std::string& path, Form form = {})
      : row_writer(io::open_output(path, io::codec_of_suffix(path)), form) {}

  // Throws trace_error(system) if the output cannot be written; and what a value throws that reads
  // more of a trace while it is written: nothing of the row is then in the output.
  // After an error of the output itself it is given up: each call that would write fails.
  void write(const Row& row) {
    const std::size_t before = text_.size();
    try {
      form_.add(text_, row);
    } catch (...) {
      text_.truncate(before);
      throw;
    }
    ++written_;
    if (text_.size() >= enough) flush();
  }

  // Completes the output; nothing may be written after it.
  void finish() {
    flush();
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  static constexpr std::size_t enough = std::size_t{64} << 10;
  void flush() {
    if (out_ == nullptr)
      throw trace_error(trace_errc::refused, {}, "nothing is written after an error of the output");
    try {
      out_->write(std::as_bytes(std::span(text_.text())));
    } catch (...) {
      out_.reset();
      text_.truncate(0);
      throw;
    }
    text_.truncate(0);
  }
  std::unique_ptr<io::sink> out_;
  Form form_;
  buffer text_ = {};
  std::uint64_t written_ = 0;
};

}  // namespace tracecodec::rows
