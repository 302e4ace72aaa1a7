// Reads a JSON object of any size in pieces. Members are read one after another, and the values of
// a large member a few at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../error.hpp"
#include "../window.hpp"
#include "json.hpp"

namespace tracecodec::io {

// Maximum size in bytes, without spaces, and maximum nesting depth of a value in a list or an
// object. The limits are necessary because each value is parsed as a whole.
inline constexpr std::size_t largest_json_value = std::size_t{1} << 20;
inline constexpr std::size_t deepest_json = 64;

// Reader of a JSON object. If the root is not an object, next() returns false.
//   while (json.next())
//     if (json.key() == "records" && json.kind() == '[') json.values(f);
//
// The whole text is checked, including values that the caller does not read. The reader needs as
// much memory as a document of largest_json_value bytes, regardless of the length of the text.
//
// Every function throws trace_error(bad_value), with the offset if it is known, if the text is not
// JSON or is nested deeper than deepest_json. Every function also throws trace_error(unsupported)
// for a value longer than largest_json_value, and the errors of the input.
class json_pieces {
 public:
  // Reads from `in`, which must be at the first byte of the text and must outlive the reader.
  // The text must end at the end of the input.
  explicit json_pieces(window& in) : in_(in) {}
  json_pieces(const json_pieces&) = delete;
  json_pieces& operator=(const json_pieces&) = delete;

  // Moves to the next member of the root, even if the value of the current member was not read.
  // Returns false at the end.
  bool next() {
    if (!begun_) return begin();
    if (kind_) pass();
    if (ended_) return false;
    const char c = take_visible();
    if (c == '}') return end();
    if (c != ',') fail("expected ',' or '}'");
    return read_key(take_visible());
  }

  // Returns the name of the current member, without escapes. The reference is valid until next().
  [[nodiscard]] const std::string& key() const { return key_; }
  // Returns the first character of the current member's value, which is '[' for a list and '{' for
  // an object.
  [[nodiscard]] char kind() const { return kind_.value_or('\0'); }

  // Calls f(const json_value&) for each value of a list. Call values() at most once for each
  // member.
  template <class F> void values(F f) {
    pieces('[', [&](const json_value& all) {
      if (const auto array = as_array(all))
        for (const json_value v : *array) f(v);
    });
  }
  // Calls f(std::string_view key, const json_value&) for each member of an object. Call members()
  // at most once for each member of the root.
  template <class F> void members(F f) {
    pieces('{', [&](const json_value& all) {
      if (const auto object = as_object(all))
        for (const auto& m : *object) f(m.key, m.value);
    });
  }
  // Reads and returns the value if it is a non-negative integer of up to 64 bits. Otherwise,
  // returns nullopt. Call number() at most once for each member.
  std::optional<std::uint64_t> number() {
    const char kind = kind_.value_or('\0');
    if (kind < '0' || kind > '9') return std::nullopt;
    single();
    const auto array = as_array(document_.root());
    for (const json_value v : *array) return as_unsigned(v);
    return std::nullopt;
  }
  // Skips the value unless it has already been read.
  void pass() {
    const char kind = kind_.value_or('[');
    if (kind == '[')
      values([](const json_value&) {});
    else if (kind == '{')
      members([](std::string_view, const json_value&) {});
    else
      single();
  }

 private:
  // Number of bytes of short values to collect before they are parsed together.
  static constexpr std::size_t enough = std::size_t{64} << 10;

  bool begin() {
    begun_ = true;
    in_.pass_byte_order_mark();
    const char c = take_visible();
    if (c == '{') {
      const char first = take_visible();
      return first == '}' ? end() : read_key(first);
    }
    kind_ = c;
    if (c == '[')
      pass();
    else
      single();
    return end();
  }

  // Checks that only white space follows the value of the root.
  bool end() {
    ended_ = true;
    kind_.reset();
    for (auto c = peek(); c; c = peek()) {
      if (!blank(*c)) fail("more text after its end");
      in_.consume(1);
    }
    in_.check_end();
    return false;
  }

  bool read_key(char first) {
    if (first != '"') fail("expected a key");
    piece_ = '"';
    take_string();
    parse('[', ']');
    const auto array = as_array(document_.root());
    for (const json_value v : *array) key_ = as_string(v).value_or("");
    if (take_visible() != ':') fail("expected ':'");
    kind_ = take_visible();
    return true;
  }

  // Reads the current list or object in pieces of a few values. Calls f with each piece, which
  // is itself a list or an object.
  template <class F> void pieces(char open, F f) {
    if (kind_ != open) return;
    kind_.reset();
    const char close = open == '[' ? ']' : '}';
    for (bool more = true, first = true; more; first = false) {
      more = take_piece(close);
      if (piece_.empty() && !first) fail("expected a value");
      parse(open, close);
      f(document_.root());
    }
  }

  // Parses the text in piece_, enclosed by `open` and `close`.
  void parse(char open, char close) {
    piece_.insert(piece_.begin(), open);
    piece_ += close;
    document_.parse(piece_, {.file = in_.from().name()});
  }

  // Collects values up to `close`, or up to a comma once there are `enough` bytes. Returns
  // false at `close`.
  bool take_piece(char close) {
    piece_.clear();
    std::size_t depth = 0;
    for (;;) {
      const char c = take();
      if (blank(c)) {
        // Replace consecutive blanks with a single blank.
        if (!piece_.empty() && piece_.back() != ' ') add(' ');
        continue;
      }
      if (c == ']' || c == '}') {
        if (depth == 0 && c != close) fail("mismatched brackets");
        if (depth == 0) return false;
        --depth;
      }
      if (c == ',' && depth == 0 && piece_.size() >= enough) return true;
      if ((c == '[' || c == '{') && ++depth == deepest_json - 1)
        fail("nested deeper than " + std::to_string(deepest_json));
      add(c);
      if (c == '"') take_string();
    }
  }
  // Reads the rest of a string, after its opening quotation mark, up to and including its
  // closing quotation mark.
  void take_string() {
    for (bool escaped = false;;) {
      const char c = take();
      add(c);
      if (c == '"' && !escaped) return;
      escaped = c == '\\' && !escaped;
    }
  }
  // Reads a value that is neither a list nor an object. The first character of the value has
  // already been read.
  void single() {
    piece_ = *std::exchange(kind_, std::nullopt);
    constexpr std::string_view starts = "\"-0123456789tfn";
    if (starts.find(piece_[0]) == starts.npos) fail("expected a value");
    if (piece_ == "\"")
      take_string();
    else
      for (auto c = peek(); c && *c != ',' && *c != '}' && !blank(*c); c = peek()) add(take());
    parse('[', ']');
  }

  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void add(char c) {
    if (piece_.size() == enough + largest_json_value)
      throw trace_error(trace_errc::unsupported, here(),
                        "a value is longer than " + std::to_string(largest_json_value) + " bytes");
    piece_ += c;
  }

  std::optional<char> peek() {
    const auto rest = in_.look(1);
    return rest.empty() ? std::nullopt : std::optional(static_cast<char>(rest[0]));
  }
  char take() {
    const auto c = peek();
    if (!c) {
      in_.check_end();
      fail("it ends too early");
    }
    in_.consume(1);
    return *c;
  }
  char take_visible() {
    char c = take();
    while (blank(c)) c = take();
    return c;
  }

  [[nodiscard]] error_site here() const {
    return {.file = in_.from().name(), .offset = in_.offset()};
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw trace_error(trace_errc::bad_value, here(), "not JSON: " + why);
  }

  window& in_;
  json_document document_ = {};
  std::string piece_ = {}, key_ = {};
  std::optional<char> kind_ = {};  // first character of a value that has not been read yet
  bool begun_ = false, ended_ = false;
};

}  // namespace tracecodec::io
