// Prints a record's fields as a paragraph, as a compact row or as JSON. All forms use the same
// description of the fields.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "memory_dump.hpp"
#include "parts.hpp"

namespace view {

// Writer that appends a record to a string: first the number of the record, then the fields in the
// order of the calls. The forms are:
//   detail    one line for each field and for each item of a list
//   compact   one line with all fields except lists
//   json      one object on one line; addresses and bytes are strings of hexadecimal digits
class fields {
 public:
  // Begins a record with the number `id`. In JSON, the number is a field with the name `key`, or is
  // omitted if `key` is empty. Use an empty `key` for rows that have their own id.
  fields(std::string& out, form f, std::string_view what, std::uint64_t id,
         std::string_view key = "ID")
      : out_(&out), form_(f), json_(out) {
    if (form_ == form::json) {
      json_.object();
      if (!key.empty()) number(key, id);
    } else if (form_ == form::compact) {
      out += '[';
      examples::add_right(out, std::to_string(id), 6);
      out += ']';
    } else {
      (out += what) += ' ' + std::to_string(id) + '\n';
    }
  }
  ~fields() {
    if (form_ == form::json) json_.end_object();
    *out_ += '\n';
  }
  fields(const fields&) = delete;
  fields& operator=(const fields&) = delete;

  [[nodiscard]] bool is_json() const { return form_ == form::json; }
  [[nodiscard]] bool is_compact() const { return form_ == form::compact; }

  void number(std::string_view key, std::uint64_t n) {
    if (form_ == form::json)
      json_.key(key).number(n);
    else
      plain(key, std::to_string(n));
  }
  // Adds a signed id. The value -1 means that there is no id.
  void id(std::string_view key, std::int64_t n) {
    if (form_ == form::json)
      json_.key(key).integer(n);
    else
      plain(key, std::to_string(n));
  }
  void hex(std::string_view key, std::uint64_t n) {
    if (form_ == form::json) {
      json_.key(key).hex(n);
      return;
    }
    std::string s;
    examples::add_hex(s, n);
    plain(key, s);
  }
  void text(std::string_view key, std::string_view s) {
    if (form_ == form::json)
      json_.key(key).string(s);
    else
      plain(key, examples::printable(s));
  }
  // Adds the name of an enumerator, or its number if name(e) is empty.
  template <class E> void enumeration(std::string_view key, E e) {
    const std::string_view n = name(e);
    text(key, n.empty() ? std::to_string(static_cast<std::uint64_t>(e)) : std::string(n));
  }
  void none(std::string_view key) {
    if (form_ == form::json)
      json_.key(key).null();
    else
      plain(key, "none");
  }
  // Adds bytes as hexadecimal digits, in the order of their addresses.
  void bytes(std::string_view key, std::span<const std::byte> all) {
    std::string s;
    tracecodec::rows::add_bytes(s, all);
    // A page of memory is too long for a line, so truncate the text.
    if (form_ == form::detail && s.size() > 128)
      s = s.substr(0, 128) + "... (" + std::to_string(all.size()) + " bytes)";
    text(key, s);
  }

  void memory(const memory_dump& d) {
    if (form_ == form::json)
      add_dump(json_.key("memory_at"), d);
    else
      add_dump(*out_, d, form_, 16);
  }

  // Calls add() to add a group of fields. In JSON, the group is an object with the name `key`.
  // Other forms do not show groups.
  template <class Add> void part(std::string_view key, Add add) {
    if (form_ == form::json) json_.key(key).object();
    add();
    if (form_ == form::json) json_.end_object();
  }

  // Adds a list of numbers in hexadecimal form.
  template <class Range> void numbers(std::string_view key, const Range& all) {
    if (form_ == form::json) {
      json_.key(key).array();
      for (const std::uint64_t n : all) json_.hex(n);
      json_.end_array();
      return;
    }
    std::string s;
    for (const std::uint64_t n : all) {
      if (!s.empty()) s += ' ';
      examples::add_hex(s, n);
    }
    plain(key, s.empty() ? "none" : s);
  }

  // Adds a list of `n` items. add(i) adds the fields of item i, for example:
  //   list("Slots", n, [&](std::size_t i) { number("Size", ...); })
  template <class Add> void list(std::string_view key, std::size_t n, Add add) {
    if (form_ == form::compact) return;
    if (form_ == form::json) json_.key(key).array();
    for (std::size_t i = 0; i < n; ++i) {
      if (form_ == form::json) {
        json_.object();
        add(i);
        json_.end_object();
        continue;
      }
      add_label(*out_, i == 0 ? key : std::string_view());
      first_of_item_ = in_item_ = true;
      add(i);
      in_item_ = false;
      *out_ += '\n';
    }
    if (form_ == form::json) json_.end_array();
  }

 private:
  void plain(std::string_view key, const std::string& value) {
    if (form_ == form::compact) {
      ((*out_ += " | ") += key) += ' ' + value;
    } else if (in_item_) {
      if (!std::exchange(first_of_item_, false)) *out_ += ", ";
      (*out_ += key) += ' ' + value;
    } else {
      add_label(*out_, key);
      *out_ += value + '\n';
    }
  }

  std::string* out_;
  form form_;
  examples::json json_;
  bool in_item_ = false, first_of_item_ = false;
};

}  // namespace view
