// Writes records to a sink.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// Streams the records of `Codec` (instruction_codec, cloudsuite_codec, codec_of<your record>). The
// trace exists under its name only after finish(); a writer destroyed before leaves nothing.
template <class Codec> class writer {
 public:
  using record = typename Codec::value_type;

  // `name` is what errors call the output.
  writer(std::unique_ptr<io::sink> out, std::string name)
      : out_(std::move(out)), name_(std::move(name)) {
    buffer_.reserve(buffer_size);
  }
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  explicit writer(const std::string& path)
      : writer(io::open_output(path, io::codec_of_suffix(path)), path) {}

  // Throws trace_error: system if the output cannot be written; refused, with record and field, if
  // a value does not fit its field.
  void write(const record& r) {
    const std::size_t at = buffer_.size();
    buffer_.resize(at + Codec::size);
    const auto done = Codec::encode(r, std::span(buffer_).subspan(at));
    if (!done) [[unlikely]] {
      buffer_.resize(at);
      throw trace_error(
          trace_errc::refused,
          {name_, written_ * Codec::size + done.used, written_, std::string(done.field)},
          std::string(wire::message(done.error)));
    }
    ++written_;
    if (buffer_.size() >= buffer_size) flush();
  }
  void write(std::span<const record> records) {
    for (const record& r : records) write(r);
  }

  // Completes the output; nothing may be written after it.
  void finish() {
    flush();
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  static constexpr std::size_t buffer_size = 1024 * Codec::size;
  void flush() {
    out_->write(buffer_);
    buffer_.clear();
  }
  std::unique_ptr<io::sink> out_;
  std::string name_;
  std::vector<std::byte> buffer_ = {};
  std::uint64_t written_ = 0;
};

}  // namespace tracecodec::champsim
