#pragma once
#include <algorithm>
#include <utility>

#include "../../io/checksum.hpp"
#include "../checked_file.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC checked_file::checked_file(const std::string& path)
    : name_(path), file_(io::mapped_file(path)), all_(file_->bytes()) {
  open();
}
TRACECODEC_FUNC checked_file::checked_file(std::span<const std::byte> bytes, std::string name)
    : name_(std::move(name)), all_(bytes) {
  open();
}

TRACECODEC_FUNC void checked_file::open() {
  const auto fail = [&](trace_errc code, std::uint64_t at, const char* why) {
    return trace_error(code, {name_, at}, why);
  };
  if (all_.size() < front_codec::size)
    throw fail(trace_errc::not_a_trace, 0, "is not an index: it is too short");
  const auto got = front_codec::decode(all_, front_);
  if (!got)
    throw got.error == wire::errc::not_as_computed
        ? damaged(0, "the checksum of the front differs")
        : fail(trace_errc::not_a_trace, 0, "is not an index: it begins with other bytes");
  if (front_.major != major_version)
    throw fail(trace_errc::unsupported, 8,
               "is an index of another version: make it again (trace_index)");
  const std::uint64_t content = all_.size() - front_codec::size;
  if (front_.sums_offset < front_codec::size || front_.sums_offset > all_.size())
    throw damaged(56, "the sums are outside the file");
  const std::uint64_t covered = front_.sums_offset - front_codec::size;
  const std::uint64_t pages = covered / page_size + (covered % page_size != 0 ? 1 : 0);
  if (content - covered != pages * page_sum_codec::size)
    throw damaged(front_.sums_offset, "the file has another number of sums than pages");
  io::crc32c sum;
  sum.update(all_.subspan(static_cast<std::size_t>(front_.sums_offset)));
  if (sum.value() != front_.sums_crc)
    throw damaged(front_.sums_offset, "the checksum of the sums differs");
  checked_ = std::make_unique<std::atomic<bool>[]>(static_cast<std::size_t>(pages));
  if (front_.sections > covered / section_codec::size)
    throw damaged(12, "the file is too short for its sections");
  const auto table =
      bytes(front_.table_offset, std::uint64_t{front_.sections} * section_codec::size);
  for (std::size_t at = 0; at != table.size(); at += section_codec::size) {
    const section s = section_codec::load(table.data() + at);
    const bool inside = s.offset >= front_codec::size && s.offset <= front_.sums_offset &&
                        s.size <= front_.sums_offset - s.offset;
    if (!inside) throw damaged(front_.table_offset + at, "a section is outside the file");
    sections_.push_back(s);
  }
}

TRACECODEC_FUNC std::span<const std::byte> checked_file::bytes(std::uint64_t offset,
                                                               std::uint64_t size) const {
  if (offset < front_codec::size || offset > front_.sums_offset ||
      size > front_.sums_offset - offset)
    throw damaged(std::min(offset, front_.sums_offset), "an offset leads out of the content");
  if (size == 0) return {};
  const auto at = static_cast<std::size_t>(offset - front_codec::size);
  const auto last = (at + static_cast<std::size_t>(size) - 1) / page_size;
  for (std::size_t page = at / page_size; page <= last; ++page)
    if (!checked_[page].load(std::memory_order_relaxed)) check_page(page);
  return all_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

TRACECODEC_FUNC void checked_file::check_page(std::size_t page) const {
  const auto begin = static_cast<std::size_t>(front_codec::size + page * page_size);
  const auto sums = static_cast<std::size_t>(front_.sums_offset);
  io::crc32c sum;
  sum.update(all_.subspan(begin, std::min(page_size, sums - begin)));
  const page_sum expected = page_sum_codec::load(all_.data() + sums + page * page_sum_codec::size);
  if (sum.value() != expected.crc) throw damaged(begin, "the checksum of a page differs");
  checked_[page].store(true, std::memory_order_relaxed);
}

TRACECODEC_FUNC const section& checked_file::required(section_kind kind) const {
  for (const section& s : sections_)
    if (s.kind == kind) return s;
  throw trace_error(trace_errc::refused, {.file = name_},
                    "the index has no section \"" + std::string(query::name(kind)) +
                        "\"; make it again (trace_index)");
}

}  // namespace tracecodec::query
