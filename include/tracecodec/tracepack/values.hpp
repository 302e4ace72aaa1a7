// Mnemonics and text of instructions in packed traces that store code (feed/values.hpp). Requires
// Zydis. Code of processors other than x86 is available only as bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../x86/zydis.hpp"
#include "feed.hpp"

namespace tracecodec::tracepack {

namespace detail {
inline std::string text_of(processor p, std::span<const std::byte> code, std::uint64_t ip) {
  static const x86::zydis_disassembler x64(wire::target::x64), x86(wire::target::x86);
  if (code.empty() || !mode_of(p)) return {};
  return (*mode_of(p) == wire::target::x64 ? x64 : x86).text(code, ip);
}
}  // namespace detail

// Mnemonic, and a disassembler for the mnemonic's instruction set.
struct mnemonic {
  x86::zydis_mnemonic what = {};
  x86::zydis_disassembler disassembler = x86::zydis_disassembler(wire::target::x64);
};
template <class R>
std::optional<mnemonic> mnemonic_named(const trace_feed<R, true>& feed, std::string_view name) {
  const auto found = x86::zydis_mnemonic_named(name);
  const auto target = mode_of(feed.about().processor);
  if (!found || !target) return std::nullopt;
  return mnemonic{*found, x86::zydis_disassembler(*target)};
}
template <class R> bool has_mnemonic(const instruction_view<R, true>& i, const mnemonic& m) {
  return m.disassembler.has_mnemonic(i.code(), m.what);
}

// Returns the text of an instruction in Intel syntax. Returns an empty string if the code is
// unknown or is not x86 code.
template <class R> std::string assembly_of_code(const trace_feed<R, true>& feed,
                                                std::span<const std::byte> code, std::uint64_t ip) {
  return detail::text_of(feed.about().processor, code, ip);
}
template <class R> std::string assembly(const instruction_view<R, true>& i) {
  return detail::text_of(i.processor(), i.code(), i.ip());
}

}  // namespace tracecodec::tracepack
