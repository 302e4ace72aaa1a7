// Implements analysis/value_search.hpp.
#pragma once
#include <algorithm>
#include <utility>

#include "../accessed_bytes.hpp"
#include "../memory_contents.hpp"
#include "../value_search.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC std::vector<value_pattern> number_patterns(std::uint64_t number, bool negative,
                                                           std::optional<unsigned> width) {
  constexpr unsigned least_part = 4;
  std::vector<value_pattern> all;
  for (unsigned size = 1; size <= 8; size *= 2) {
    if (width && *width != size) continue;
    const unsigned unused = 64 - 8 * size;
    // A number fits if the bits that are left out are 0, or copies of the sign.
    const std::uint64_t low = number << unused >> unused;
    const bool fits = negative ? (number >> (8 * size - 1)) == ~std::uint64_t{0} >> (8 * size - 1)
                               : low == number;
    if (!fits) continue;
    value_pattern p{.is_number = true, .only_whole = !width && size < least_part};
    for (unsigned i = 0; i != size; ++i)
      p.bytes.push_back(static_cast<std::byte>(number >> 8 * i & 0xFFU));
    p.order = size == 1 ? value_order::none : value_order::little;
    all.push_back(p);
    std::reverse(p.bytes.begin(), p.bytes.end());
    p.order = value_order::big;
    if (p.bytes != all.back().bytes) all.push_back(p);
  }
  return all;
}

struct value_search::state {
  struct nothing_else {};
  struct match {
    std::size_t begin = 0, end = 0, pattern = 0;
    bool inside = true;
  };

  // Finds matches in `buffer`, of which the access is the part from `from` to `to`.
  void match_all(std::size_t from, std::size_t to) {
    matches.clear();
    for (std::size_t p = 0; p != patterns.size(); ++p) {
      const value_pattern& wanted = patterns[p];
      const std::size_t n = wanted.bytes.size();
      if (wanted.only_whole) {
        if (n == to - from && std::equal(wanted.bytes.begin(), wanted.bytes.end(),
                                         buffer.begin() + static_cast<std::ptrdiff_t>(from)))
          matches.push_back({from, to, p, true});
        continue;
      }
      for (auto at = buffer.begin();; ++at) {
        at = std::search(at, buffer.end(), wanted.bytes.begin(), wanted.bytes.end());
        if (at == buffer.end()) break;
        const auto begin = static_cast<std::size_t>(at - buffer.begin()), end = begin + n;
        const bool inside = begin >= from && end <= to;
        if (inside || sets(begin, end, from, to)) matches.push_back({begin, end, p, inside});
      }
    }
    std::sort(matches.begin(), matches.end(), [](const match& a, const match& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.pattern < b.pattern;
    });
  }
  // Returns true if the access sets one of the bytes from `begin` to `end`.
  [[nodiscard]] bool sets(std::size_t begin, std::size_t end, std::size_t from,
                          std::size_t to) const {
    for (std::size_t i = std::max(begin, from); i < std::min(end, to); ++i)
      if (is_set[i - from]) return true;
    return false;
  }
  // Returns true if there is a wider match of the same number. Only matches that begin up to 8 bytes
  // before can be wider.
  [[nodiscard]] bool is_in_wider(std::size_t at) const {
    const match& m = matches[at];
    const value_pattern& p = patterns[m.pattern];
    if (!p.is_number) return false;
    const auto is_wider = [&](const match& other) {
      const value_pattern& q = patterns[other.pattern];
      if (q.bytes.size() <= p.bytes.size()) return false;
      // A number of one byte has any order.
      return (p.order != value_order::big && q.order == value_order::little &&
              other.begin == m.begin) ||
             (p.order != value_order::little && q.order == value_order::big && other.end == m.end);
    };
    for (std::size_t i = at; i-- != 0 && matches[i].begin + 8 > m.begin;)
      if (is_wider(matches[i])) return true;
    for (std::size_t i = at + 1; i != matches.size() && matches[i].begin == m.begin; ++i)
      if (is_wider(matches[i])) return true;
    return false;
  }

  // Adds an access to the contents of memory, and fills `buffer` with its bytes and, if it sets
  // bytes, with those around them. Returns the number of bytes before those of the access.
  std::size_t add(std::uint64_t address, std::span<const std::byte> bytes) {
    is_set.assign(bytes.size(), false);
    bool any = false;
    std::size_t done = 0;
    each_line_part(
        memory, address, bytes,
        [this](std::uint64_t n) { return &memory.use(n, [](const auto&) {}); },
        [&](auto* line, std::size_t place, std::span<const std::byte> part) {
          for (std::size_t i = 0; i != part.size(); ++i) {
            const std::uint64_t bit = std::uint64_t{1} << (place + i);
            if ((line->known & bit) == 0 || line->bytes[place + i] != part[i])
              is_set[done + i] = any = true;
            line->known |= bit;
            line->bytes[place + i] = part[i];
          }
          done += part.size();
        });
    buffer.clear();
    if (any) {
      contents_reader<nothing_else> here(memory);
      for (std::uint64_t n = 1; n < reach; ++n) {
        const int v = here.at(address - n);
        if (v < 0) break;
        buffer.push_back(static_cast<std::byte>(v));
      }
      std::reverse(buffer.begin(), buffer.end());
      const std::size_t before = buffer.size();
      buffer.insert(buffer.end(), bytes.begin(), bytes.end());
      for (std::uint64_t n = 0; n + 1 < reach; ++n) {
        const int v = here.at(address + bytes.size() + n);
        if (v < 0) break;
        buffer.push_back(static_cast<std::byte>(v));
      }
      return before;
    }
    buffer.assign(bytes.begin(), bytes.end());
    return 0;
  }

  std::vector<value_pattern> patterns;
  bool all_registers;
  std::size_t reach = 0;  // size of the longest pattern that is put together from accesses
  bool first_row = true;
  memory_contents<nothing_else> memory = {};
  std::vector<std::byte> buffer = {};
  std::vector<bool> is_set = {};
  std::vector<match> matches = {};
};

TRACECODEC_FUNC value_search::value_search(std::vector<value_pattern> patterns,
                                           const feed::column_source& trace)
    : columns_(value_columns(trace)), state_(std::make_unique<state>()) {
  state_->patterns = std::move(patterns);
  state_->all_registers = trace.has_all_registers();
  for (const value_pattern& p : state_->patterns)
    if (!p.only_whole) state_->reach = std::max(state_->reach, p.bytes.size());
}
TRACECODEC_FUNC value_search::value_search(value_search&&) noexcept = default;
TRACECODEC_FUNC value_search& value_search::operator=(value_search&&) noexcept = default;
TRACECODEC_FUNC value_search::~value_search() = default;

TRACECODEC_FUNC void value_search::add(const feed::columns& batch) {
  state& s = *state_;
  found_.clear();
  for (std::size_t row = 0; row != batch.size(); ++row) {
    if (columns_.has(feed::column::memory_values))
      each_accessed_bytes(batch, row,
                          [&](std::uint64_t address, std::span<const std::byte> bytes, bool write) {
                            add_memory(row, address, bytes, write);
                          });
    const std::size_t before = found_.size();
    if (columns_.has(feed::column::register_values))
      each_register_bytes(batch, row, !s.all_registers || s.first_row,
                          [&](std::uint8_t number, std::size_t offset,
                              std::span<const std::byte> bytes, bool after) {
                            add_register({row, number, offset, after, before}, bytes);
                          });
    s.first_row = false;
  }
}

TRACECODEC_FUNC void value_search::add_memory(std::size_t row, std::uint64_t address,
                                              std::span<const std::byte> bytes, bool write) {
  state& s = *state_;
  const std::size_t from = s.add(address, bytes);
  s.match_all(from, from + bytes.size());
  for (std::size_t i = 0; i != s.matches.size(); ++i)
    if (const state::match& m = s.matches[i]; !s.is_in_wider(i))
      found_.push_back({.row = row,
                        .place = write ? value_place::written : value_place::read,
                        .address = address + m.begin - from,
                        .pattern = m.pattern,
                        .put_together = !m.inside});
}

TRACECODEC_FUNC void value_search::add_register(const register_at& r,
                                                std::span<const std::byte> bytes) {
  state& s = *state_;
  s.buffer.assign(bytes.begin(), bytes.end());
  s.match_all(0, bytes.size());
  for (std::size_t i = 0; i != s.matches.size(); ++i) {
    if (s.is_in_wider(i)) continue;
    const found_value f{
        .row = r.row,
        .place = r.after ? value_place::register_after : value_place::register_before,
        .address = r.offset + s.matches[i].begin,
        .register_number = r.number,
        .pattern = s.matches[i].pattern};
    // True if the instruction leaves the value as it was.
    const bool known =
        std::any_of(found_.begin() + static_cast<std::ptrdiff_t>(r.found_before), found_.end(),
                    [&](const found_value& o) {
                      return o.place == value_place::register_before && o.address == f.address &&
                             o.register_number == f.register_number && o.pattern == f.pattern;
                    });
    if (!known) found_.push_back(f);
  }
}

}  // namespace tracecodec::analysis
