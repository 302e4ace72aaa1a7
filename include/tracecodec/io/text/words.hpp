// Words and numbers of a line of text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hex.hpp"
#include "lines.hpp"

namespace tracecodec::io {

// Words of a line, which blanks separate. A comment, which begins with `comment`, is not part of the
// words.
class words {
 public:
  constexpr explicit words(std::string_view line, char comment = '#') noexcept
      : rest_(line.substr(0, line.find(comment))) {}
  // Returns the next word, or an empty view at the end of the line.
  constexpr std::string_view next() noexcept {
    rest_ = rest();
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    return word;
  }
  // Returns the remaining text, without blanks around it.
  [[nodiscard]] constexpr std::string_view rest() const noexcept {
    const std::size_t at = rest_.find_first_not_of(blanks);
    if (at == rest_.npos) return {};
    return rest_.substr(at, rest_.find_last_not_of(blanks) + 1 - at);
  }

 private:
  static constexpr std::string_view blanks = " \t\r\f\v";
  std::string_view rest_;
};

// Returns the value of a decimal number, or of a hexadecimal number that begins with 0x. Returns
// nullopt for other text, which includes octal numbers, and for numbers of more than 64 bits.
inline std::optional<std::uint64_t> number_of(std::string_view word) noexcept {
  if (begins_hex(word)) return hex_number(word);
  if (word.size() > 1 && word.front() == '0') return std::nullopt;
  return digits_of<10>(word);
}

// Words of the last line of `lines`, with errors that name the line and a field.
class line_words : public words {
 public:
  line_words(const lines& from, std::string_view line) : words(line), from_(&from) {}
  // Returns the value of the next word. Throws trace_error(bad_value) if number_of() has no value.
  std::uint64_t number(const char* field) { return number_in(next(), field); }
  std::uint64_t number_in(std::string_view word, const char* field) const {
    const auto n = number_of(word);
    if (!n) refuse(field, "expected a decimal number, or a hexadecimal number with 0x");
    return *n;
  }
  // Throws trace_error(bad_value).
  [[noreturn, gnu::cold]] void refuse(const char* field, const std::string& message) const {
    throw from_->error(trace_errc::bad_value, field, message);
  }

 private:
  const lines* from_;
};

}  // namespace tracecodec::io
