// What an instruction reads as, kept for who shows it later.
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "../feed/values.hpp"

namespace tracecodec::analysis {

// The code of feeds that have any (values.hpp), and their text if the format's values.hpp is
// included, in all translation units of a program or in none; of others empty.
struct instruction_text {
  static constexpr std::size_t longest = 15;  // bytes of an x86 instruction
  std::uint8_t size = 0;                      // bytes of code that are kept
  std::array<std::byte, longest> bytes = {};
  // Of formats whose traces hold it (assembly() returns a view of it); it lives as long as the
  // trace. Of others what the code says is to be disassembled.
  std::string_view text = {};
  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return std::span(bytes).first(size);
  }
};

// What `i` reads as, into `t`, which is empty. Throws trace_error as code() and assembly() of `i`.
// (Not returned: g++ 12 lets a function write what its result is assigned to, and then throw.)
template <class I> void keep_text(const I& i, instruction_text& t) {
  if constexpr (feed::with_code<I>) {
    const std::span<const std::byte> code = i.code();
    t.size = static_cast<std::uint8_t>(std::min(code.size(), t.longest));
    std::copy_n(code.begin(), t.size, t.bytes.begin());
  }
  if constexpr (requires {
                  { assembly(i) } -> std::same_as<std::string_view>;
                })
    t.text = assembly(i);
}

// What was kept of an `I` at address `ip`, as it reads; empty of formats without code, and without
// the format's values.hpp.
template <class I> std::string assembly_of(const instruction_text& t, std::uint64_t ip) {
  if constexpr (requires { assembly_of_code(std::type_identity<I>(), t.code(), ip); })
    return assembly_of_code(std::type_identity<I>(), t.code(), ip);
  return std::string(t.text);
}

}  // namespace tracecodec::analysis
