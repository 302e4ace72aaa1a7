// Contents of memory as the accesses of a trace show them, in bounded memory.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../config.hpp"
#include "../io/hash.hpp"

namespace tracecodec::analysis {

// Contents of up to 16,384 lines of 64 bytes. Lines are in groups of 16, by a hash of their number.
// In a full group, a new line replaces the one that was used least recently. `Data` is stored with
// each line.
template <class Data> class memory_contents {
 public:
  static constexpr unsigned line_bits = 6;
  static constexpr std::size_t line_size = std::size_t{1} << line_bits;
  static constexpr std::size_t groups = 1024, group_size = 16;

  struct line {
    std::uint64_t number = 0;  // address divided by line_size
    std::uint64_t known = 0;   // bit for each byte with a value
    std::uint64_t used = 0;
    std::array<std::byte, line_size> bytes = {};
    Data data = {};
  };

  memory_contents() : groups_(groups) {}

  // Returns the line, or null if it is not stored. A pointer is valid until the next use().
  [[nodiscard]] line* find(std::uint64_t number) noexcept {
    for (line& l : group_of(number))
      if (l.number == number) return &l;
    return nullptr;
  }
  // Returns the line, which has no known bytes if it is new. Calls dropped(line) for the line that
  // it replaces, if there is one.
  template <class Dropped> line& use(std::uint64_t number, Dropped dropped) {
    line* found = find(number);
    if (found == nullptr) {
      auto& group = group_of(number);
      if (group.size() < group_size) {
        if (group.empty()) group.reserve(group_size);
        group.emplace_back();
        found = &group.back();
      } else {
        found = &*std::min_element(group.begin(), group.end(),
                                   [](const line& a, const line& b) { return a.used < b.used; });
        dropped(*found);
        *found = {};
      }
      found->number = number;
    }
    found->used = ++clock_;
    return *found;
  }
  // Returns the lines, sorted by number.
  [[nodiscard]] std::vector<line*> lines() {
    std::vector<line*> all;
    for (auto& group : groups_)
      for (line& l : group) all.push_back(&l);
    std::sort(all.begin(), all.end(),
              [](const line* a, const line* b) { return a->number < b->number; });
    return all;
  }

 private:
  [[nodiscard]] std::vector<line>& group_of(std::uint64_t number) noexcept {
    return groups_[static_cast<std::size_t>(io::mixed(number) % groups)];
  }

  std::vector<std::vector<line>> groups_;
  std::uint64_t clock_ = 0;
};

// Reader of single bytes of memory, fast for bytes that are near each other.
template <class Data> class contents_reader {
  using contents = memory_contents<Data>;

 public:
  explicit contents_reader(contents& of) noexcept : of_(&of) {}
  // Returns the line and the place of a byte in the line, or null if the byte is unknown.
  [[nodiscard]] typename contents::line* line_of(std::uint64_t address) noexcept {
    const std::uint64_t number = address >> contents::line_bits;
    if (!any_ || number != number_) {
      line_ = of_->find(number);
      number_ = number;
      any_ = true;
    }
    return line_ != nullptr && (line_->known >> (address % contents::line_size) & 1) != 0 ? line_
                                                                                          : nullptr;
  }
  // Returns the value of a byte, or -1 if it is unknown.
  [[nodiscard]] int at(std::uint64_t address) noexcept {
    const auto* l = line_of(address);
    return l == nullptr ? -1
                        : std::to_integer<int>(
                              l->bytes[static_cast<std::size_t>(address % contents::line_size)]);
  }

 private:
  contents* of_;
  typename contents::line* line_ = nullptr;
  std::uint64_t number_ = 0;
  bool any_ = false;
};

// Calls f(line, place, bytes) for the parts of `bytes` in each line from `address` on. use(number)
// returns the line.
template <class Data, class Bytes, class Use, class F>
void each_line_part(const memory_contents<Data>&, std::uint64_t address, Bytes bytes, Use use,
                    F f) {
  constexpr std::size_t size = memory_contents<Data>::line_size;
  while (!bytes.empty()) {
    const auto place = static_cast<std::size_t>(address % size);
    const std::size_t n = std::min(bytes.size(), size - place);
    f(use(address / size), place, bytes.first(n));
    address += n;
    bytes = bytes.subspan(n);
  }
}

}  // namespace tracecodec::analysis
