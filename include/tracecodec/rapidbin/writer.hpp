// Writes RapidBin files: events one after another, then the header with what was counted.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "../io/spool.hpp"
#include "counter.hpp"
#include "layout.hpp"

namespace tracecodec::rapidbin {

// The trace exists under its name only after finish(); a writer destroyed before leaves nothing.
// Nothing is masked: an id that does not fit its field is refused.
class writer {
 public:
  // `name` is what errors call the output. One that cannot be patched is kept back in a temporary
  // file until its header is known.
  writer(std::unique_ptr<io::sink> out, std::string name)
      : out_(io::patchable(std::move(out))), name_(std::move(name)) {
    buffer_.reserve(buffer_size);
    buffer_.resize(header_codec::size);
  }
  // Compressed as the path's suffix says: .xz, .gz, .zst, else not. "-" is standard output.
  // Throws trace_error as io::open_output.
  explicit writer(const std::string& path)
      : writer(io::open_output(path, io::codec_of_suffix(path)), path) {}

  // Throws trace_error: system if the output cannot be written; refused, with record and field, for
  // a location above 32,767, a decor above 34 bits, a thread above 1,023, also as the one that is
  // forked or joined, or an operation above 15.
  void write(const event& e) {
    const std::size_t at = buffer_.size();
    buffer_.resize(at + event_codec::size);
    const auto done = event_codec::encode(e, std::span(buffer_).subspan(at));
    if (!done) [[unlikely]] {
      buffer_.resize(at);
      refuse(e, std::string(done.field));
    }
    if (operand_of(e.operation) == operand::thread && e.decor > largest_thread) [[unlikely]] {
      buffer_.resize(at);
      refuse(e, "decor");
    }
    counted_.add(e);
    if (buffer_.size() >= buffer_size) flush();
  }
  void write(const event_array& events) {
    for (const event e : events) write(e);
  }

  // Completes the output, header first of all; nothing may be written after it. Throws
  // trace_error(refused) if there are more locks or variables than a header can count.
  void finish() {
    const auto check = [this](std::uint64_t n, const char* field) {
      if (n > 0x7FFFFFFF)
        throw trace_error(trace_errc::refused, {name_, {}, {}, field},
                          std::to_string(n) + " are more than a header holds");
    };
    check(counted_.locks(), "locks");
    check(counted_.variables(), "variables");
    flush();
    std::array<std::byte, header_codec::size> front{};
    header_codec::encode(counted_.counts(), front);
    out_->patch(0, front);
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return counted_.events(); }
  // What the header will say.
  [[nodiscard]] header counts() const { return counted_.counts(); }

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} << 10;

  [[noreturn]] void refuse(const event& e, const std::string& field) const {
    const std::uint64_t n = written();
    std::string why = "does not fit";
    const auto say = [&](std::string_view wanted, std::uint64_t value, std::uint64_t largest) {
      if (field == wanted)
        why = std::to_string(value) + " does not fit: " + std::to_string(largest) + " at most";
    };
    const bool child = operand_of(e.operation) == operand::thread;
    say("location", e.location, largest_location);
    say("decor", e.decor, child ? largest_thread : largest_decor);
    say("thread", e.thread, largest_thread);
    say("operation", static_cast<std::uint64_t>(e.operation), 15);
    throw trace_error(trace_errc::refused,
                      {name_, header_codec::size + n * event_codec::size, n, field}, why);
  }
  void flush() {
    out_->write(buffer_);
    buffer_.clear();
  }

  std::unique_ptr<io::sink> out_;
  std::string name_;
  std::vector<std::byte> buffer_ = {};
  counter counted_ = {};
};

}  // namespace tracecodec::rapidbin
