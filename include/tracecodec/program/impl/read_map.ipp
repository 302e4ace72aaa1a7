// Implementation of program/read_map.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../../io/text/json_pieces.hpp"
#include "../../io/window.hpp"
#include "../read_map.hpp"

namespace tracecodec {

namespace detail {
class program_map_parser {
 public:
  program_map_parser(io::window& in, std::uint64_t memory)
      : file_(in.from().name()), text_(in), left_(memory), memory_(memory) {}

  program_map run() {
    std::vector<program_module> modules;
    std::vector<program_symbol> symbols;
    std::uint64_t from = 0;
    bool any = false;
    while (text_.next()) {
      key_ = text_.key();
      if (key_ == "modules" && modules.empty()) {
        any = true;
        list([&](const io::json_object& o) {
          program_module m{number(o, "base"), number(o, "size"), text(o, "path"),
                           text(o, "build_id", true)};
          if (m.size == 0) fail("size", "is 0");
          require_end("size", m.base, m.size);
          charge(2 * (sizeof m + m.path.size() + m.build_id.size()));
          modules.push_back(std::move(m));
        });
      } else if (key_ == "symbols" && symbols.empty()) {
        any = true;
        list([&](const io::json_object& o) {
          program_symbol s{number(o, "address"), number(o, "size", true), text(o, "name")};
          if (s.size != 0) require_end("size", s.address, s.size);
          // While a vector grows, it stores two copies of its elements.
          charge(2 * sizeof s + s.name.size());
          symbols.push_back(std::move(s));
        });
      } else if (key_ == "from") {
        index_.reset();
        const auto first = text_.number();
        if (!first) fail({}, "is not an instruction number: expected 0 or more");
        from = *first;
      } else if (key_ == "version") {
        index_.reset();
        require_version(text_.number());
      }
    }
    if (!any)
      throw trace_error(trace_errc::not_a_trace, {.file = file_},
                        "not a map of a program: it has neither modules nor symbols");
    require_apart(modules);
    program_map map(std::move(modules), std::move(symbols));
    map.set_from(from);
    return map;
  }

 private:
  template <class F> void list(F f) {
    index_.reset();
    if (text_.kind() != '[') {
      text_.pass();
      fail({}, "is not a list");
    }
    index_ = 0;
    text_.values([&](const io::json_value& v) {
      const auto o = io::as_object(v);
      if (!o) fail({}, "is not an object");
      f(*o);
      ++*index_;
    });
  }
  void require_version(std::optional<std::uint64_t> version) const {
    if (!version) fail({}, "is not a number: expected 1");
    if (*version != 1)
      throw trace_error(
          trace_errc::unsupported, {.file = file_, .field = key_},
          "is " + std::to_string(*version) +
              ", but this version of tracecodec reads 1: a newer version may read the map");
  }
  void require_apart(const std::vector<program_module>& all) const {
    std::vector<const program_module*> sorted;
    sorted.reserve(all.size());
    for (const program_module& m : all) sorted.push_back(&m);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return a->base < b->base; });
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i - 1]->has(sorted[i]->base))
        throw trace_error(trace_errc::bad_value, {.file = file_, .field = "modules"},
                          sorted[i]->path + " overlaps " + sorted[i - 1]->path);
  }
  void require_end(const char* key, std::uint64_t from, std::uint64_t size) const {
    if (from + (size - 1) < from) fail(key, "extends beyond the last address");
  }

  // Returns the value of member `key` of `o`: an address or a size, as a string such as "0x1f" or
  // as a number. Returns 0 if the key is missing and `optional` is true.
  std::uint64_t number(const io::json_object& o, const char* key, bool optional = false) const {
    const auto v = io::member(o, key);
    if (!v && optional) return 0;
    if (!v) fail(key, "is missing");
    if (const auto n = io::as_unsigned(*v)) return *n;
    std::string_view s = io::as_string(*v).value_or("");
    std::uint64_t n = 0;
    if (s.starts_with("0x")) {
      s.remove_prefix(2);
      const char* const end = s.data() + s.size();
      if (const auto [used, error] = std::from_chars(s.data(), end, n, 16);
          error == std::errc() && used == end)
        return n;
    }
    fail(key, "is not an address: expected \"0x\" and hexadecimal digits, or a number");
  }
  std::string text(const io::json_object& o, const char* key, bool optional = false) const {
    const auto v = io::member(o, key);
    if (!v && optional) return {};
    if (!v) fail(key, "is missing");
    const auto s = io::as_string(*v);
    if (!s) fail(key, "is not a string");
    return std::string(*s);
  }
  void charge(std::uint64_t bytes) {
    if (bytes > left_)
      throw trace_error(trace_errc::unsupported, {.file = file_},
                        "needs more memory, but the limit is " + std::to_string(memory_ >> 20) +
                            " MiB" + std::string(io::raise_memory_limit));
    left_ -= bytes;
  }
  [[noreturn]] void fail(const std::string& key, const std::string& why) const {
    std::string field = key_;
    if (index_) field += '[' + std::to_string(*index_) + ']';
    if (!key.empty()) field += '.' + key;
    throw trace_error(trace_errc::bad_value, {.file = file_, .field = field}, why);
  }

  const std::string& file_;
  io::json_pieces text_;
  std::uint64_t left_, memory_;
  std::string key_ = {};                   // key in the root object
  std::optional<std::size_t> index_ = {};  // index in the list of key_
};
}  // namespace detail

TRACECODEC_FUNC program_map read_program_map(io::input in, std::uint64_t memory) {
  io::window text(std::move(in));
  return detail::program_map_parser(text, memory).run();
}

}  // namespace tracecodec
