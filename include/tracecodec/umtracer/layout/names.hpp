// Names of XED's categories, mnemonics and forms, and of system calls (UMTracer specification, 14).
// A trace contains only numbers. The names are supplied by the caller, or by read_names() from a
// header with the enumerations.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../config.hpp"

namespace tracecodec::umtracer {

// Two-way mapping between numbers and names. Needs about 60 bytes of memory for each name.
class name_table {
 public:
  struct entry {
    std::uint32_t number;
    std::string name;
    friend bool operator==(const entry&, const entry&) = default;
  };
  enum class letters : std::uint8_t { exact, any_case };

  name_table() = default;
  // Builds the table from entries in any order. If a number has several names, name() returns the
  // first name, but number() finds every name. If two entries have the same name, number() returns
  // the number of the first entry.
  explicit name_table(std::vector<entry> entries);

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }

  // Returns the name of a number, or an empty string if the number has no name. The result is valid
  // as long as the table exists. Takes O(log n) steps.
  [[nodiscard]] std::string_view name(std::uint32_t number) const noexcept;
  // Returns the name of a number, or the decimal number itself if it has no name.
  [[nodiscard]] std::string text(std::uint32_t number) const;
  // Returns the number with the name `name`, or nullopt if the table does not contain the name.
  // Takes O(log n) steps.
  [[nodiscard]] std::optional<std::uint32_t> number(std::string_view name,
                                                    letters how = letters::exact) const noexcept;

 private:
  static constexpr int lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
  // Compares two names without regard to case. The result is negative, 0 or positive.
  static int order(std::string_view a, std::string_view b) noexcept;

  std::vector<entry> entries_ = {};
  std::vector<std::size_t> by_number_ = {}, by_name_ = {};
};

// Names for a trace. If a table is empty, its text() returns decimal numbers.
struct names {
  name_table categories = {};           // decoded_instruction::category
  name_table mnemonics = {};            // decoded_instruction::mnemonic
  name_table forms = {};                // decoded_instruction::form
  name_table syscalls = {};             // syscall_record::uniform_id
  std::vector<std::string> files = {};  // files that read_names() has read
};

// Prefixes of each kind of enumerator in the headers.
inline constexpr std::string_view category_prefix = "XED_CATEGORY_";
inline constexpr std::string_view mnemonic_prefix = "XED_ICLASS_";
inline constexpr std::string_view form_prefix = "XED_IFORM_";
inline constexpr std::string_view syscall_prefix = "SYSCALL_";

inline name_table::name_table(std::vector<entry> entries)
    : entries_(std::move(entries)), by_number_(entries_.size()) {
  for (std::size_t i = 0; i < entries_.size(); ++i) by_number_[i] = i;
  by_name_ = by_number_;
  std::sort(by_number_.begin(), by_number_.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(entries_[a].number, a) < std::pair(entries_[b].number, b);
  });
  std::sort(by_name_.begin(), by_name_.end(), [this](std::size_t a, std::size_t b) {
    const auto names = order(entries_[a].name, entries_[b].name);
    return names < 0 || (names == 0 && a < b);
  });
}
inline std::string_view name_table::name(std::uint32_t number) const noexcept {
  const auto at =
      std::lower_bound(by_number_.begin(), by_number_.end(), number,
                       [this](std::size_t i, std::uint32_t n) { return entries_[i].number < n; });
  return at != by_number_.end() && entries_[*at].number == number
             ? std::string_view(entries_[*at].name)
             : std::string_view();
}
inline std::string name_table::text(std::uint32_t number) const {
  const std::string_view n = name(number);
  return n.empty() ? std::to_string(number) : std::string(n);
}
inline std::optional<std::uint32_t> name_table::number(std::string_view name,
                                                       letters how) const noexcept {
  auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [this](std::size_t i, std::string_view n) { return order(entries_[i].name, n) < 0; });
  for (; at != by_name_.end() && order(entries_[*at].name, name) == 0; ++at)
    if (how == letters::any_case || entries_[*at].name == name) return entries_[*at].number;
  return std::nullopt;
}
inline int name_table::order(std::string_view a, std::string_view b) noexcept {
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i)
    if (const int d = lower(a[i]) - lower(b[i]); d != 0) return d;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

}  // namespace tracecodec::umtracer
