// What readers, writers, feeds and byte sources throw: an error that says where it happened.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace tracecodec {

enum class trace_errc : std::uint8_t {
  system,       // the operating system refused: open, read, write, rename
  truncated,    // the bytes end inside a record or a compressed stream
  corrupt,      // a compressed stream contradicts itself
  not_a_trace,  // the content is no trace of the expected format
  bad_value,    // a field holds what its format does not allow
  unsupported,  // recognised, but this build or this program does not handle it
  refused       // the format cannot hold the value, or the request makes no sense
};

// Where an error happened, as far as it is known.
struct error_site {
  std::string file;  // as the user named it; "<stdin>" for standard input
  // Bytes from the start of the content; of the compressed file if its compression is damaged.
  std::optional<std::uint64_t> offset = {};
  std::optional<std::uint64_t> record = {};  // index of the record, from 0
  std::string field = {};                    // name of the record's field
};

// what() is one line: "FILE: offset 128, record 2, field ip: MESSAGE", without the parts not known.
// A message may quote a file's bytes: characters 0, at which what() would end, become question
// marks.
class trace_error : public std::runtime_error {
 public:
  trace_error(trace_errc code, error_site where, const std::string& message)
      : std::runtime_error(line(where, message)),
        code_(code),
        where_(std::move(where)),
        message_size_(message.size()) {}

  [[nodiscard]] trace_errc code() const noexcept { return code_; }
  [[nodiscard]] const std::string& file() const noexcept { return where_.file; }
  [[nodiscard]] std::optional<std::uint64_t> offset() const noexcept { return where_.offset; }
  [[nodiscard]] std::optional<std::uint64_t> record() const noexcept { return where_.record; }
  [[nodiscard]] const std::string& field() const noexcept { return where_.field; }
  // what() without the place.
  [[nodiscard]] std::string message() const {
    const std::string all = what();
    return all.substr(all.size() - message_size_);
  }

 private:
  static std::string line(const error_site& where, const std::string& message) {
    std::string place;
    const auto add = [&place](const char* what, const std::string& value) {
      place += (place.empty() ? "" : ", ") + std::string(what) + ' ' + value;
    };
    if (where.offset) add("offset", std::to_string(*where.offset));
    if (where.record) add("record", std::to_string(*where.record));
    if (!where.field.empty()) add("field", where.field);
    std::string text = where.file;
    if (!place.empty()) text += (text.empty() ? "" : ": ") + place;
    text += (text.empty() ? "" : ": ") + message;
    std::replace(text.begin(), text.end(), '\0', '?');
    return text;
  }

  trace_errc code_;
  error_site where_;
  std::size_t message_size_;
};

}  // namespace tracecodec
