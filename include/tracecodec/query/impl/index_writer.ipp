#pragma once
#include <algorithm>
#include <array>
#include <utility>

#include "../../io/output/sink.hpp"
#include "../../io/output/spool.hpp"
#include "../index_writer.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC index_writer::index_writer(std::unique_ptr<io::sink> to) : to_(std::move(to)) {
  to_->write(std::array<std::byte, front_codec::size>{});
}

TRACECODEC_FUNC void index_writer::write(std::span<const std::byte> bytes) {
  to_->write(bytes);
  end_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), page_size - page_bytes_);
    page_.update(bytes.first(n));
    page_bytes_ += n;
    bytes = bytes.subspan(n);
    if (page_bytes_ == page_size) end_page();
  }
}

TRACECODEC_FUNC void index_writer::end_page() {
  std::array<std::byte, page_sum_codec::size> sum{};
  page_sum_codec::store({page_.value()}, sum.data());
  sums_.insert(sums_.end(), sum.begin(), sum.end());
  page_ = {};
  page_bytes_ = 0;
}

TRACECODEC_FUNC void index_writer::end_section() {
  if (!sections_.empty()) sections_.back().size = size();
}

TRACECODEC_FUNC void index_writer::begin(section_kind kind, posting_form form) {
  end_section();
  sections_.push_back({.kind = kind,
                       .granule_bits = form.granule_bits,
                       .changes = static_cast<std::uint8_t>(form.changes ? 1 : 0),
                       .reserved = 0,
                       .offset = end_,
                       .size = 0});
}

TRACECODEC_FUNC void index_writer::finish(front about) {
  end_section();
  about.major = major_version;
  about.minor = minor_version;
  about.sections = static_cast<std::uint32_t>(sections_.size());
  about.table_offset = end_;
  for (const section& s : sections_) {
    std::array<std::byte, section_codec::size> entry{};
    section_codec::store(s, entry.data());
    write(entry);
  }
  if (page_bytes_ != 0) end_page();
  about.sums_offset = end_;
  io::crc32c sum;
  sum.update(sums_);
  about.sums_crc = sum.value();
  to_->write(sums_);
  std::array<std::byte, front_codec::size> first{};
  static_cast<void>(front_codec::encode(about, first));
  to_->patch(0, first);
  to_->finish();
}

namespace detail {

// Sink of a spool, which copies what it has collected to the current section.
class section_sink final : public io::sink {
 public:
  explicit section_sink(index_writer& to) : to_(&to) {}
  void write(std::span<const std::byte> bytes) override { to_->write(bytes); }
  void finish() override {}

 private:
  index_writer* to_;
};

// Part of a section that is written after another part, which has the same source.
class later_part {
 public:
  explicit later_part(index_writer& to) : spool_(std::make_unique<section_sink>(to)) {}
  void write(std::span<const std::byte> bytes) {
    spool_.write(bytes);
    size_ += bytes.size();
  }
  template <class Codec> void write(const typename Codec::value_type& v) {
    std::array<std::byte, Codec::size> bytes{};
    Codec::store(v, bytes.data());
    write(bytes);
  }
  void write_number(std::uint64_t v) {
    std::array<std::byte, 10> number{};
    const std::byte* end = wire::detail::store_uleb(v, number.data());
    write(std::span(number).first(static_cast<std::size_t>(end - number.data())));
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // Copies everything to the section.
  void finish() { spool_.finish(); }

 private:
  io::spool spool_;
  std::uint64_t size_ = 0;
};

}  // namespace detail

struct posting_writer::state {
  state(index_writer& w, posting_form f) : to(w), form(f), skips(w), directory(w), anchors(w) {}

  void store(std::uint64_t from);
  void store_masks();
  void end_list();

  index_writer& to;
  posting_form form;
  detail::later_part skips, directory, anchors;
  posting_totals totals = {};
  // The current granule: the number of its postings, the offsets of its postings and skip entries,
  // the postings that were not written, and the masks of the blocks that were.
  std::uint64_t granule = 0, count = 0, begin = 0, skips_begin = 0;
  std::vector<posting> pending = {};
  std::vector<byte_mask> masks = {};
  std::vector<std::byte> bytes = {};
  std::uint64_t last_granule = 0;  // granule before the current one
};

TRACECODEC_FUNC posting_writer::posting_writer(index_writer& to, section_kind kind,
                                               posting_form form)
    : state_(nullptr) {
  to.begin(kind, form);
  state_ = std::make_unique<state>(to, form);
}
TRACECODEC_FUNC posting_writer::~posting_writer() = default;

// Writes the pending postings as a block.
TRACECODEC_FUNC void posting_writer::state::store(std::uint64_t from) {
  bytes.clear();
  store_block(bytes, pending, from, form);
  byte_mask mask = 0;
  for (const posting& p : pending) mask |= p.mask;
  masks.push_back(mask);
  to.write(bytes);
  pending.clear();
}

// Writes the masks of the current granule, level by level.
TRACECODEC_FUNC void posting_writer::state::store_masks() {
  std::uint64_t written = 0;
  for (;;) {
    bytes.clear();
    for (const byte_mask mask : masks)
      for (std::size_t i = 0; i != form.width(); ++i)
        bytes.push_back(static_cast<std::byte>(mask >> 8 * i & 0xff));
    skips.write(bytes);
    written += bytes.size();
    const auto above = static_cast<std::size_t>(count_above(masks.size()));
    if (above == 0) break;
    for (std::size_t i = 0; i != above; ++i) {
      byte_mask mask = 0;
      for (std::size_t j = i * masks_of_mask; j != std::min(masks.size(), (i + 1) * masks_of_mask);
           ++j)
        mask |= masks[j];
      masks[i] = mask;
    }
    masks.resize(above);
  }
  skips.write(std::span<const std::byte>(std::array<std::byte, 8>{})
                  .first(static_cast<std::size_t>((8 - written % 8) % 8)));
}

TRACECODEC_FUNC void posting_writer::state::end_list() {
  if (count == 0) return;
  if (totals.granules % group_granules == 0) {
    anchors.write<anchor_codec>({granule, directory.size(), begin, skips_begin});
    last_granule = granule;
  }
  if (masks.empty()) {
    store(0);
  } else {
    skips.write<skip_codec>({pending.front().at, to.size() - begin});
    store(pending.front().at);
    store_masks();
  }
  masks.clear();
  directory.write_number(granule - last_granule);
  directory.write_number(count);
  directory.write_number(to.size() - begin);
  last_granule = granule;
  ++totals.granules;
  totals.postings += count;
  count = 0;
}

TRACECODEC_FUNC void posting_writer::add(std::uint64_t granule, std::span<const posting> postings) {
  state& s = *state_;
  if (granule != s.granule) s.end_list();
  if (s.count == 0) {
    s.granule = granule;
    s.begin = s.to.size();
    s.skips_begin = s.skips.size();
  }
  for (const posting& p : postings) {
    if (s.pending.size() == block_postings) {
      s.skips.write<skip_codec>({s.pending.front().at, s.to.size() - s.begin});
      s.store(s.pending.front().at);
    }
    s.pending.push_back(p);
    ++s.count;
  }
}

TRACECODEC_FUNC void posting_writer::finish() {
  state& s = *state_;
  s.end_list();
  s.totals.skips_offset = s.to.size();
  s.skips.finish();
  s.totals.directory_offset = s.to.size();
  s.directory.finish();
  s.totals.anchors_offset = s.to.size();
  s.anchors.finish();
  std::array<std::byte, totals_codec::size> last{};
  totals_codec::store(s.totals, last.data());
  s.to.write(last);
}

}  // namespace tracecodec::query
