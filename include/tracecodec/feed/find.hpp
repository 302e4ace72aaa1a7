// Looks for instructions in a feed.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "instruction.hpp"
#include "values.hpp"

namespace tracecodec::feed {

// Addresses from the first to the last.
struct address_span {
  std::uint64_t first = 0, last = 0;
  [[nodiscard]] constexpr bool meets(std::uint64_t from, std::uint64_t size) const noexcept {
    const std::uint64_t end = from + (size == 0 ? 0 : size - 1);
    return from <= last && (end < from || end >= first);
  }
};

// What is looked for. Of those that are there each must hold.
struct find_criteria {
  std::optional<address_span> ip = {};
  std::optional<branch_class> branch = {};
  std::optional<bool> taken = {};
  std::optional<address_span> memory = {};  // that is read or written
  bool reads = true, writes = true;         // which of both count for `memory` and `bytes`
  std::vector<std::byte> code = {};         // its code begins so
  std::string mnemonic = {};                // a word of its text before the operands: "mov", "rep"
  std::vector<std::byte> bytes = {};        // somewhere in the contents of memory
  // A register's name, and its value; an x64dbg trace tells it before every instruction, and then
  // the first instruction of a thread is meant that has it.
  std::optional<std::pair<std::string, std::uint64_t>> register_value = {};
  bool thread_switch = false;  // of another thread than the one before
};

// Whether instructions of type `I` meet the criteria. Asked of each in its order.
template <instruction I> class finder {
 public:
  // Throws trace_error(refused) for a criterion of which the format knows nothing.
  finder(find_criteria c, const std::string& trace) : c_(std::move(c)) {
    const auto need = [&trace](bool has, const char* what) {
      if (!has)
        throw trace_error(trace_errc::refused, {.file = trace},
                          std::string("a trace of this format has no ") + what);
    };
    need(c_.code.empty() || with_code<I>, "code");
    need(c_.mnemonic.empty() || with_assembly<I>, "code to be disassembled");
    need(c_.bytes.empty() || with_memory_values<I>, "contents of memory");
    need(!c_.register_value || with_register_values<I>, "values of registers");
  }

  [[nodiscard]] bool operator()(const I& i) {
    const bool switched = last_ && *last_ != i.asid();
    last_ = i.asid();
    // What keeps a state is asked of every instruction.
    if (c_.register_value && !has_value(i)) return false;
    if (c_.thread_switch && !switched) return false;
    if (c_.ip && !c_.ip->meets(i.ip(), 1)) return false;
    if (c_.branch && i.branch() != *c_.branch) return false;
    if (c_.taken && (!i.is_branch() || i.taken() != *c_.taken)) return false;
    if (c_.memory && !touches(i)) return false;
    if (!c_.code.empty() && !begins(i)) return false;
    if (!c_.bytes.empty() && !holds(i)) return false;
    return c_.mnemonic.empty() || is_called(i);
  }

 private:
  [[nodiscard]] bool touches(const I& i) const {
    const auto any = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](std::uint64_t a) { return c_.memory->meets(a, 1); });
    };
    if constexpr (requires { i.accesses(); }) {
      for (const auto& a : i.accesses())
        if ((a.write ? c_.writes : c_.reads) && c_.memory->meets(a.address, a.size)) return true;
      return false;
    } else {
      return (c_.reads && any(i.source_memory())) || (c_.writes && any(i.destination_memory()));
    }
  }
  [[nodiscard]] bool begins([[maybe_unused]] const I& i) const {
    if constexpr (with_code<I>) {
      const std::span<const std::byte> code = i.code();
      return code.size() >= c_.code.size() &&
             std::equal(c_.code.begin(), c_.code.end(), code.begin());
    }
    return false;
  }
  [[nodiscard]] bool holds([[maybe_unused]] const I& i) const {
    bool found = false;
    if constexpr (with_memory_values<I>)
      for_each_memory_value(i, [&](std::uint64_t, std::span<const std::byte> all, bool written) {
        if (!found && (written ? c_.writes : c_.reads))
          found =
              std::search(all.begin(), all.end(), c_.bytes.begin(), c_.bytes.end()) != all.end();
      });
    return found;
  }
  // Whether a word of the text is the mnemonic, up to the first operand.
  [[nodiscard]] bool is_called([[maybe_unused]] const I& i) const {
    if constexpr (with_assembly<I>) {
      const auto text = assembly(i);
      std::string_view rest = text;
      while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        if (word == c_.mnemonic) return true;
        // "rep movsb": a prefix is no operand.
        constexpr std::array<std::string_view, 6> prefixes{"rep",   "repe",  "repz",
                                                           "repne", "repnz", "lock"};
        if (std::find(prefixes.begin(), prefixes.end(), word) == prefixes.end()) return false;
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      }
    }
    return false;
  }
  [[nodiscard]] bool has_value([[maybe_unused]] const I& i) {
    if constexpr (with_register_values<I>) {
      const bool has = register_value(i, c_.register_value->first) == c_.register_value->second;
      // Known before every instruction: what is meant is where it becomes so.
      if constexpr (requires { i.registers(); })
        return !std::exchange(had_[i.asid()], has) && has;
      else
        return has;
    }
    return false;
  }
  find_criteria c_;
  std::optional<std::uint32_t> last_ = {};
  std::unordered_map<std::uint32_t, bool> had_ = {};  // threads: whether it has the value
};

}  // namespace tracecodec::feed
