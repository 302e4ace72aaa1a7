// Reads the metadata that Wasmgrind writes beside a trace: both versions, any order of keys.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../io/json.hpp"
#include "../io/window.hpp"
#include "layout.hpp"
#include "metadata.hpp"

namespace tracecodec::rapidbin {

namespace detail {
class metadata_parser {
 public:
  explicit metadata_parser(const std::string& file) : file_(file) {}

  metadata run(std::string_view text) {
    const io::json_document document(text, {.file = file_});
    const auto root = io::as_object(document.root());
    metadata m;
    bool known = false;
    // Calls f with the value of `key`, if it is there.
    const auto take = [&](const char* key, const auto& f) {
      const auto value = root ? io::member(*root, key) : std::nullopt;
      if (!value) return;
      known = true;
      key_ = key;
      index_.reset();
      f(*value);
    };
    const auto id = [this](const io::json_value& v) { return number(v, ".wasm_id", any); };
    take("thread_records", [&](const io::json_value& v) { records(v, m.threads, id); });
    take("memory_records", [&](const io::json_value& v) {
      records(v, m.memory, [&](const io::json_value& w) {
        const io::json_object o = object(w, ".wasm_id");
        const bool align = !io::member(o, "access_width") && io::member(o, "align");
        m.align |= align;
        const std::uint64_t address = number_in(o, "address", ".wasm_id.address", any);
        return memory_location{address,
                               align ? number_in(o, "align", ".wasm_id.align", any)
                                     : number_in(o, "access_width", ".wasm_id.access_width", any)};
      });
    });
    take("lock_records", [&](const io::json_value& v) { records(v, m.locks, id); });
    take("location_records", [&](const io::json_value& v) {
      records(v, m.locations, [&](const io::json_value& w) {
        const io::json_object o = object(w, ".wasm_id");
        constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
        const std::uint64_t function = number_in(o, "fidx", ".wasm_id.fidx", most);
        const std::uint64_t instruction = number_in(o, "iidx", ".wasm_id.iidx", most);
        return code_location{static_cast<std::uint32_t>(function),
                             static_cast<std::uint32_t>(instruction)};
      });
    });
    take("shared_variables", [&](const io::json_value& v) { shared(v, m); });
    if (!known) throw trace_error(trace_errc::not_a_trace, {.file = file_}, "no RapidBin metadata");
    return m;
  }

 private:
  static constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();

  template <class WasmId, class F>
  void records(const io::json_value& list, id_table<WasmId>& out, const F& wasm_id_of) {
    std::vector<typename id_table<WasmId>::record> all;
    const auto array = io::as_array(list);
    if (!array) fail("", "is no list");
    all.reserve(array->size());
    for (const io::json_value v : *array) {
      index_ = all.size();
      const io::json_object o = object(v, "");
      const auto wasm_id = io::member(o, "wasm_id");
      if (!wasm_id) fail(".wasm_id", "is missing");
      all.push_back({wasm_id_of(*wasm_id), number_in(o, "trace_id", ".trace_id", largest_decor)});
    }
    require_different(all);
    out = id_table<WasmId>(std::move(all));
  }

  // Refuses a trace id that stands there twice; the error names the later record.
  template <class Record> void require_different(const std::vector<Record>& all) {
    std::vector<std::size_t> order;
    const auto id = [&](std::size_t i) { return all[i].trace_id; };
    for (std::size_t i = 1; i < all.size() && order.empty(); ++i)
      if (id(i) <= id(i - 1)) order.resize(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return id(a) != id(b) ? id(a) < id(b) : a < b; });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (id(order[i]) != id(order[i - 1])) continue;
      index_ = order[i];
      fail(".trace_id", "is " + std::to_string(id(order[i])) + ", as that of record " +
                            std::to_string(order[i - 1]));
    }
  }

  void shared(const io::json_value& value, metadata& m) {
    const auto variables = io::as_object(value);
    if (!variables) fail("", "is no object");
    for (const auto& field : *variables) {
      std::uint64_t variable = 0;
      const char* const end = field.key.data() + field.key.size();
      const auto [used, error] = std::from_chars(field.key.data(), end, variable);
      if (error != std::errc() || used != end || variable > largest_decor)
        fail("", "the key " + shown(io::json_string(field.key).value_or("")) +
                     " is no number from 0 to " + std::to_string(largest_decor));
      const std::string place = '.' + std::to_string(variable);
      const auto [at, added] = m.shared_variables.try_emplace(variable);
      if (!added) fail(place, "is there twice");
      const auto threads = io::as_array(field.value);
      if (!threads) fail(place, "is no list");
      std::size_t i = 0;
      for (const io::json_value v : *threads) {
        const auto n = io::as_unsigned(v);
        if (!n || *n > largest_decor)
          fail(place + '[' + std::to_string(i) + ']', unexpected(v, largest_decor));
        at->second.insert(*n);
        ++i;
      }
    }
  }

  io::json_object object(const io::json_value& v, const char* place) const {
    const auto o = io::as_object(v);
    if (!o) fail(place, "is no object");
    return *o;
  }
  std::uint64_t number(const io::json_value& v, const char* place, std::uint64_t largest) const {
    const auto n = io::as_unsigned(v);
    if (!n || *n > largest) fail(place, unexpected(v, largest));
    return *n;
  }
  std::uint64_t number_in(const io::json_object& o, const char* key, const char* place,
                          std::uint64_t largest) const {
    const auto v = io::member(o, key);
    if (!v) fail(place, "is missing");
    return number(*v, place, largest);
  }

  // `place` is in the record index_ of the list key_, or in the value of key_.
  [[noreturn]] void fail(const std::string& place, const std::string& why) const {
    const std::string index = index_ ? '[' + std::to_string(*index_) + ']' : "";
    throw trace_error(trace_errc::bad_value, {.file = file_, .field = key_ + index + place}, why);
  }
  static std::string unexpected(const io::json_value& v, std::uint64_t largest) {
    return "is " + shown(io::json_text_of(v)) + ", expected a number from 0 to " +
           std::to_string(largest);
  }
  // The front of a text that may be long.
  static std::string shown(std::string text) {
    std::size_t n = 40;
    if (text.size() <= n) return text;
    while ((static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
    return text.substr(0, n) + "...";
  }

  const std::string& file_;
  std::string key_ = {};                   // of the root
  std::optional<std::size_t> index_ = {};  // of the record, in a list of them
};
}  // namespace detail

// The metadata in `text`; `name` is for errors. Keys may stand in any order, records too; unknown
// keys are ignored, missing lists are empty, of a key that stands twice in an object the first
// counts. Trace ids go up to largest_decor.
// Throws trace_error: bad_value, with the place as field, "memory_records[3].wasm_id.address" or
// "shared_variables.7[0]" (missing, of the wrong type, negative or too large; a trace id or a
// shared variable that is there twice), and without a field if `text` is no JSON or a number in it
// has more than 64 bits; not_a_trace if none of the five keys is there.
// Memory: 10 to 40 bytes for each byte of `text`, 10 where it is indented.
inline metadata parse_metadata(std::string_view text, const std::string& name) {
  return detail::metadata_parser(name).run(text);
}

// More bytes are not decompressed: a few may stand for gigabytes.
inline constexpr std::size_t largest_compressed_metadata = std::size_t{64} << 20;

// The metadata in a file, which is read into memory whole. Throws trace_error: as parse_metadata();
// unsupported (4 GiB of JSON, or what is compressed has more than largest_compressed_metadata
// bytes); what the input throws.
inline metadata read_metadata(io::input in) {
  const std::string name = in.name();
  const bool compressed = in.compression() != io::codec::none;
  const std::size_t most = compressed ? largest_compressed_metadata : io::largest_json - 1;
  io::window content(std::move(in));
  const auto all = content.look(most + 1);
  content.check_end();
  if (all.size() > most)
    throw trace_error(trace_errc::unsupported, {.file = name},
                      compressed ? "more than 64 MiB of compressed JSON: decompress it first"
                                 : "more JSON than can be read");
  return parse_metadata({reinterpret_cast<const char*>(all.data()), all.size()}, name);
}

// The same from the file `path`, "-" for standard input; compressed or not.
inline metadata read_metadata(const std::string& path) {
  return read_metadata(io::open_input(path));
}

}  // namespace tracecodec::rapidbin
