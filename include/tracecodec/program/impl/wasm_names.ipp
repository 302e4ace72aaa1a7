// Implementation of program/wasm_names.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "../../wire/items/varint.hpp"
#include "../wasm_names.hpp"

namespace tracecodec {

namespace detail {
inline constexpr std::array<std::byte, 8> wasm_magic{std::byte{0},   std::byte{'a'}, std::byte{'s'},
                                                     std::byte{'m'}, std::byte{1},   std::byte{0},
                                                     std::byte{0},   std::byte{0}};

// Reader of the function names of a module. It skips all other sections.
class wasm_reader {
 public:
  wasm_reader(io::input in, std::uint64_t memory)
      : window_(std::move(in)), left_(memory), memory_(memory) {}

  std::vector<wasm_function> run() {
    const auto front = window_.look(wasm_magic.size());
    if (front.size() < wasm_magic.size() ||
        !std::equal(wasm_magic.begin(), wasm_magic.end(), front.begin())) {
      if (!begins_like_wasm(front)) window_.check_end();
      throw trace_error(trace_errc::not_a_trace, {.file = file()},
                        begins_like_wasm(front)
                            ? "unknown version of WebAssembly: expected version 1"
                            : "expected a WebAssembly module");
    }
    window_.consume(wasm_magic.size());
    std::optional<std::vector<wasm_function>> names;
    while (!names && !window_.look(1).empty()) {
      constexpr unsigned custom = 0;
      end_ = none;
      const unsigned id = byte("section");
      open("section");
      if (id == custom && text("section name") == "name") names = subsections();
      skip_to(end_, "section");
    }
    window_.check_end();
    if (!names || names->empty())
      throw trace_error(trace_errc::not_a_trace, {.file = file()},
                        "has no function names: its section \"name\" is missing, perhaps stripped");
    return std::move(*names);
  }

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  // Returns the function names in the current name section, or nullopt if the section contains no
  // names.
  std::optional<std::vector<wasm_function>> subsections() {
    const std::uint64_t section_end = end_;
    std::optional<std::vector<wasm_function>> names;
    while (!names && window_.offset() != section_end) {
      constexpr unsigned functions = 1;
      const unsigned id = byte("name subsection");
      open("name subsection");
      if (id == functions) names = functions_named();
      skip_to(end_, "name subsection");
      end_ = section_end;
    }
    return names;
  }

  std::vector<wasm_function> functions_named() {
    std::vector<wasm_function> all;
    for (std::uint32_t n = number("number of names"); n != 0; --n) {
      const std::uint64_t at = window_.offset();
      const std::uint32_t index = number("function index");
      if (index == std::numeric_limits<std::uint32_t>::max() ||
          (!all.empty() && index <= all.back().index))
        fail(trace_errc::bad_value, at, "function index",
             std::to_string(index) + " is too large or does not exceed the preceding one");
      std::string name = text("function name");
      // While a vector grows, it stores two copies of its elements.
      const std::uint64_t cost = 2 * sizeof(wasm_function) + name.size();
      if (cost > left_)
        throw trace_error(trace_errc::unsupported, {.file = file()},
                          "needs more memory, but the limit is " + std::to_string(memory_ >> 20) +
                              " MiB" + std::string(io::raise_memory_limit));
      left_ -= cost;
      all.push_back({index, std::move(name)});
    }
    return all;
  }

  // Reads the size of a section or subsection, which must end inside the enclosing section.
  void open(const char* field) {
    const std::uint64_t at = window_.offset();
    const std::uint64_t size = number(field);
    if (size > end_ - window_.offset())
      fail(trace_errc::bad_value, at, field,
           "its size, " + std::to_string(size) + " bytes, exceeds the enclosing section");
    end_ = window_.offset() + size;
  }
  void skip_to(std::uint64_t end, const char* field) {
    const std::uint64_t n = end - window_.offset();
    if (window_.skip(n) != n) cut(field);
  }

  unsigned byte(const char* field) {
    const auto in = within(1, field);
    window_.consume(1);
    return std::to_integer<unsigned>(in[0]);
  }
  std::uint32_t number(const char* field) {
    constexpr std::size_t longest = 5;  // maximum number of bytes of an encoded 32-bit number
    const std::size_t there =
        static_cast<std::size_t>(std::min<std::uint64_t>(longest, end_ - window_.offset()));
    const auto in = window_.look(there);
    std::uint32_t v = 0;
    const auto done = wire::detail::scan_uleb(v, in.first(std::min(there, in.size())));
    if (done.error == wire::errc::truncated && in.size() < there) cut(field);
    if (done.error != wire::errc::ok)
      fail(trace_errc::bad_value, window_.offset(), field, "is not a 32-bit LEB128 number");
    window_.consume(done.at);
    return v;
  }
  std::string text(const char* field) {
    const std::uint32_t n = number(field);
    const auto in = within(n, field);
    std::string s(reinterpret_cast<const char*>(in.data()), n);
    window_.consume(n);
    return s;
  }
  // Returns the next `n` bytes, which must be inside the section.
  std::span<const std::byte> within(std::uint32_t n, const char* field) {
    if (n > end_ - window_.offset())
      fail(trace_errc::bad_value, window_.offset(), field,
           std::to_string(n) + " bytes exceed the section");
    const auto in = window_.look(n);
    if (in.size() < n) cut(field);
    return in;
  }

  [[noreturn]] void cut(const char* field) {
    window_.check_end();
    fail(trace_errc::truncated, window_.offset() + window_.buffered().size(), field,
         "the module ends inside it");
  }
  [[noreturn]] void fail(trace_errc code, std::uint64_t at, const char* field,
                         const std::string& why) const {
    throw trace_error(code, {.file = file(), .offset = at, .field = field},
                      why + window_.from().offset_note());
  }
  [[nodiscard]] const std::string& file() const { return window_.from().name(); }

  io::window window_;
  std::uint64_t left_, memory_;
  std::uint64_t end_ = none;  // offset of the end of the current section or subsection
};
}  // namespace detail

TRACECODEC_FUNC bool begins_like_wasm(std::span<const std::byte> front) noexcept {
  // Size of the magic number in bytes. The version follows the magic number.
  constexpr std::size_t magic = 4;
  return front.size() >= magic &&
         std::equal(front.begin(), front.begin() + magic, detail::wasm_magic.begin());
}

TRACECODEC_FUNC std::vector<wasm_function> read_wasm_names(io::input in, std::uint64_t memory) {
  return detail::wasm_reader(std::move(in), memory).run();
}

}  // namespace tracecodec
