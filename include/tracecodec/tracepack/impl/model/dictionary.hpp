// Dictionary of a model frame. The dictionary contains patterns, static instructions, and units,
// which are sequences of static instructions. The entries of each kind are numbered in the order of
// first use.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "../../layout.hpp"
#include "../../shape.hpp"
#include "streams.hpp"

namespace tracecodec::tracepack::detail {

// Access to a memory slot by an instruction in a unit. An access consists of the site, the slot's
// position among the unit's records (in 8-byte words), and the register to which the address may be
// relative. All three parts are packed into one word, so that a single addition can change the
// position.
using access = std::uint64_t;
constexpr access access_of(std::uint32_t site, std::uint32_t word, std::uint8_t base) noexcept {
  return site | std::uint64_t{word} << 32 | std::uint64_t{base} << 48;
}
constexpr std::uint32_t site_of(access a) noexcept { return static_cast<std::uint32_t>(a); }
constexpr std::uint16_t word_of(access a) noexcept { return static_cast<std::uint16_t>(a >> 32); }
constexpr std::uint8_t base_of(access a) noexcept { return static_cast<std::uint8_t>(a >> 48); }
constexpr access moved(access a, std::uint64_t words) noexcept { return a + (words << 32); }

struct static_instruction {
  std::uint64_t ip;
  std::uint32_t pattern;
  std::uint32_t first_site;
};
struct unit {
  std::uint32_t first = 0;  // index in dictionary::members
  std::uint32_t length = 0;
  std::uint32_t first_access = 0;
  std::uint32_t accesses = 0;
};

// Returns a hash of a unit's number for use in histories. The hash is never 0.
constexpr std::uint64_t unit_hash(std::uint32_t number) noexcept {
  std::uint64_t h = (std::uint64_t{number} + 1) * 0x9E3779B97F4A7C15U;
  h ^= h >> 31;
  return h | 1;
}

class dictionary {
 public:
  // Creates an empty dictionary for records of the shape `of`. `properties` is
  // about_record::properties, which specifies the properties that are stored for each static
  // instruction.
  explicit dictionary(const shape& of, std::uint8_t properties = 0)
      : shape_(of), known_(properties) {
    // Size 0 means that records are not modelled.
    if (of.size == 0) return;
    std::vector<bool> taken(of.size, false);
    const auto word = [&taken](std::uint16_t at) { std::fill_n(taken.begin() + at, 8, true); };
    word(of.ip);
    for (const std::uint16_t s : of.slots) word(s);
    for (std::uint16_t i = 0; i != of.size; ++i)
      if (!taken[i]) static_bytes_.push_back(i);
    // Compact records, such as ChampSim's, consist of the ip, eight static bytes, and slots.
    compact_ = of.ip == 0 && static_bytes_.size() == 8 && static_bytes_.front() == 8 &&
               static_bytes_.back() == 15;
    image_size_ = compact_ ? 16 : of.size <= most_image ? of.size : 0;
  }

  // Returns the size of a pattern. A pattern consists of a record's static bytes, in the order of
  // their offsets, and a mask. Bit i of the mask is set if slot i is not 0.
  [[nodiscard]] std::size_t pattern_size() const noexcept { return static_bytes_.size() + 2; }
  [[nodiscard]] std::span<const std::byte> pattern(std::size_t number) const noexcept {
    return std::span(patterns_).subspan(number * pattern_size(), pattern_size());
  }
  void pattern_of(const std::byte* record, std::byte* to) const noexcept {
    if (compact_)
      to = std::copy_n(record + 8, 8, to);
    else
      for (const std::uint16_t at : static_bytes_) *to++ = record[at];
    const unsigned mask = slots_in_use(record);
    to[0] = static_cast<std::byte>(mask);
    to[1] = static_cast<std::byte>(mask >> 8);
  }
  // Returns true if a record has the static bytes of pattern `number`.
  [[nodiscard]] bool has_static_bytes(const std::byte* record, std::size_t number) const noexcept {
    const std::byte* p = pattern(number).data();
    for (const std::uint16_t at : static_bytes_)
      if (record[at] != *p++) return false;
    return true;
  }
  // Returns a mask in which bit i is set if slot i is not 0.
  [[gnu::always_inline]] [[nodiscard]] unsigned slots_in_use(
      const std::byte* record) const noexcept {
    unsigned mask = 0, bit = 1;
    // Unrolled form of the loop below.
    if (compact_ && shape_.size == 64) {
      const auto used = [record](unsigned i) {
        return load_word(record + 16 + std::size_t{i} * 8) != 0 ? 1U << i : 0U;
      };
      return used(0) | used(1) | used(2) | used(3) | used(4) | used(5);
    }
    for (const std::uint16_t at : shape_.slots) {
      mask |= load_word(record + at) != 0 ? bit : 0;
      bit <<= 1;
    }
    return mask;
  }
  [[nodiscard]] unsigned mask_of(std::size_t number) const noexcept {
    const auto p = pattern(number);
    return std::to_integer<unsigned>(p[p.size() - 2]) | std::to_integer<unsigned>(p[p.size() - 1])
                                                            << 8;
  }

  [[nodiscard]] std::size_t patterns() const noexcept { return patterns_.size() / pattern_size(); }
  void add_pattern(std::span<const std::byte> bytes) {
    patterns_.insert(patterns_.end(), bytes.begin(), bytes.end());
    // Choose the stack pointer if it is one of the registers. Otherwise, choose the first register.
    std::uint8_t base = 0;
    for (std::size_t i = 0; i != shape_.bases.size() && base != stack_pointer; ++i) {
      const auto at = std::lower_bound(static_bytes_.begin(), static_bytes_.end(), shape_.bases[i]);
      const auto r = std::to_integer<std::uint8_t>(
          bytes[static_cast<std::size_t>(at - static_bytes_.begin())]);
      if (i == 0 || r == stack_pointer) base = r;
    }
    bases_.push_back(base);
  }

  [[nodiscard]] const std::vector<static_instruction>& statics() const noexcept { return statics_; }
  // known() returns a mask of the properties that are stored for static instructions
  // (about_record::properties). property_of() returns the properties of static instruction
  // `number`. Unknown properties have the defaults of `property`.
  [[nodiscard]] std::uint8_t known() const noexcept { return known_; }
  [[nodiscard]] property property_of(std::size_t number) const {
    return known_ != 0 ? properties_[number] : property{};
  }
  void add_static(std::uint64_t ip, std::uint32_t pattern, const property& is = {}) {
    if (known_ != 0) properties_.push_back(is);
    statics_.push_back({ip, pattern, sites_});
    sites_ += static_cast<std::uint32_t>(std::popcount(mask_of(pattern)));
    if (!compact_ && has_images()) {
      const std::size_t at = images_.size();
      images_.resize(at + image_size_);
      make_image(statics_.back(), images_.data() + at);
    }
  }
  [[nodiscard]] std::uint32_t sites() const noexcept { return sites_; }

  [[nodiscard]] const std::vector<unit>& units() const noexcept { return units_; }
  [[nodiscard]] const std::vector<std::uint32_t>& members() const noexcept { return members_; }
  [[nodiscard]] std::span<const std::uint32_t> members_of(const unit& u) const noexcept {
    return std::span(members_).subspan(u.first, u.length);
  }
  [[nodiscard]] std::size_t accesses() const noexcept { return accesses_.size(); }
  [[nodiscard]] const access* accesses_of(const unit& u) const noexcept {
    return accesses_.data() + u.first_access;
  }
  void add_unit(std::span<const std::uint32_t> of) {
    unit u{static_cast<std::uint32_t>(members_.size()), static_cast<std::uint32_t>(of.size()),
           static_cast<std::uint32_t>(accesses_.size()), 0};
    members_.insert(members_.end(), of.begin(), of.end());
    if (compact_) images_.resize(members_.size() * image_size_);
    const std::uint32_t words = shape_.size / 8U;
    for (std::uint32_t k = 0; k != of.size(); ++k) {
      const static_instruction& s = statics_[of[k]];
      std::uint32_t site = s.first_site;
      for (unsigned mask = mask_of(s.pattern); mask != 0; mask &= mask - 1) {
        const std::uint16_t slot = shape_.slots[static_cast<std::size_t>(std::countr_zero(mask))];
        accesses_.push_back(access_of(site++, k * words + slot / 8U, bases_[s.pattern]));
      }
      if (compact_) {
        std::byte* const image = images_.data() + (u.first + k) * image_size_;
        store_word(s.ip, image);
        std::memcpy(image + 8, pattern(s.pattern).data(), 8);
      }
    }
    u.accesses = static_cast<std::uint32_t>(accesses_.size()) - u.first_access;
    units_.push_back(u);
  }

  // Functions for images, which are records without addresses. A compact dictionary contains an
  // image of 16 bytes for each member of each unit. Any other dictionary contains an entire record
  // for each static instruction, unless records are larger than most_image.
  [[nodiscard]] bool compact() const noexcept { return compact_; }
  [[nodiscard]] bool has_images() const noexcept { return image_size_ != 0; }
  [[nodiscard]] const std::byte* image(std::size_t i) const noexcept {
    return images_.data() + i * image_size_;
  }
  // Stores the record of static instruction `i` in `to`, with 0 for all addresses.
  void make_record(std::size_t i, std::byte* to) const { fill(statics_[i], to, shape_.size); }
  [[nodiscard]] const shape& of() const noexcept { return shape_; }

  // Numbers of entries of each kind in a dictionary. If a frame extends the dictionary, the frame's
  // own entries follow.
  struct extent {
    std::size_t patterns = 0, statics = 0, units = 0;
  };
  [[nodiscard]] extent size() const noexcept {
    return {patterns(), statics_.size(), units_.size()};
  }
  // Reserves memory for `more` additional entries. `in_units` is the number of members of the
  // additional units.
  void reserve(const extent& more, std::size_t in_units) {
    const auto grow = [](auto& v, std::size_t n) { v.reserve(v.size() + n); };
    grow(patterns_, more.patterns * pattern_size());
    grow(bases_, more.patterns);
    grow(statics_, more.statics);
    if (known_ != 0) grow(properties_, more.statics);
    grow(units_, more.units);
    grow(members_, in_units);
    accesses_.reserve(std::min<std::size_t>(accesses_.size() + in_units * shape_.slots.size(),
                                            most_accesses + most_in_unit * most_slots));
    grow(images_, (compact_ ? in_units : more.statics) * image_size_);
  }
  // Returns the size in bytes that the dictionary has after adding `more` entries, if all slots are
  // in use. `in_units` is the number of members of the additional units.
  [[nodiscard]] std::size_t bytes(const extent& more, std::size_t in_units) const noexcept {
    const std::size_t all_members = members_.size() + in_units;
    const std::size_t all_statics = statics_.size() + more.statics;
    return (patterns() + more.patterns) * (pattern_size() + 1) +
           all_statics * (sizeof(static_instruction) + (known_ != 0 ? sizeof(property) : 0)) +
           (units_.size() + more.units) * sizeof(unit) + all_members * sizeof(std::uint32_t) +
           (compact_ ? all_members : all_statics) * image_size_ +
           std::min<std::size_t>(accesses_.size() + in_units * shape_.slots.size(), most_accesses) *
               sizeof(access);
  }
  void shrink(const extent& to) {
    if (to.units < units_.size()) {
      const unit& u = units_[to.units];
      members_.resize(u.first);
      accesses_.resize(u.first_access);
      if (compact_) images_.resize(u.first * image_size_);
      units_.resize(to.units);
    }
    if (to.statics < statics_.size()) {
      sites_ = statics_[to.statics].first_site;
      statics_.resize(to.statics);
      if (known_ != 0) properties_.resize(to.statics);
      if (!compact_) images_.resize(to.statics * image_size_);
    }
    if (to.patterns < patterns()) {
      patterns_.resize(to.patterns * pattern_size());
      bases_.resize(to.patterns);
    }
  }

 private:
  static constexpr std::uint8_t stack_pointer = 6;
  static constexpr std::uint16_t most_image =
      128;  // largest image in bytes; all images together then take at most 16 MiB

  void make_image(const static_instruction& s, std::byte* to) const { fill(s, to, image_size_); }
  void fill(const static_instruction& s, std::byte* to, std::size_t size) const {
    std::memset(to, 0, size);
    for (unsigned i = 0; i != 8; ++i) to[shape_.ip + i] = static_cast<std::byte>(s.ip >> 8 * i);
    const auto p = pattern(s.pattern);
    for (std::size_t i = 0; i != static_bytes_.size(); ++i) to[static_bytes_[i]] = p[i];
  }

  shape shape_;
  std::uint8_t known_;
  // Properties of static instructions. The vector is empty if known_ is 0.
  std::vector<property> properties_ = {};
  std::vector<std::uint16_t> static_bytes_ = {};  // offsets of the static bytes
  bool compact_ = false;
  std::size_t image_size_ = 0;
  std::vector<std::byte> patterns_ = {};
  std::vector<std::uint8_t> bases_ = {};  // base register of each pattern
  std::vector<static_instruction> statics_ = {};
  std::uint32_t sites_ = 0;
  std::vector<unit> units_ = {};
  std::vector<std::uint32_t> members_ = {};
  std::vector<access> accesses_ = {};
  std::vector<std::byte> images_ = {};
};

}  // namespace tracecodec::tracepack::detail
