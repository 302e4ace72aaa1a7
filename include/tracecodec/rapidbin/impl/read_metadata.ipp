#pragma once
#include "../read_metadata.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../../io/text/json_pieces.hpp"
#include "../../io/window.hpp"
#include "../layout.hpp"

namespace tracecodec::rapidbin {

namespace detail {
class metadata_parser {
 public:
  metadata_parser(io::window& in, const metadata_options& options)
      : file_(in.from().name()), text_(in), left_(options.memory), memory_(options.memory) {}

  metadata run() {
    metadata m;
    const auto id = [this](const io::json_value& v) { return number(v, ".wasm_id", any); };
    while (text_.next()) {
      index_.reset();
      if (takes("thread_records")) {
        records(m.threads, id);
      } else if (takes("memory_records")) {
        records(m.memory, [&](const io::json_value& w) {
          const io::json_object o = object(w, ".wasm_id");
          const bool align = !io::member(o, "access_width") && io::member(o, "align");
          m.align |= align;
          const std::uint64_t address = number_in(o, "address", ".wasm_id.address", any);
          return memory_location{
              address, align ? number_in(o, "align", ".wasm_id.align", any)
                             : number_in(o, "access_width", ".wasm_id.access_width", any)};
        });
      } else if (takes("lock_records")) {
        records(m.locks, id);
      } else if (takes("location_records")) {
        records(m.locations, [&](const io::json_value& w) {
          const io::json_object o = object(w, ".wasm_id");
          constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
          const std::uint64_t function = number_in(o, "fidx", ".wasm_id.fidx", most);
          const std::uint64_t instruction = number_in(o, "iidx", ".wasm_id.iidx", most);
          return code_location{static_cast<std::uint32_t>(function),
                               static_cast<std::uint32_t>(instruction)};
        });
      } else if (takes("shared_variables")) {
        shared(m);
      } else if (takes("thread_names")) {
        names(m.names.threads);
      } else if (takes("lock_names")) {
        names(m.names.locks);
      } else if (takes("variable_names")) {
        names(m.names.variables);
      } else if (takes("location_names")) {
        names(m.names.locations);
      }
    }
    if (taken_.empty())
      throw trace_error(trace_errc::not_a_trace, {.file = file_}, "not RapidBin metadata");
    return m;
  }

 private:
  static constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();

  // Returns true if the current member's key is `key`, and no earlier member has the same key.
  bool takes(const char* key) {
    if (text_.key() != key || std::find(taken_.begin(), taken_.end(), key) != taken_.end())
      return false;
    key_ = key;
    taken_.push_back(key_);
    return true;
  }

  template <class WasmId, class F>
  void records(id_table<WasmId>& out, const F& wasm_id_of, const std::string& key = "wasm_id") {
    using record = typename id_table<WasmId>::record;
    std::vector<record> all;
    require('[', "is not a list");
    text_.values([&](const io::json_value& v) {
      index_ = all.size();
      // Charge three copies of each record, because the list is copied when it grows or is sorted.
      // The id_table also stores a sort order.
      charge(3 * sizeof(record) + 2 * sizeof(std::size_t));
      const io::json_object o = object(v, "");
      const auto wasm_id = io::member(o, key);
      if (!wasm_id) fail('.' + key, "is missing");
      all.push_back({wasm_id_of(*wasm_id), number_in(o, "trace_id", ".trace_id", largest_decor)});
    });
    require_different(all);
    out = id_table<WasmId>(std::move(all));
  }

  // Reads a list of names. Throws an error if a name occurs twice.
  void names(id_table<std::string>& out) {
    records(
        out,
        [this](const io::json_value& v) {
          const auto name = io::as_string(v);
          if (!name) fail(".name", "is not a string");
          charge(name->size() + sizeof(std::string_view));
          return std::string(*name);
        },
        "name");
    std::vector<std::string_view> all;
    all.reserve(out.size());
    for (const auto& r : out) all.push_back(r.wasm_id);
    std::sort(all.begin(), all.end());
    const auto twice = std::adjacent_find(all.begin(), all.end());
    index_.reset();
    if (twice != all.end()) fail("", "has the name " + shown(std::string(*twice)) + " twice");
  }

  // Throws an error if two records have the same trace id. The error's field identifies the later
  // record.
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

  void shared(metadata& m) {
    require('{', "is not an object");
    text_.members([&](std::string_view key, const io::json_value& value) {
      std::uint64_t variable = 0;
      const char* const end = key.data() + key.size();
      const auto [used, error] = std::from_chars(key.data(), end, variable);
      if (error != std::errc() || used != end || variable > largest_decor)
        fail("", "the key " + shown(io::json_string(key).value_or("")) +
                     " is not a number from 0 to " + std::to_string(largest_decor));
      const std::string place = '.' + std::to_string(variable);
      charge(112);
      const auto [at, added] = m.shared_variables.try_emplace(variable);
      if (!added) fail(place, "occurs twice");
      const auto threads = io::as_array(value);
      if (!threads) fail(place, "is not a list");
      std::size_t i = 0;
      for (const io::json_value v : *threads) {
        const auto n = io::as_unsigned(v);
        if (!n || *n > largest_decor)
          fail(place + '[' + std::to_string(i) + ']', unexpected(v, largest_decor));
        if (at->second.insert(*n).second) charge(64);
        ++i;
      }
    });
  }

  // Throws an error with the message `why` if the value of the current member does not begin with
  // the character `kind`.
  void require(char kind, const char* why) {
    if (text_.kind() == kind) return;
    text_.pass();
    fail("", why);
  }

  // Subtracts `bytes`, which must include the allocator's overhead, from the remaining memory.
  // Throws an error if the limit is exceeded.
  void charge(std::uint64_t bytes) {
    if (bytes > left_)
      throw trace_error(trace_errc::unsupported, {.file = file_},
                        "needs more memory, but the limit is " + std::to_string(memory_ >> 20) +
                            " MiB" + std::string(io::raise_memory_limit));
    left_ -= bytes;
  }

  io::json_object object(const io::json_value& v, const char* place) const {
    const auto o = io::as_object(v);
    if (!o) fail(place, "is not an object");
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

  // Throws trace_error(bad_value). `place` is a path relative to record index_ of the list key_. If
  // index_ is nullopt, the path is relative to the value of key_.
  [[noreturn]] void fail(const std::string& place, const std::string& why) const {
    const std::string index = index_ ? '[' + std::to_string(*index_) + ']' : "";
    throw trace_error(trace_errc::bad_value, {.file = file_, .field = key_ + index + place}, why);
  }
  static std::string unexpected(const io::json_value& v, std::uint64_t largest) {
    return "is " + shown(io::json_text_of(v)) + ", expected a number from 0 to " +
           std::to_string(largest);
  }
  // Returns `text` for use in an error message. If `text` has more than 40 bytes, it is truncated,
  // and "..." is appended.
  static std::string shown(std::string text) {
    std::size_t n = 40;
    if (text.size() <= n) return text;
    while ((static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
    return text.substr(0, n) + "...";
  }

  const std::string& file_;
  io::json_pieces text_;
  std::uint64_t left_, memory_;
  std::vector<std::string> taken_ = {};    // keys of the root object read so far
  std::string key_ = {};                   // most recently read key of the root object
  std::optional<std::size_t> index_ = {};  // index of the current record in its list
};
}  // namespace detail

TRACECODEC_FUNC metadata read_metadata(io::input in, const metadata_options& options) {
  io::window text(std::move(in));
  return detail::metadata_parser(text, options).run();
}

TRACECODEC_FUNC metadata parse_metadata(std::string_view text, const std::string& name,
                                        const metadata_options& options) {
  return read_metadata(io::open_bytes(std::as_bytes(std::span(text.data(), text.size())), name,
                                      {.compression = io::codec::none}),
                       options);
}

TRACECODEC_FUNC metadata read_metadata(const std::string& path, const metadata_options& options) {
  return read_metadata(io::open_input(path), options);
}

}  // namespace tracecodec::rapidbin
