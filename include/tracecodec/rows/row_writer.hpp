// Writes rows to a sink, in the form of json_lines.hpp or csv.hpp.
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

// Writer of rows. `Row` is a plain struct or record_fields<Codec>. For the columns of a row, see
// each_column(). The writer does not allocate memory for each row. The output exists under its name
// only after finish(). If the writer is destroyed earlier, no file remains.
template <class Row, class Form> class row_writer {
 public:
  explicit row_writer(std::unique_ptr<io::sink> out, Form form = {})
      : out_(std::move(out)), form_(form) {
    form_.template begin<Row>(text_);
  }
  // Creates the file `path`. The suffix determines the compression (.xz, .gz, .zst). Any other
  // suffix means no compression. "-" is standard output. Throws the same trace_error as
  // io::open_output(). The error is `unsupported` for .bz2, .lz4, .sz and .zip, which are read-only.
  explicit row_writer(const std::string& path, Form form = {})
      : row_writer(io::open_output(path, io::codec_of_suffix(path)), form) {}

  // Writes a row. Throws trace_error(system) if the output cannot be written. Also propagates
  // exceptions from values that read more of the trace while they are written. In that case the
  // output contains no part of the row. After an output error, every further call that would write
  // to the output throws.
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

  // Completes the output. Nothing may be written afterwards.
  void finish() {
    flush();
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  static constexpr std::size_t enough = std::size_t{64} << 10;
  void flush() {
    if (out_ == nullptr)
      throw trace_error(trace_errc::refused, {}, "cannot write after an output error");
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
