// Instructions of Tarmac text (feed/of.hpp), with their text and the values of registers and memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../feed/of.hpp"
#include "../feed/recorded_state.hpp"
#include "../x86/lower_case.hpp"
#include "../x86/spellings.hpp"
#include "reader.hpp"

namespace tracecodec::tarmac {

constexpr std::uint64_t ip_of(const instruction& i) noexcept { return i.ip; }
inline auto accesses(const instruction& i) noexcept { return i.accesses(); }
inline auto registers_before(const instruction& i) noexcept { return i.registers(); }

using trace_feed =
    feed::over<trace_reader, feed::map::ip<&ip_of>, feed::map::asid<&instruction::source>,
               feed::map::branch<&instruction::branch>, feed::map::taken<&instruction::taken>,
               feed::map::target<&instruction::target>,
               feed::map::destination_registers<&instruction::written_registers>,
               feed::map::source_registers<&instruction::read_registers>,
               feed::map::accesses<&accesses>, feed::map::code<&instruction::code>,
               feed::map::all_registers<&registers_before>>;

// Functions of feed/values.hpp. The text of an instruction is that of the trace.
template <class... Words> std::string_view assembly(
    const feed::mapped_instruction<file::object_view<instruction>, Words...>& i) {
  return i.record().text(i.record().own().text);
}
// Returns all spellings of the mnemonic, because the text of the trace can contain any of them.
inline std::optional<std::vector<std::string>> mnemonic_named(const trace_feed&,
                                                              std::string_view name) {
  return x86::spellings_of(name);
}
template <class... Words>
bool has_mnemonic(const feed::mapped_instruction<file::object_view<instruction>, Words...>& i,
                  std::span<const std::string> names) {
  const std::string_view text = assembly(i);
  return std::find(names.begin(), names.end(),
                   x86::lower_case(text.substr(0, text.find_first_of(" \t")))) != names.end();
}

}  // namespace tracecodec::tarmac
