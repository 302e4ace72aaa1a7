#pragma once
#include "../zstf.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "../../input/lookahead.hpp"
#include "../../output/spool.hpp"
#include "../zstd.hpp"
#include "zstd.ipp"

namespace tracecodec::io {

namespace detail {

// Decoder of the header, the chunks and the index.
class zstf_decoder final : public decoder {
 public:
  explicit zstf_decoder(std::uint64_t limit) : frames_(limit) {}

  std::optional<entry> find(source& from, std::uint64_t content) override {
    if (!load(from)) return std::nullopt;
    const auto after =
        std::upper_bound(chunks_.begin(), chunks_.end(), content,
                         [](std::uint64_t offset, const chunk& c) { return offset < c.content; });
    found_ = static_cast<std::size_t>(after - chunks_.begin()) - 1;
    return entry{chunks_[found_].at, chunks_[found_].content};
  }

  std::optional<record_entry> find_record(source& from, std::uint64_t record) override {
    if (!load(from)) return std::nullopt;
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(record / records_, chunks_.size() - 1));
    return record_entry{n * records_, chunks_[n].content, chunks_[n].state, records_};
  }

  void restart() override {
    frames_.restart();
    at_ = chunks_[found_].at;
    first_ = found_;
    seen_.clear();
    size_ = 0;
    in_frame_ = false;
  }

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (at_ < header_size) return decode_header(in);
    if (at_ < index_ || in_frame_) return decode_frame(in, out);
    return decode_index(in);
  }

 private:
  // Entry of the index, and the offset of the chunk in the content.
  struct chunk {
    std::uint64_t at = 0, state = 0, size = 0, content = 0;
  };
  // Start of a frame in the file, and size of its content.
  struct frame {
    std::uint64_t at = 0, size = 0;
  };
  static constexpr std::size_t header_size = 20, entry_size = 24;

  static std::uint64_t number(std::span<const std::byte> in, std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- != 0;) value = value << 8 | std::to_integer<unsigned>(in[at + i]);
    return value;
  }
  static chunk chunk_of(std::span<const std::byte> in) {
    return {number(in, 0), number(in, 8), number(in, 16)};
  }
  static step failure(std::size_t used, std::string why) {
    return {used, 0, outcome::failed, trace_errc::corrupt, std::move(why)};
  }

  // Reads the index of a seekable file. Returns true if the index fits the file.
  bool load(source& from) {
    if (loaded_) return !chunks_.empty();
    loaded_ = true;
    scattered_reads reads(from);
    const auto head = reads.look(0, header_size);
    if (head.size() != header_size) return false;
    const std::uint64_t records = number(head, 4), index = number(head, 12);
    if (records == 0 || index <= header_size || index > reads.size() || reads.size() - index < 8)
      return false;
    const std::uint64_t rest = reads.size() - index - 8, n = number(reads.look(index, 8), 0);
    if (n == 0 || rest % entry_size != 0 || n != rest / entry_size) return false;
    // The offset of each chunk's first record must not overflow.
    if (n > std::numeric_limits<std::uint64_t>::max() / records) return false;
    std::vector<chunk> chunks;
    std::uint64_t content = 0;
    for (std::uint64_t i = 0; i != n; ++i) {
      const auto bytes = reads.look(index + 8 + i * entry_size, entry_size);
      if (bytes.size() != entry_size) return false;
      chunk c = chunk_of(bytes);
      const bool follows = i == 0 ? c.at == header_size : c.at > chunks.back().at;
      if (!follows || c.at >= index || c.size == 0 ||
          c.size > std::numeric_limits<std::uint64_t>::max() - content)
        return false;
      c.content = content;
      content += c.size;
      chunks.push_back(c);
    }
    records_ = records;
    index_ = index;
    chunks_ = std::move(chunks);
    return true;
  }

  // Moves bytes to held_ until it has `n` of them. Returns the number moved.
  std::size_t collect(std::span<const std::byte> in, std::size_t n) {
    const std::size_t used = std::min(in.size(), n - held_size_);
    if (used != 0) std::memcpy(held_.data() + held_size_, in.data(), used);
    held_size_ += used;
    at_ += used;
    return used;
  }

  step decode_header(std::span<const std::byte> in) {
    const std::size_t used = collect(in, header_size);
    if (held_size_ != header_size) return {used};
    held_size_ = 0;
    if (std::memcmp(held_.data(), "ZSTF", 4) != 0) return {used, 0, outcome::not_a_member};
    records_ = number(held_, 4);
    index_ = number(held_, 12);
    if (records_ == 0) return failure(used, "the header declares chunks of 0 records");
    if (index_ == 0)
      return failure(used, "the header has no offset of an index: the file was never finished");
    if (index_ <= header_size) return failure(used, "the index is inside the header");
    return {used};
  }

  step decode_frame(std::span<const std::byte> in, std::span<std::byte> out) {
    in = in.first(static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), index_ - at_)));
    if (!in.empty() && !std::exchange(in_frame_, true)) seen_.push_back({at_, 0});
    step s = frames_.decode(in, out);
    at_ += s.used;
    size_ += s.written;
    if (s.what == outcome::not_a_member) return failure(s.used, "expected a chunk or the index");
    if (s.what != outcome::member_end) {
      if (s.what == outcome::more && at_ == index_ && s.used == 0 && s.written == 0)
        return failure(0, "the index begins inside a chunk");
      return s;
    }
    in_frame_ = false;
    seen_.back().size = std::exchange(size_, 0);
    s.what = outcome::more;
    return s;
  }

  step decode_index(std::span<const std::byte> in) {
    if (complete_)
      return in.empty() ? step{0, 0, outcome::end} : failure(0, "bytes after the index");
    const std::size_t used = collect(in, counted_ ? entry_size : 8);
    if (held_size_ != (counted_ ? entry_size : 8)) return {used};
    held_size_ = 0;
    if (!counted_) {
      counted_ = true;
      count_ = number(held_, 0);
      const std::uint64_t seen = first_ + seen_.size();
      if (count_ != seen)
        return failure(used, "the index lists " + std::to_string(count_) +
                                 " chunks, but there are " + std::to_string(seen));
    } else {
      const chunk c = chunk_of(held_);
      if (listed_ >= first_) {
        const frame& f = seen_[static_cast<std::size_t>(listed_ - first_)];
        if (f.at != c.at || f.size != c.size)
          return failure(used, "the index states " + std::to_string(c.size) + " bytes at offset " +
                                   std::to_string(c.at) + " for chunk " + std::to_string(listed_) +
                                   ", which has " + std::to_string(f.size) + " bytes at offset " +
                                   std::to_string(f.at));
      }
      ++listed_;
    }
    complete_ = listed_ == count_;
    return {used, 0, complete_ ? outcome::member_end : outcome::more};
  }

  zstd_decoder frames_;
  std::uint64_t at_ = 0;  // offset in the file
  std::uint64_t records_ = 0, index_ = 0;
  std::array<std::byte, entry_size> held_ = {};
  std::size_t held_size_ = 0;
  std::vector<frame> seen_ = {};  // decompressed chunks, from number first_ on
  std::uint64_t size_ = 0;        // content of the current chunk so far
  bool in_frame_ = false;
  std::uint64_t first_ = 0, count_ = 0, listed_ = 0;
  bool counted_ = false, complete_ = false;
  // Chunks of the index, if it was loaded and fits the file, and the result of the last find().
  std::vector<chunk> chunks_ = {};
  std::size_t found_ = 0;
  bool loaded_ = false;
};

}  // namespace detail

TRACECODEC_FUNC zstf_source::zstf_source(std::unique_ptr<source> compressed, std::string name,
                                         const zstd_options& options)
    : decompressor(codec::zstf, std::move(compressed), std::move(name),
                   std::make_unique<detail::zstf_decoder>(options.memory)) {}

TRACECODEC_FUNC zstf_sink::zstf_sink(std::unique_ptr<sink> out, std::uint64_t records,
                                     const output_options& options)
    : out_(io::patchable(std::move(out))), packer_(options.level.value_or(3)), records_(records) {
  const int level = options.level.value_or(3);
  if (level < 1 || level > ZSTD_maxCLevel())
    throw trace_error(trace_errc::refused, {},
                      "zstd has levels 1 to " + std::to_string(ZSTD_maxCLevel()) + ", not " +
                          std::to_string(level));
  out_->write(std::as_bytes(std::span("ZSTF", 4)));
  at_ = 4;
  put(records);
  put(0);
}

TRACECODEC_FUNC void zstf_sink::end_chunk(std::uint64_t offset, std::uint64_t state) {
  in_chunk_ = 0;
  if (!content_.empty() && offset == written_)
    finish_chunk(state);
  else
    ends_.push_back({offset, state});
}

TRACECODEC_FUNC void zstf_sink::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t left = ends_.empty() ? bytes.size() : ends_.front().offset - written_;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size()));
    content_.insert(content_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    written_ += n;
    bytes = bytes.subspan(n);
    if (ends_.empty() || written_ != ends_.front().offset) continue;
    finish_chunk(ends_.front().state);
    ends_.pop_front();
  }
}

TRACECODEC_FUNC void zstf_sink::finish() {
  // Write one chunk even for an empty input.
  if (!content_.empty() || chunks_.empty()) pack();
  const std::uint64_t index = at_;
  put(chunks_.size());
  for (const chunk& c : chunks_) {
    put(c.at);
    put(c.state);
    put(c.size);
  }
  out_->patch(12, bytes_of(index));
  out_->finish();
}

TRACECODEC_FUNC void zstf_sink::finish_chunk(std::uint64_t state) {
  pack();
  state_ = state;
}

TRACECODEC_FUNC void zstf_sink::pack() {
  packed_.clear();
  packer_.pack(content_, packed_);
  chunks_.push_back({at_, state_, content_.size()});
  out_->write(packed_);
  at_ += packed_.size();
  content_.clear();
}

TRACECODEC_FUNC std::array<std::byte, 8> zstf_sink::bytes_of(std::uint64_t value) {
  std::array<std::byte, 8> bytes{};
  for (std::size_t i = 0; i != bytes.size(); ++i) bytes[i] = static_cast<std::byte>(value >> 8 * i);
  return bytes;
}

TRACECODEC_FUNC void zstf_sink::put(std::uint64_t value) {
  out_->write(bytes_of(value));
  at_ += 8;
}

}  // namespace tracecodec::io
