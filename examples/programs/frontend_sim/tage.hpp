// Plain TAGE predictor, after Seznec and Michaud. One table of counters is indexed by the address.
// The other tables are indexed by the address and by increasingly long stretches of history, and
// their entries have tags. The matching table with the longest history makes the prediction.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "history.hpp"
#include "sizes.hpp"

namespace frontend {

// Direction predictor with the policy interface of direction.hpp. Its results are deterministic,
// because a new entry always goes into the first free place.
class tage {
 public:
  static constexpr const char* name = "tage";
  static constexpr std::size_t default_size = 16384;
  // Creates `size` counters in the table without tags, and `size` / 16 entries in each other table.
  // `size` must be a power of two and at least 32.
  explicit tage(std::size_t size = default_size) {
    tables_.emplace_back(size, table::shape{0, 0});
    for (const table::shape& s : tagged) tables_.emplace_back(size / 16, s);
  }

  bool predict(std::uint64_t ip) {
    for (std::size_t t = 0; t < count; ++t) found_[t] = tables_[t].at(ip);
    provider_ = match_below(count);
    provided_ = found_[provider_].row->taken();
    alternate_ = provider_ == 0 ? 0 : match_below(provider_);
    alternative_ = found_[alternate_].row->taken();
    alternate_is_weak_ = found_[alternate_].row->is_weak();
    // If the entry is weak, the match with the next shorter history may predict better.
    weak_ = found_[provider_].row->is_weak();
    prefers_alternate_ = provider_ != 0 && weak_ && preference() >= 0;
    return predicted();
  }

  void update(std::uint64_t /*ip*/, bool taken) {
    const bool right = predicted() == taken;
    train(provider_, taken, right);
    if (weak_ && found_[provider_].row->is_weak()) found_[provider_].row->useful = 0;
    if (prefers_alternate_) train(alternate_, taken, right);
    if (provider_ != 0 && weak_ && provided_ != alternative_)
      step(preference(), alternative_ == taken, -16, 15);
    if (!right && provided_ != taken) allocate(taken);

    outcomes_.push(taken);
    for (std::size_t t = 1; t < count; ++t) tables_[t].push(outcomes_);
  }

 private:
  template <class T> static void step(T& value, bool up, int least, int most) {
    if (up ? value < most : value > least) value = static_cast<T>(up ? value + 1 : value - 1);
  }

  struct entry {
    std::uint16_t tag = 0;
    // Counter of outcomes. If it is at least 0, the entry predicts "taken".
    std::int8_t counter = 0;
    std::uint8_t useful = 0;  // from 0 to 3; if 0, the entry may be replaced
    [[nodiscard]] bool taken() const { return counter >= 0; }
    [[nodiscard]] bool is_weak() const { return counter == 0 || counter == -1; }
  };
  struct match {
    entry* row = nullptr;
    // Tag that the entry must have to belong to this branch.
    std::uint16_t tag = 0;
  };

  class table {
   public:
    struct shape {
      // `length` is the number of outcomes that the table considers. In the table without tags,
      // both `length` and `tag_bits` are 0.
      unsigned length, tag_bits;
    };
    table(std::size_t size, shape s)
        : shape_(s),
          index_bits_(bits_of_index(size)),
          rows_(size),
          index_(s.length, index_bits_),
          tag_(s.length, s.tag_bits == 0 ? 1 : s.tag_bits) {}

    match at(std::uint64_t ip) {
      const std::uint64_t index = folded(ip >> 2, index_bits_) ^ index_.value();
      entry* const row = &rows_[static_cast<std::size_t>(index)];
      if (shape_.tag_bits == 0) return {row, row->tag};
      // Shift the address, so that tags distinguish addresses that have the same index.
      const unsigned shift = shape_.tag_bits > index_bits_ ? shape_.tag_bits - index_bits_ : 0;
      return {row, static_cast<std::uint16_t>(folded(ip << shift, shape_.tag_bits) ^ tag_.value())};
    }
    void push(const outcome_history& all) {
      index_.push(all);
      tag_.push(all);
    }

   private:
    shape shape_;
    unsigned index_bits_;
    std::vector<entry> rows_;
    folded_history index_, tag_;
  };
  static constexpr std::array<table::shape, 12> tagged{{{4, 10},
                                                        {6, 10},
                                                        {9, 11},
                                                        {13, 11},
                                                        {19, 12},
                                                        {28, 12},
                                                        {42, 13},
                                                        {63, 13},
                                                        {94, 14},
                                                        {141, 14},
                                                        {211, 15},
                                                        {316, 15}}};
  static constexpr std::size_t count = tagged.size() + 1;

  // Returns the preference for the alternate match over a weak provider. If the preference is at
  // least 0, the alternate match makes the prediction. Each providing table has separate
  // preferences for weak and for strong alternate matches.
  std::int8_t& preference() { return preferences_[provider_][alternate_is_weak_ ? 1 : 0]; }
  [[nodiscard]] bool predicted() const { return prefers_alternate_ ? alternative_ : provided_; }
  // Returns the last table before `end` with a matching entry. Table 0 always matches.
  [[nodiscard]] std::size_t match_below(std::size_t end) const {
    do --end;
    while (found_[end].row->tag != found_[end].tag);
    return end;
  }
  void train(std::size_t t, bool taken, bool right) {
    entry& e = *found_[t].row;
    step(e.counter, taken, t == 0 ? -2 : -4, t == 0 ? 1 : 3);
    step(e.useful, right, 0, 3);
  }
  // Adds an entry in a table with a longer history, which might have predicted the branch
  // correctly. The entry replaces the first entry that is not useful. If all candidates are useful,
  // their usefulness is reduced instead.
  void allocate(bool taken) {
    for (std::size_t t = provider_ + 1; t < count; ++t)
      if (found_[t].row->useful == 0) {
        *found_[t].row = {found_[t].tag, static_cast<std::int8_t>(taken ? 0 : -1), 1};
        return;
      }
    for (std::size_t t = provider_ + 1; t < count; ++t) step(found_[t].row->useful, false, 0, 3);
  }

  std::vector<table> tables_ = {};
  outcome_history outcomes_ = {};
  std::array<std::array<std::int8_t, 2>, count> preferences_ = {};

  // Results of the last call of predict(), which update() requires.
  std::array<match, count> found_ = {};
  std::size_t provider_ = 0, alternate_ = 0;
  bool provided_ = false, alternative_ = false;
  bool weak_ = false, alternate_is_weak_ = false, prefers_alternate_ = false;
};

}  // namespace frontend
