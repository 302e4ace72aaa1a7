// Implements analysis/texts.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "../../io/hash.hpp"
#include "../../io/text/utf8.hpp"
#include "../accessed_bytes.hpp"
#include "../memory_contents.hpp"
#include "../texts.hpp"

namespace tracecodec::analysis {

namespace detail {

// Instructions that set the bytes of a line. A byte is fresh until the text that contains it is
// found.
struct text_origins {
  static constexpr std::size_t size = 64;
  std::uint64_t fresh = 0;
  std::array<std::uint64_t, size> at = {}, ip = {};
};

constexpr bool is_text(char32_t c) noexcept {
  return c == '\t' || c == '\n' || c == '\r' || io::is_shown(c);
}

// Character at an address, of up to 4 bytes. A size of 0 means that there is none.
struct text_character {
  std::uint64_t address = 0;
  std::size_t size = 0;
};

}  // namespace detail

struct text_search::state {
  using origins = detail::text_origins;
  using contents = memory_contents<origins>;
  using character = detail::text_character;

  // Hash and comparison of the texts with these indices.
  struct hash {
    const std::vector<found_text>* all;
    std::size_t operator()(std::size_t i) const noexcept {
      const found_text& t = (*all)[i];
      return io::keyed_hash()(io::keyed_hash()(std::string_view(t.text)), t.address,
                              static_cast<std::uint64_t>(t.encoding));
    }
  };
  struct equal {
    const std::vector<found_text>* all;
    bool operator()(std::size_t a, std::size_t b) const noexcept {
      const found_text &s = (*all)[a], &t = (*all)[b];
      return s.address == t.address && s.encoding == t.encoding && s.text == t.text;
    }
  };

  explicit state(std::uint64_t least) : length(std::max<std::uint64_t>(least, 1)) {}

  // Return the character that begins at an address, or one of size 0.
  character utf8_at(std::uint64_t address) {
    std::array<char, 4> bytes{};
    std::size_t n = 0;
    for (; n != bytes.size(); ++n) {
      const int v = reader->at(address + n);
      if (v < 0) break;
      bytes[n] = static_cast<char>(v);
      if (n == 0 && v < 0x80) {
        ++n;
        break;
      }
    }
    if (n == 0) return {};
    const io::character c = io::front_character(std::string_view(bytes.data(), n));
    return c.size != 0 && detail::is_text(c.number) ? character{address, c.size} : character{};
  }
  character utf16_at(std::uint64_t address) {
    constexpr char32_t last = 0x52F;
    const int low = reader->at(address), high = reader->at(address + 1);
    if (low < 0 || high < 0) return {};
    const auto c = static_cast<char32_t>(low | high << 8);
    return c <= last && detail::is_text(c) ? character{address, 2} : character{};
  }
  character at(text_encoding e, std::uint64_t address) {
    return e == text_encoding::utf8 ? utf8_at(address) : utf16_at(address);
  }
  // Returns the character that ends before an address.
  character before(text_encoding e, std::uint64_t address) {
    if (e == text_encoding::utf16) return utf16_at(address - 2);
    for (std::uint64_t n = 1; n <= 4; ++n)
      if (const character c = utf8_at(address - n); c.size == n) return c;
    return {};
  }

  // Finds the texts with the byte at an address, which is fresh. Adds those that are too short to
  // `too_short`.
  void find_around(std::uint64_t address) {
    too_short.clear();
    for (std::uint64_t n = 0; n != 2; ++n)
      if (const character c = utf16_at(address - n); c.size != 0)
        find_text(text_encoding::utf16, c);
    for (std::uint64_t n = 0; n != 4; ++n)
      if (const character c = utf8_at(address - n); c.size > n) {
        find_text(text_encoding::utf8, c);
        break;
      }
  }
  void find_text(text_encoding e, const character& around) {
    character first = around;
    while (around.address - first.address < most_length) {
      const character c = before(e, first.address);
      if (c.size == 0) break;
      first = c;
    }
    // Of longer text, the part before has been found, or will be.
    if (around.address - first.address >= most_length) first = around;
    std::uint64_t n = 0, end = first.address;
    for (character c = first; c.size != 0 && end - first.address < 2 * most_length;
         c = at(e, end), ++n)
      end = c.address + c.size;
    if (n >= length)
      keep(e, first.address, end);
    else
      too_short.emplace_back(first.address, end);
  }
  // Stores the text from `begin` to `end`, if a byte is fresh.
  void keep(text_encoding e, std::uint64_t begin, std::uint64_t end) {
    found_text t{.address = begin, .encoding = e};
    bool fresh = false;
    std::u16string units;
    for (std::uint64_t a = begin; a != end; ++a) {
      auto& line = *reader->line_of(a);
      const auto place = static_cast<std::size_t>(a % contents::line_size);
      fresh = fresh || (line.data.fresh >> place & 1) != 0;
      line.data.fresh &= ~(std::uint64_t{1} << place);
      if (a == begin || line.data.at[place] < t.first)
        std::tie(t.first, t.ip) = std::pair(line.data.at[place], line.data.ip[place]);
      t.last = std::max(t.last, line.data.at[place]);
      if (e == text_encoding::utf8)
        t.text += static_cast<char>(line.bytes[place]);
      else if ((a - begin) % 2 == 0)
        units += static_cast<char16_t>(reader->at(a) | reader->at(a + 1) << 8);
    }
    if (!fresh) return;
    if (e == text_encoding::utf16) t.text = io::utf8_of(units);
    if (found.size() == most_texts || size + t.text.size() > most_bytes) {
      ++left_out;
      return;
    }
    found.push_back(std::move(t));
    if (known.insert(found.size() - 1).second)
      size += found.back().text.size();
    else
      found.pop_back();
  }

  // Finds all texts with a fresh byte in a line.
  void find_in(contents::line& l) {
    while (l.data.fresh != 0) {
      const auto place = static_cast<unsigned>(std::countr_zero(l.data.fresh));
      find_around((l.number << contents::line_bits) + place);
      l.data.fresh &= ~(std::uint64_t{1} << place);
      for (const auto& [begin, end] : too_short)
        for (std::uint64_t a = begin; a != end; ++a)
          reader->line_of(a)->data.fresh &= ~(std::uint64_t{1} << a % contents::line_size);
    }
  }
  contents::line& use(std::uint64_t number) {
    return memory.use(number, [this](contents::line& old) {
      contents_reader<origins> here(memory);
      reader = &here;
      find_in(old);
      reader = nullptr;
    });
  }
  void add(std::uint64_t address, std::span<const std::byte> all, std::uint64_t index,
           std::uint64_t ip) {
    // Find texts before any of the bytes changes.
    each_line_part(
        memory, address, all, [this](std::uint64_t n) { return memory.find(n); },
        [&](contents::line* l, std::size_t place, std::span<const std::byte> part) {
          if (l == nullptr || (l->data.fresh & l->known) == 0) return;
          for (std::size_t i = place; const std::byte b : part) {
            if ((l->known & l->data.fresh) >> i & 1 && l->bytes[i] != b) {
              contents_reader<origins> here(memory);
              reader = &here;
              find_around((l->number << contents::line_bits) + i);
              reader = nullptr;
            }
            ++i;
          }
        });
    each_line_part(
        memory, address, all, [this](std::uint64_t n) { return &use(n); },
        [&](contents::line* l, std::size_t place, std::span<const std::byte> part) {
          for (std::size_t i = place; const std::byte b : part) {
            const std::uint64_t bit = std::uint64_t{1} << i;
            const bool same = (l->known & bit) != 0 && l->bytes[i] == b;
            if (!same || (l->data.fresh & bit) == 0) {
              l->data.at[i] = index;
              l->data.ip[i] = ip;
            }
            if (!same) {
              l->bytes[i] = b;
              l->known |= bit;
              l->data.fresh |= bit;
            }
            ++i;
          }
        });
  }

  std::uint64_t length;
  contents memory = {};
  contents_reader<origins>* reader = nullptr;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> too_short = {};
  std::vector<found_text> found = {};
  std::unordered_set<std::size_t, hash, equal> known{16, hash{&found}, equal{&found}};
  std::uint64_t size = 0, left_out = 0;  // of the texts found, in bytes
};

TRACECODEC_FUNC text_search::text_search(std::uint64_t length)
    : state_(std::make_unique<state>(length)) {}
TRACECODEC_FUNC text_search::text_search(text_search&&) noexcept = default;
TRACECODEC_FUNC text_search& text_search::operator=(text_search&&) noexcept = default;
TRACECODEC_FUNC text_search::~text_search() = default;

TRACECODEC_FUNC void text_search::add(const feed::columns& batch) {
  for (std::size_t row = 0; row != batch.size(); ++row)
    each_accessed_bytes(batch, row,
                        [&](std::uint64_t address, std::span<const std::byte> bytes, bool) {
                          state_->add(address, bytes, batch.first() + row, batch.ip()[row]);
                        });
}
TRACECODEC_FUNC void text_search::add(std::uint64_t address, std::span<const std::byte> bytes,
                                      std::uint64_t index, std::uint64_t ip) {
  state_->add(address, bytes, index, ip);
}

TRACECODEC_FUNC const std::vector<found_text>& text_search::result() {
  contents_reader<detail::text_origins> here(state_->memory);
  state_->reader = &here;
  for (auto* line : state_->memory.lines()) state_->find_in(*line);
  state_->reader = nullptr;
  state_->known.clear();  // it refers to places in the vector, which change
  std::sort(state_->found.begin(), state_->found.end(),
            [](const found_text& a, const found_text& b) {
              return std::tie(a.first, a.address, a.encoding, a.text) <
                     std::tie(b.first, b.address, b.encoding, b.text);
            });
  return state_->found;
}
TRACECODEC_FUNC std::uint64_t text_search::left_out() const noexcept { return state_->left_out; }

}  // namespace tracecodec::analysis
