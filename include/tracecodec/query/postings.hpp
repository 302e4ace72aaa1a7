// Postings: the accesses of one granule of memory, in the order of the trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../config.hpp"
#include "../wire/items/varint.hpp"
#include "layout.hpp"

namespace tracecodec::query {

// Bytes of a granule, with a bit for each byte, from the lowest address on.
using byte_mask = std::uint64_t;

// Access of a granule.
struct posting {
  std::uint64_t at = 0;  // number of the instruction
  byte_mask mask = 0;    // bytes that the access touches
  bool changes = false;  // true if the access writes another value, or if that is unknown
};

// How postings are stored.
struct posting_form {
  std::uint8_t granule_bits = 3;
  bool changes = false;  // as in `section`
  // True if each posting has a mask. Otherwise a posting is an access of some byte of the granule,
  // and only the skip entries of an index have masks.
  bool masks = true;

  // Returns the form of a section.
  static constexpr posting_form of(const section& s) noexcept {
    return {s.granule_bits, s.changes != 0, s.granule_bits != 6};
  }
  [[nodiscard]] constexpr byte_mask all() const noexcept {
    return ~byte_mask{0} >> (64 - (1U << granule_bits));
  }
  [[nodiscard]] constexpr std::size_t width() const noexcept { return mask_width(granule_bits); }
  [[nodiscard]] constexpr unsigned flags() const noexcept { return changes ? 2 : 1; }
};

// Returns the mask in `bytes`.
inline byte_mask load_mask(std::span<const std::byte> bytes) noexcept {
  byte_mask mask = 0;
  for (std::size_t i = 0; i != bytes.size(); ++i)
    mask |= std::to_integer<byte_mask>(bytes[i]) << 8 * i;
  return mask;
}

// Appends the postings of a block to `to`. The first posting counts from `from`.
inline void store_block(std::vector<std::byte>& to, std::span<const posting> block,
                        std::uint64_t from, posting_form form) {
  byte_mask mask = form.all();
  for (const posting& p : block) {
    const bool masked = form.masks && p.mask != mask;
    std::uint64_t v = (p.at - from) << form.flags() | (masked ? 1 : 0);
    if (form.changes && p.changes) v |= 2;
    std::byte number[10];
    to.insert(to.end(), number, wire::detail::store_uleb(v, number));
    for (std::size_t i = 0; masked && i != form.width(); ++i)
      to.push_back(static_cast<std::byte>(p.mask >> 8 * i & 0xff));
    mask = p.mask;
    from = p.at;
  }
}

// Reads the postings of a block, one after another.
class block_reader {
 public:
  // `from` is the number from which the first posting counts.
  block_reader(std::span<const std::byte> block, std::uint64_t from, posting_form form) noexcept
      : rest_(block), form_(form), at_{from, form.all(), true} {}

  // Returns the next posting, or null at the end of the block. Check failed() afterwards.
  const posting* next() noexcept {
    if (rest_.empty()) return nullptr;
    std::uint64_t v = 0;
    const wire::scan_result got = wire::detail::scan_uleb(v, rest_);
    if (got.error != wire::errc::ok) return fail();
    rest_ = rest_.subspan(got.at);
    const std::uint64_t step = v >> form_.flags();
    if (step > ~at_.at) return fail();
    at_.at += step;
    if (form_.changes) at_.changes = (v & 2) != 0;
    if ((v & 1) != 0) {
      if (!form_.masks || rest_.size() < form_.width()) return fail();
      at_.mask = load_mask(rest_.first(form_.width()));
      rest_ = rest_.subspan(form_.width());
    }
    return &at_;
  }
  // Returns true if the bytes of the block are not postings.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  const posting* fail() noexcept {
    failed_ = true;
    rest_ = {};
    return nullptr;
  }

  std::span<const std::byte> rest_;
  posting_form form_;
  posting at_;
  bool failed_ = false;
};

}  // namespace tracecodec::query
