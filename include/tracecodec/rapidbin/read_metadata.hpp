// Reads the metadata beside a trace, with simdjson.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../io/json.hpp"
#include "../io/open.hpp"
#include "metadata.hpp"
#include "numbers.hpp"

namespace tracecodec::rapidbin {

namespace detail {
class metadata_parser {
 public:
  metadata_parser(std::string_view text, const std::string& file)
      : file_(file), document_(text, {.file = file}) {}

  metadata parse() {
    const auto root = io::as_object(document_.root());
    if (!root) fail("", "no RapidBin metadata: expected an object");
    metadata m;
    bool any = false;
    for (const auto& [key, value] : *root) {
      bool known = true;
      if (key == "thread_records")
        m.threads = table<std::uint64_t>(key, value, &metadata_parser::plain);
      else if (key == "memory_records")
        m.memory = table<memory_location>(key, value, &metadata_parser::memory);
      else if (key == "lock_records")
        m.locks = table<std::uint64_t>(key, value, &metadata_parser::plain);
      else if (key == "location_records")
        m.locations = table<code_location>(key, value, &metadata_parser::code);
      else if (key == "shared_variables")
        m.shared_variables = shared(value);
      else
        known = false;
      any |= known;
    }
    if (!any) fail("", "no RapidBin metadata: it has none of the lists");
    return m;
  }

 private:
  // No number of a trace is larger.
  static constexpr std::uint64_t largest_trace_id = 0x3'FFFF'FFFF;

  template <class WasmId>
  id_table<WasmId> table(std::string_view name, const io::json_value& value,
                         WasmId (metadata_parser::*read)(const io::json_value&, const std::string&)
                             const) const {
    const auto list = io::as_array(value);
    if (!list) fail(std::string(name), "expected a list");
    std::vector<typename id_table<WasmId>::record> records;
    records.reserve(list->size());
    for (const io::json_value& v : *list) {
      const std::string at = std::string(name) + '[' + std::to_string(records.size()) + ']';
      const auto record = io::as_object(v);
      if (!record) fail(at, "expected an object");
      records.push_back(
          {(this->*read)(member(*record, at, "wasm_id"), at + ".wasm_id"),
           number(member(*record, at, "trace_id"), at + ".trace_id", largest_trace_id)});
    }
    id_table<WasmId> t(std::move(records));
    for (std::size_t i = 1; i < t.size(); ++i)
      if (t.records()[i].trace_id == t.records()[i - 1].trace_id)
        fail(std::string(name),
             "two records of trace_id " + std::to_string(t.records()[i].trace_id));
    return t;
  }

  std::uint64_t plain(const io::json_value& v, const std::string& at) const {
    return number(v, at, std::numeric_limits<std::uint64_t>::max());
  }
  memory_location memory(const io::json_value& v, const std::string& at) const {
    const io::json_object o = object(v, at);
    // `align` is what files of before September 2025 have.
    const char* const width = io::find(o, "access_width") ? "access_width" : "align";
    const bool there = io::find(o, width).has_value();
    return {plain(member(o, at, "address"), at + ".address"),
            plain(member(o, at, there ? width : "access_width"), at + '.' + width)};
  }
  code_location code(const io::json_value& v, const std::string& at) const {
    const io::json_object o = object(v, at);
    const auto index = [&](const char* key) {
      return static_cast<std::uint32_t>(number(member(o, at, key), at + '.' + key, 0xFFFF'FFFF));
    };
    return {index("fidx"), index("iidx")};
  }

  std::map<std::uint64_t, std::vector<std::uint64_t>> shared(const io::json_value& value) const {
    const std::string name = "shared_variables";
    std::map<std::uint64_t, std::vector<std::uint64_t>> all;
    for (const auto& [key, list] : object(value, name)) {
      const auto variable = plain_number(key);
      const std::string at = name + '.' + std::string(key);
      if (!variable || *variable > largest_trace_id) fail(at, "no number of a variable");
      const auto threads = io::as_array(list);
      if (!threads) fail(at, "expected a list of threads");
      const auto [entry, is_new] = all.try_emplace(*variable);
      if (!is_new) fail(at, "a second time");
      for (const io::json_value& t : *threads)
        entry->second.push_back(number(t, at, largest_trace_id));
      std::sort(entry->second.begin(), entry->second.end());
    }
    return all;
  }

  io::json_object object(const io::json_value& v, const std::string& at) const {
    const auto o = io::as_object(v);
    if (!o) fail(at, "expected an object");
    return *o;
  }
  io::json_value member(const io::json_object& o, const std::string& at, const char* key) const {
    const auto v = io::find(o, key);
    if (!v) fail(at + '.' + key, "missing");
    return *v;
  }
  std::uint64_t number(const io::json_value& v, const std::string& at,
                       std::uint64_t largest) const {
    const auto n = io::as_unsigned(v);
    if (!n) fail(at, "expected a number that is not negative");
    if (*n > largest) fail(at, std::to_string(*n) + " is too large");
    return *n;
  }
  [[noreturn]] void fail(const std::string& field, const std::string& why) const {
    throw trace_error(trace_errc::bad_value, {file_, {}, {}, field}, why);
  }

  const std::string& file_;
  io::json_document document_;
};
}  // namespace detail

// Both versions, keys in any order, unknown ones ignored, missing lists empty. Throws trace_error
// (bad_value) for what is no JSON, or none of the lists, and with the field's path, such as
// memory_records[3].wasm_id.address, for what is missing, of another type, negative, too large, or
// there twice.
inline metadata parse_metadata(std::string_view text, const std::string& file) {
  return detail::metadata_parser(text, file).parse();
}

// The same from a file, which is read as a whole. Throws also what `in` throws.
inline metadata read_metadata(io::input in) {
  std::string text;
  std::array<std::byte, std::size_t{1} << 16> chunk;
  while (const std::size_t n = in.read(chunk))
    text.append(reinterpret_cast<const char*>(chunk.data()), n);
  return parse_metadata(text, in.name());
}
inline metadata read_metadata(const std::string& path) {
  return read_metadata(io::open_input(path));
}

}  // namespace tracecodec::rapidbin
