// Lines of a text file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../error.hpp"
#include "../window.hpp"

namespace tracecodec::io {

// Reader of the lines of an input. A byte order mark at the beginning is not part of a line. Memory
// use does not depend on the size of the input.
class lines {
 public:
  // Maximum size of a line in bytes.
  static constexpr std::size_t longest = std::size_t{64} << 10;

  explicit lines(input in) : window_(std::move(in)) { window_.pass_byte_order_mark(); }

  // Returns the next line without LF or CRLF, or nullopt at the end of the input. The view is valid
  // until the next call. Throws trace_error(bad_value) for a line that is too long, and the errors of
  // the input.
  std::optional<std::string_view> next() {
    const auto in = window_.look(longest + 1);
    const std::size_t most = std::min(in.size(), longest + 1);
    const void* const end = most == 0 ? nullptr : std::memchr(in.data(), '\n', most);
    if (end == nullptr && most <= longest) window_.check_end();
    if (most == 0) return std::nullopt;
    offset_ = window_.offset();
    ++number_;
    whole_ = end != nullptr;
    if (!whole_ && most > longest)
      throw error(trace_errc::bad_value, {}, "the line is longer than 64 KiB");
    const std::size_t size =
        whole_ ? static_cast<std::size_t>(static_cast<const std::byte*>(end) - in.data()) : most;
    std::string_view line(reinterpret_cast<const char*>(in.data()), size);
    window_.consume(size + (whole_ ? 1 : 0));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  // Returns true if a line feed ends the last line that next() returned.
  [[nodiscard]] bool is_whole() const noexcept { return whole_; }
  // Returns the number of the last line that next() returned, counted from 1, and its offset.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  // Returns the offset of the next line.
  [[nodiscard]] std::uint64_t next_offset() const { return window_.offset(); }

  // Moves to the line at `offset`, which has number `number`. Throws trace_error(refused) if a pipe
  // would have to move back.
  void seek(std::uint64_t offset, std::uint64_t number) {
    window_.seek(offset);
    number_ = number - 1;
  }

  // Returns an error about the last line that next() returned.
  [[gnu::cold]] [[nodiscard]] trace_error error(trace_errc code, std::string field,
                                                const std::string& message) const {
    return trace_error(code, {window_.from().name(), offset_, {}, std::move(field)},
                       message + " (line " + std::to_string(number_) + ')' + offset_note());
  }
  // Returns a note for messages if offsets count decompressed bytes, otherwise an empty string.
  [[nodiscard]] std::string offset_note() const { return window_.from().offset_note(); }
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

 private:
  window window_;
  std::uint64_t offset_ = 0, number_ = 0;
  bool whole_ = true;
};

}  // namespace tracecodec::io
