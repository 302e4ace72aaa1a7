// Writes events as STD text.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "reader/std_text.hpp"

namespace tracecodec::rapidbin {

// The text exists under its name only after finish(); a writer destroyed before leaves nothing.
class std_writer {
 public:
  // `name` is what errors call the output.
  std_writer(std::unique_ptr<io::sink> out, std::string name, dialect d = dialect::wasmgrind)
      : out_(std::move(out)), name_(std::move(name)), dialect_(d) {}
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  explicit std_writer(const std::string& path, dialect d = dialect::wasmgrind)
      : std_writer(io::open_output(path, io::codec_of_suffix(path)), path, d) {}

  // Leaves out what the dialect does not have. Throws trace_error: system if the output cannot be
  // written; refused, with record and field, for what no line holds: a sign bit, an undefined
  // operation, a decor where the operation has no operand.
  void write(const event& e) {
    if (const auto field = not_in_std(e); !field.empty()) [[unlikely]]
      throw trace_error(trace_errc::refused, {name_, {}, written_ + left_out_, std::string(field)},
                        "STD text has no place for it");
    if (!has(dialect_, e.operation)) {
      ++left_out_;
      return;
    }
    append_std(text_, e);
    text_ += '\n';
    ++written_;
    if (text_.size() >= buffer_size) flush();
  }
  void write(const event_array& events) {
    for (const event e : events) write(e);
  }

  // Completes the output; nothing may be written after it.
  void finish() {
    flush();
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return written_; }
  // Requests and branches that the dialect does not have.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} << 10;
  void flush() {
    out_->write(std::as_bytes(std::span(text_)));
    text_.clear();
  }
  std::unique_ptr<io::sink> out_;
  std::string name_;
  dialect dialect_;
  std::string text_ = {};
  std::uint64_t written_ = 0, left_out_ = 0;
};

}  // namespace tracecodec::rapidbin
