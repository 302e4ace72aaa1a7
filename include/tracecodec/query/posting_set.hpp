// Reader of a section of postings.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../config.hpp"
#include "checked_file.hpp"
#include "layout.hpp"
#include "postings.hpp"

namespace tracecodec::query {

// Place of the postings of a granule.
struct posting_list {
  std::uint64_t granule = 0, count = 0;
  std::uint64_t offset = 0, size = 0;  // of the postings, relative to the section
  std::uint64_t skips = 0;             // offset of the skip entries, relative to all skip entries
};

// Postings that a lookup accepts: those that access a byte of `mask` and, if `only_changes` is set and
// the section distinguishes changes, change a value.
struct posting_filter {
  byte_mask mask = ~byte_mask{0};
  bool only_changes = false;
};

// Postings of a section. All functions throw trace_error(corrupt) if they read damaged content.
// Several threads may use one object.
class posting_set {
 public:
  // `file` must outlive the object.
  posting_set(const checked_file& file, const section& s);

  [[nodiscard]] posting_form form() const noexcept { return form_; }
  // Returns the number of granules and the number of postings.
  [[nodiscard]] std::uint64_t granules() const noexcept { return totals_.granules; }
  [[nodiscard]] std::uint64_t postings() const noexcept { return totals_.postings; }

  // Returns the last posting of the granule before instruction `before` that the filter accepts, or
  // nullopt. If postings have no masks, the result may access other bytes of the granule.
  [[nodiscard]] std::optional<posting> last(std::uint64_t granule, const posting_filter& f,
                                            std::uint64_t before) const;
  // Returns the first such posting from instruction `from` on.
  [[nodiscard]] std::optional<posting> first(std::uint64_t granule, const posting_filter& f,
                                             std::uint64_t from) const;

  // Returns the number of groups of granules, and the lists of a group in ascending order.
  [[nodiscard]] std::uint64_t groups() const noexcept { return groups_; }
  [[nodiscard]] std::vector<posting_list> lists_of(std::uint64_t group) const;

  // Calls f(list) for each granule from `first` to `last`, both included, that has postings, in
  // ascending order.
  template <class F> void each_list(std::uint64_t first, std::uint64_t last, F f) const {
    for (std::uint64_t group = group_of(first); group < groups_; ++group) {
      if (anchor_at(group).granule > last) return;
      for (const posting_list& list : lists_of(group)) {
        if (list.granule > last) return;
        if (list.granule >= first) f(list);
      }
    }
  }
  // Appends the postings of a list before instruction `end` to `to`. If postings have no masks, each
  // gets the mask of its block, which has the bytes of all of them.
  void read(const posting_list& list, std::uint64_t end, std::vector<posting>& to) const;
  [[nodiscard]] std::optional<posting> last(const posting_list& list, const posting_filter& f,
                                            std::uint64_t before) const;
  [[nodiscard]] std::optional<posting> first(const posting_list& list, const posting_filter& f,
                                             std::uint64_t from) const;

 private:
  // Blocks of a list. `levels` has the masks, from those of the blocks upwards.
  struct mask_level {
    std::uint64_t offset = 0, count = 0;  // offset in the file, and number of masks
  };
  struct blocks {
    std::uint64_t count = 0, skips = 0;  // number of blocks, and offset of their skip entries
    std::array<mask_level, 12> levels = {};
  };

  [[nodiscard]] std::uint64_t group_of(std::uint64_t granule) const;
  [[nodiscard]] anchor anchor_at(std::uint64_t group) const;
  [[nodiscard]] std::optional<posting_list> find(std::uint64_t granule) const;
  // Reads the numbers of the group up to the granule for which f(list) returns true.
  template <class F> void read_group(std::uint64_t group, F f) const;

  [[nodiscard]] blocks blocks_of(const posting_list& list) const;
  [[nodiscard]] skip skip_at(const blocks& b, std::uint64_t block) const;
  // Returns the number of blocks that begin before instruction `at`.
  [[nodiscard]] std::uint64_t blocks_before(const blocks& b, std::uint64_t at) const;
  [[nodiscard]] byte_mask mask_at(const blocks& b, std::size_t level, std::uint64_t i) const;
  // Returns the last of the first `end` masks of a level that touches `mask`.
  [[nodiscard]] std::optional<std::uint64_t> mask_before(const blocks& b, std::size_t level,
                                                         std::uint64_t end, byte_mask mask) const;
  // Returns the first such mask from number `begin` on.
  [[nodiscard]] std::optional<std::uint64_t> mask_from(const blocks& b, std::size_t level,
                                                       std::uint64_t begin, byte_mask mask) const;
  [[nodiscard]] block_reader read(const posting_list& list, const blocks& b,
                                  std::uint64_t block) const;
  [[nodiscard]] std::optional<posting> last_in(const posting_list& list, const blocks& b,
                                               std::uint64_t block, const posting_filter& f,
                                               std::uint64_t before) const;
  [[nodiscard]] std::optional<posting> first_in(const posting_list& list, const blocks& b,
                                                std::uint64_t block, const posting_filter& f,
                                                std::uint64_t from) const;

  // Returns true if the filter accepts `p`.
  [[nodiscard]] bool wants(const posting_filter& f, const posting& p) const;

  const checked_file* file_;
  section section_;
  posting_form form_;
  posting_totals totals_ = {};
  std::uint64_t groups_ = 0;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/posting_set.ipp"
#endif
