// Exception that readers, writers, feeds and byte sources throw, with the location of the error.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "../config.hpp"

namespace tracecodec {

enum class trace_errc : std::uint8_t {
  system,       // an operation of the operating system failed: open, read, write, rename
  truncated,    // the bytes end inside a record or a compressed stream
  corrupt,      // a compressed stream is inconsistent
  not_a_trace,  // the content is not a trace of the expected format
  bad_value,    // a field contains a value that its format does not allow
  unsupported,  // this build or this program does not support the recognised content
  refused       // the format cannot store the value, or the request is invalid
};

namespace io {
// Suffix of error messages. A higher memory limit would prevent an error with this suffix.
// open_options::limit_memory() and metadata_options::memory set the limit. Programs append the name
// of their option to the message.
inline constexpr std::string_view raise_memory_limit = "; raise the memory limit";
}  // namespace io

// Location of an error. Unknown parts are empty.
struct error_site {
  std::string file;  // name by which the user opened the file; "<stdin>" for standard input
  // Offset in bytes in the decompressed content. If the compressed data are damaged, the offset in
  // the compressed file.
  std::optional<std::uint64_t> offset = {};
  std::optional<std::uint64_t> record = {};  // index of the record, from 0
  std::string field = {};                    // name of the record's field
};

// Exception that the library throws. what() is one line such as "FILE: offset 128, record 2, field
// ip: MESSAGE". Unknown parts are omitted. If a message quotes bytes of a file, each 0 byte becomes
// a question mark, because a 0 byte would end what().
class trace_error : public std::runtime_error {
 public:
  trace_error(trace_errc code, error_site where, const std::string& message);

  [[nodiscard]] trace_errc code() const noexcept { return code_; }
  [[nodiscard]] const std::string& file() const noexcept { return where_.file; }
  [[nodiscard]] std::optional<std::uint64_t> offset() const noexcept { return where_.offset; }
  [[nodiscard]] std::optional<std::uint64_t> record() const noexcept { return where_.record; }
  [[nodiscard]] const std::string& field() const noexcept { return where_.field; }
  // Returns what() without file, offset, record and field.
  [[nodiscard]] std::string message() const;

 private:
  trace_errc code_;
  error_site where_;
  std::size_t message_size_;
};

namespace detail {

// Returns the text of trace_error::what().
[[gnu::cold]] inline std::string error_line(const error_site& where, const std::string& message) {
  std::string text = where.file;
  const char* between = text.empty() ? "" : ": ";
  const auto add = [&](const char* what, std::string_view value) {
    text.append(between).append(what).append(value);
    between = ", ";
  };
  if (where.offset) add("offset ", std::to_string(*where.offset));
  if (where.record) add("record ", std::to_string(*where.record));
  if (!where.field.empty()) add("field ", where.field);
  text.append(text.empty() ? "" : ": ").append(message);
  std::replace(text.begin(), text.end(), '\0', '?');
  return text;
}

}  // namespace detail

[[gnu::cold]] inline trace_error::trace_error(trace_errc code, error_site where,
                                              const std::string& message)
    : std::runtime_error(detail::error_line(where, message)),
      code_(code),
      where_(std::move(where)),
      message_size_(message.size()) {}

[[gnu::cold]] inline std::string trace_error::message() const {
  const std::string all = what();
  return all.substr(all.size() - message_size_);
}

}  // namespace tracecodec
