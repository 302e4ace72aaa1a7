#include "criteria.hpp"

#include <tracecodec/analysis/find.hpp>
#include <tracecodec/trace/source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../common/address.hpp"
#include "../common/byte_text.hpp"

namespace find {

namespace {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

using examples::address_hint, examples::address_type, examples::bytes_of, examples::number_of,
    examples::span_of, examples::texts_of;

constexpr auto bytes_hint = ", two digits for each byte, without 0x";

// Parses a value such as "0x04cb3a90:4", "0x04cb3a90" or "1234". The number after the colon is the
// size in bytes. If it is missing, the number of hexadecimal digits determines the size. A decimal
// number without a size has 4 bytes, or 8 bytes if needed. Returns nullopt if the text is invalid.
std::optional<analysis::find_criteria::number> value_of(const std::string& s) {
  const std::size_t colon = s.find(':');
  const std::string digits = s.substr(0, colon);
  const auto value = number_of(digits);
  if (!value) return std::nullopt;
  const bool hex = digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
  std::size_t bytes = hex ? (digits.size() - 1) / 2 : 4;
  if (colon != std::string::npos) {
    const auto size = number_of(std::string_view(s).substr(colon + 1));
    if (size != 1 && size != 2 && size != 4 && size != 8) return std::nullopt;
    bytes = static_cast<std::size_t>(*size);
  }
  unsigned size = 1;
  while (size < bytes && size < 8) size *= 2;
  if (!hex && colon == std::string::npos && *value >> 32U != 0) size = 8;
  if (size < 8 && *value >> 8 * size != 0) return std::nullopt;
  return analysis::find_criteria::number{*value, size};
}

std::optional<feed::branch_class> branch_of(std::string_view s) {
  for (std::size_t i = 0; i < feed::branch_class_count; ++i)
    if (name(static_cast<feed::branch_class>(i)) == s) return static_cast<feed::branch_class>(i);
  return std::nullopt;
}

examples::choices branch_names() {
  using feed::branch_class;
  examples::choices all;
  for (const branch_class c :
       {branch_class::conditional, branch_class::direct_jump, branch_class::indirect,
        branch_class::direct_call, branch_class::indirect_call, branch_class::return_,
        branch_class::other, branch_class::not_branch})
    all.push_back({std::string(name(c))});
  return all;
}

// Returns the names of all operations in all formats.
examples::choices operation_names() {
  std::vector<std::string_view> seen;
  examples::choices all;
  for (const auto* const format : tracecodec::trace::all_formats())
    for (const std::string_view name : format->operations) {
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
      seen.push_back(name);
      all.push_back({std::string(name)});
    }
  return all;
}

// Adds an option. set(argument) returns false if the argument is invalid. `hint` is appended to the
// error message.
template <class Set> examples::option add(examples::command_line& app, const std::string& name,
                                          const std::string& type, Set set, const std::string& text,
                                          const std::string& hint = {}) {
  return examples::add_value(app, name, type, set, text, type + hint);
}

}  // namespace

void add_criteria(examples::command_line& app, analysis::find_criteria& c) {
  const auto memory = [&c](bool reads, bool writes) {
    return [&c, reads, writes](const std::string& s) {
      c.memory = span_of(s);
      c.reads = reads;
      c.writes = writes;
      return c.memory.has_value();
    };
  };
  add(
      app, "--ip", address_type,
      [&c](const std::string& s) { return (c.ip = span_of(s)).has_value(); },
      "Executes at this address", address_hint);
  examples::add_choices(
      app, "--branch", branch_names(),
      [&c](const std::string& s) {
        if (const auto one = branch_of(s)) c.branch |= *one;
      },
      "Is a branch of this class; not_branch for everything else. May be repeated to match any of "
      "several");
  app.add_flag(
      "--taken", [&c] { c.taken = true; }, "Is a branch that is taken");
  app.add_flag(
         "--not-taken", [&c] { c.taken = false; }, "Is a branch that is not taken")
      .excludes("--taken");
  add(app, "--memory", address_type, memory(true, true), "Reads or writes memory at this address",
      address_hint);
  add(app, "--reads", address_type, memory(true, false), "Reads memory at this address",
      address_hint)
      .excludes("--memory");
  add(app, "--writes", address_type, memory(false, true), "Writes memory at this address",
      address_hint)
      .excludes("--memory")
      .excludes("--reads");
  add(
      app, "--bytes", "HEX",
      [&c](const std::string& s) {
        const auto all = bytes_of(s);
        if (all) c.bytes = *all;
        return all.has_value();
      },
      "Reads or writes memory that holds these bytes (x64dbg, UMTracer)", bytes_hint);
  add(
      app, "--value", "VALUE[:SIZE]",
      [&c](const std::string& s) { return (c.value = value_of(s)).has_value(); },
      "Reads or writes memory that holds this number, or writes the number to a register (x64dbg), "
      "or has a register operand that holds it (UMTracer). SIZE is 1, 2, 4 or 8 bytes (default: as "
      "the digits need)",
      ", VALUE in decimal, or in hexadecimal with 0x, SIZE 1, 2, 4 or 8 bytes that hold it");
  add(
      app, "--text", "TEXT",
      [&c](const std::string& s) {
        c.texts = texts_of(s);
        return !c.texts.empty();
      },
      "Reads or writes memory that holds this text, in UTF-8 or in UTF-16 (little-endian), within "
      "the "
      "accesses of one instruction");
  add(
      app, "--opcode", "HEX",
      [&c](const std::string& s) {
        const auto all = bytes_of(s);
        if (all) c.code = *all;
        return all.has_value();
      },
      "Has code that begins with these bytes (x64dbg, UMTracer, tracepack with code)", bytes_hint);
  add(
      app, "--mnemonic", "NAME",
      [&c](const std::string& s) {
        c.mnemonic = s;
        return !s.empty();
      },
      "Has this mnemonic or prefix, in any spelling: jz or je, jb or jc (x64dbg, UMTracer, "
      "tracepack with code)");
  add(
      app, "--register", "NAME[=VALUE]",
      [&c](const std::string& s) {
        const std::size_t at = s.find('=');
        if (at == 0 || s.empty()) return false;
        if (at == std::string::npos) {
          c.changed_register = s;
          return true;
        }
        // s is NUL-terminated, so s[at + 1] exists.
        const bool negative = s[at + 1] == '-';
        const auto value = number_of(std::string_view(s).substr(at + (negative ? 2 : 1)));
        if (!value || (negative && (*value == 0 || *value > std::uint64_t{1} << 63))) return false;
        c.register_value.emplace(s.substr(0, at), negative ? 0 - *value : *value);
        c.register_signed = negative;
        return true;
      },
      "Has this value in the register. x64dbg: before the instruction, or, as the only criterion, "
      "where the register gets the value. UMTracer: as an operand, before or after. Without a "
      "value: changes the register",
      ", VALUE in decimal, also negative, or in hexadecimal with 0x");
  examples::add_choices(
      app, "--operation", operation_names(),
      [&c](const std::string& s) { c.operations.push_back(s); },
      "Is an event of this operation (RapidBin). May be repeated to match any of several");
  app.add_flag("--thread-switch", c.thread_switch,
               "Follows an instruction of another thread (CloudSuite: of another address space)");
}

}  // namespace find
