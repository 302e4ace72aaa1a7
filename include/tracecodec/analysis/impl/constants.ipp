// Implements analysis/constants.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "../../io/error.hpp"
#include "../../io/hash.hpp"
#include "../accessed_bytes.hpp"
#include "../address_span.hpp"
#include "../constants.hpp"
#include "../frequent.hpp"
#include "../memory_contents.hpp"

namespace tracecodec::analysis {

namespace detail {

// Bytes of a table in memory, in one of the byte orders.
struct constant_image {
  const known_constant* table = nullptr;
  bool big = false;
  std::vector<std::byte> bytes = {};
};

// Place of a value in an image.
struct constant_place {
  std::uint64_t value = 0;
  std::uint32_t image = 0, offset = 0;
  friend bool operator<(const constant_place& a, const constant_place& b) noexcept {
    return std::tie(a.value, a.image, a.offset) < std::tie(b.value, b.image, b.offset);
  }
};

// Sorted list of places, with a filter, because almost all values are in no table.
class constant_places {
 public:
  void add(std::uint64_t value, std::size_t image, std::size_t offset) {
    all_.push_back({value, static_cast<std::uint32_t>(image), static_cast<std::uint32_t>(offset)});
    filter_[slot_of(value)] = true;
  }
  void finish() { std::sort(all_.begin(), all_.end()); }
  [[nodiscard]] std::span<const constant_place> of(std::uint64_t value) const noexcept {
    if (!filter_[slot_of(value)]) return {};
    const auto begin = std::lower_bound(all_.begin(), all_.end(), constant_place{value, 0, 0});
    auto end = begin;
    while (end != all_.end() && end->value == value) ++end;
    return {begin, end};
  }

 private:
  static constexpr std::size_t slots = std::size_t{1} << 17;
  static std::size_t slot_of(std::uint64_t v) noexcept {
    return static_cast<std::size_t>(io::mixed(v) % slots);
  }
  std::vector<constant_place> all_ = {};
  std::vector<bool> filter_ = std::vector<bool>(slots);
};

// Entries of a table that have been seen at one place.
struct constant_candidate {
  std::uint64_t base = 0, first = 0, ip = 0, times = 0;
  std::uint64_t access = 0;  // number of the last access that counts
  std::uint32_t image = 0;
  std::uint8_t register_number = 0;
  std::bitset<256> entries = {};
};

}  // namespace detail

struct constant_search::state {
  struct nothing_else {};
  using candidate = detail::constant_candidate;
  // Number and address of an instruction.
  struct place {
    std::uint64_t index, ip;
  };

  explicit state(const std::vector<known_constant>& tables) {
    for (const known_constant& t : tables) {
      add_image(t, false);
      if (t.width != 1) add_image(t, true);
    }
    words.finish();
    for (detail::constant_places& p : whole) p.finish();
    in_registers.resize(images.size());
  }

  // Returns false for words of which only 16 bits at one end are used, or all others are set.
  static bool is_evidence(std::uint64_t word) noexcept {
    const auto v = static_cast<std::uint32_t>(word);
    const auto is_short = [](std::uint32_t w) { return w >> 16 == 0 || w << 16 == 0; };
    return !is_short(v) && !is_short(~v);
  }
  void add_image(const known_constant& t, bool big) {
    detail::constant_image image{&t, big};
    const std::size_t number = images.size();
    for (const std::uint64_t v : t.values) {
      std::uint64_t in_memory = 0;
      for (unsigned i = 0; i != t.width; ++i) {
        const unsigned shift = 8 * (big ? t.width - 1 - i : i);
        image.bytes.push_back(static_cast<std::byte>(v >> shift & 0xFFU));
        in_memory |= (v >> shift & 0xFFU) << 8 * i;
      }
      const std::size_t offset = image.bytes.size() - t.width;
      if (t.width == 1) {
        bytes[static_cast<std::size_t>(v)].push_back(
            {v, static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(offset)});
        continue;
      }
      for (unsigned i = 0; i != t.width; i += 4)
        if (const std::uint64_t word = in_memory >> 8 * i & 0xFFFFFFFF; is_evidence(word))
          words.add(word, number, offset + i);
      if (t.width == 8 ? v >> 32 != 0 : is_evidence(v))
        whole[t.width / 8].add(in_memory, number, offset);
    }
    images.push_back(std::move(image));
  }

  // Returns true if no known byte of memory contradicts the table.
  [[nodiscard]] bool agrees(const candidate& c) {
    contents_reader<nothing_else> here(memory);
    const std::vector<std::byte>& all = images[c.image].bytes;
    for (std::size_t i = 0; i != all.size(); ++i)
      if (const int v = here.at(c.base + i); v >= 0 && v != std::to_integer<int>(all[i]))
        return false;
    return true;
  }
  static bool is_enough(const candidate& c, const known_constant& t) {
    if (c.entries.count() < std::min(t.least, t.values.size())) return false;
    if (t.span == 0) return true;
    std::size_t low = 0, high = t.values.size() - 1;
    while (!c.entries[low]) ++low;
    while (!c.entries[high]) --high;
    return high - low >= t.span;
  }
  void mark(candidate& c, std::size_t offset, std::size_t n, std::uint64_t which) {
    const std::size_t width = images[c.image].table->width;
    for (std::size_t i = offset / width; i * width < offset + n; ++i) c.entries[i] = true;
    if (std::exchange(c.access, which) != which) ++c.times;
  }
  // Counts `n` bytes at `address` as those of an image from `offset` on.
  void count(std::uint32_t image, std::size_t offset, std::size_t n, std::uint64_t address,
             const place& at) {
    const std::uint64_t base = address - offset;
    const std::uint64_t key = io::mixed(base ^ io::mixed(image));
    if (const auto known = found_at.find(key); known != found_at.end())
      return mark(found[known->second], offset, n, accesses);
    auto& entry = candidates[key];
    candidate& c = entry.data;
    if (entry.count++ == 0) {
      c = {};
      c.base = base;
      c.image = image;
    }
    if (c.times == 0) {
      c.first = at.index;
      c.ip = at.ip;
    }
    mark(c, offset, n, accesses);
    if (!is_enough(c, *images[image].table)) return;
    if (agrees(c) && found.size() != most_found) {
      found_at.emplace(key, found.size());
      found.push_back(c);
    } else {
      c.entries.reset();
      c.times = c.access = 0;
    }
  }
  void add_memory(std::uint64_t address, std::span<const std::byte> all, const place& at) {
    ++accesses;
    each_line_part(
        memory, address, all,
        [this](std::uint64_t n) { return &memory.use(n, [](const auto&) {}); },
        [&](auto* line, std::size_t place_in_line, std::span<const std::byte> part) {
          std::copy(part.begin(), part.end(),
                    line->bytes.begin() + static_cast<std::ptrdiff_t>(place_in_line));
          line->known |= (~std::uint64_t{0} >> (64 - part.size())) << place_in_line;
        });
    for (const detail::constant_place& p : bytes[std::to_integer<std::size_t>(all[0])]) {
      const std::vector<std::byte>& image = images[p.image].bytes;
      if (all.size() == 1 ? all[0] != std::byte{0}
                          : all.size() <= image.size() - p.offset &&
                                std::equal(all.begin(), all.end(), image.begin() + p.offset))
        count(p.image, p.offset, all.size(), address, at);
    }
    for (std::size_t i = 0; i + 8 <= all.size(); i += 8)
      for (const detail::constant_place& p : whole[1].of(number_at(all, i, 8)))
        count(p.image, p.offset, 8, address + i, at);
    for (std::size_t i = 0; i + 4 <= all.size(); i += 4)
      for (const detail::constant_place& p : words.of(number_at(all, i, 4)))
        count(p.image, p.offset, 4, address + i, at);
  }
  void add_register(std::uint8_t number, std::span<const std::byte> all, const place& at) {
    for (std::size_t i = 0; i + 4 <= all.size(); i += 4) {
      if (i % 8 == 0 && i + 8 <= all.size() &&
          count_register(whole[1].of(number_at(all, i, 8)), number, at)) {
        i += 4;
        continue;
      }
      count_register(whole[0].of(number_at(all, i, 4)), number, at);
    }
  }
  bool count_register(std::span<const detail::constant_place> places, std::uint8_t number,
                      const place& at) {
    const detail::constant_place* last = nullptr;
    for (const detail::constant_place& p : places) {
      // A value that is several times in a table counts as one entry.
      if (const auto* before = std::exchange(last, &p);
          before != nullptr && before->image == p.image)
        continue;
      candidate& c = in_registers[p.image];
      if (c.times == 0) {
        c.first = at.index;
        c.ip = at.ip;
        c.image = p.image;
        c.register_number = number;
      }
      mark(c, p.offset, images[p.image].table->width, at.index + 1);
    }
    return !places.empty();
  }
  // Returns the addresses of the tables with several entries, joined where they overlap.
  [[nodiscard]] std::vector<address_span> ranges_of_tables() const {
    std::vector<address_span> all;
    for (const candidate& c : found)
      if (const auto& image = images[c.image]; image.table->values.size() > 1)
        all.push_back({c.base, c.base + (image.bytes.size() - 1)});
    std::sort(all.begin(), all.end(), [](const address_span& a, const address_span& b) {
      return std::tie(a.first, a.last) < std::tie(b.first, b.last);
    });
    for (std::size_t i = 1; i < all.size(); ++i)
      all[i].last = std::max(all[i].last, all[i - 1].last);
    return all;
  }
  static std::uint64_t number_at(std::span<const std::byte> all, std::size_t at, std::size_t n) {
    std::uint64_t v = 0;
    for (std::size_t i = 0; i != n; ++i) v |= std::to_integer<std::uint64_t>(all[at + i]) << 8 * i;
    return v;
  }

  std::vector<detail::constant_image> images = {};
  std::array<std::vector<detail::constant_place>, 256> bytes = {};  // places by value
  detail::constant_places words = {};
  std::array<detail::constant_places, 2> whole = {};  // entries of 4 and of 8 bytes
  memory_contents<nothing_else> memory = {};
  frequent<candidate> candidates{std::size_t{1} << 16};
  std::unordered_map<std::uint64_t, std::size_t, io::keyed_hash> found_at = {};
  std::vector<candidate> found = {};
  std::vector<candidate> in_registers = {};  // by image
  std::uint64_t accesses = 0;
  bool all_registers = false, first_row = true;
};

TRACECODEC_FUNC constant_search::constant_search(const feed::column_source& trace)
    : columns_(value_columns(trace)), state_(std::make_unique<state>(known_constants())) {
  state_->all_registers = trace.has_all_registers();
}
TRACECODEC_FUNC constant_search::constant_search(constant_search&&) noexcept = default;
TRACECODEC_FUNC constant_search& constant_search::operator=(constant_search&&) noexcept = default;
TRACECODEC_FUNC constant_search::~constant_search() = default;

TRACECODEC_FUNC void constant_search::add(const feed::columns& batch) {
  state& s = *state_;
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const state::place at{batch.first() + row, batch.ip()[row]};
    if (columns_.has(feed::column::memory_values))
      each_accessed_bytes(batch, row,
                          [&](std::uint64_t address, std::span<const std::byte> bytes, bool) {
                            if (!bytes.empty()) s.add_memory(address, bytes, at);
                          });
    if (columns_.has(feed::column::register_values))
      each_register_bytes(batch, row, !s.all_registers || s.first_row,
                          [&](std::uint8_t number, std::size_t, std::span<const std::byte> bytes,
                              bool) { s.add_register(number, bytes, at); });
    s.first_row = false;
  }
}

TRACECODEC_FUNC std::vector<found_constant> constant_search::result() const {
  std::vector<found_constant> all;
  const auto add = [&](const detail::constant_candidate& c, bool in_memory) {
    const detail::constant_image& image = state_->images[c.image];
    all.push_back({.table = image.table,
                   .big = image.big,
                   .address = in_memory ? std::optional(c.base) : std::nullopt,
                   .register_number = c.register_number,
                   .first = c.first,
                   .ip = c.ip,
                   .times = c.times,
                   .entries = c.entries.count()});
  };
  // A polynomial is also an entry of its table, and does not count there.
  const std::vector<address_span> tables = state_->ranges_of_tables();
  for (const auto& c : state_->found) {
    const auto next = std::upper_bound(
        tables.begin(), tables.end(), c.base,
        [](std::uint64_t address, const address_span& s) { return address < s.first; });
    const bool inside = next != tables.begin() && (next - 1)->last >= c.base;
    if (state_->images[c.image].table->values.size() != 1 || !inside) add(c, true);
  }
  for (const auto& c : state_->in_registers)
    if (c.times != 0 && state::is_enough(c, *state_->images[c.image].table)) add(c, false);
  std::sort(all.begin(), all.end(), [](const found_constant& a, const found_constant& b) {
    return std::tuple(a.first, a.address.has_value(), a.address, a.table, a.big) <
           std::tuple(b.first, b.address.has_value(), b.address, b.table, b.big);
  });
  return all;
}

}  // namespace tracecodec::analysis
