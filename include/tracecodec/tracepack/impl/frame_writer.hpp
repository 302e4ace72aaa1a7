// Writes a tracepack file, which consists of frames followed by the index.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/output/sink.hpp"
#include "../about.hpp"
#include "../layout.hpp"
#include "crc.hpp"

namespace tracecodec::tracepack::detail {

class frame_writer {
 public:
  explicit frame_writer(std::unique_ptr<io::sink> out) : out_(std::move(out)) {}

  void begin(const about& a) {
    const auto text = [](const std::string& s) {
      return text_view(std::as_bytes(std::span(s)).data(), s.size());
    };
    const auto offsets = [](const std::vector<std::uint16_t>& v, std::vector<std::byte>& bytes) {
      bytes.resize(2 * v.size());
      for (std::size_t i = 0; i != v.size(); ++i) wire::u16le::store(v[i], bytes.data() + 2 * i);
      return offsets_view(bytes.data(), v.size());
    };
    std::vector<std::byte> slots, bases;
    const about_record r{a.kind,
                         static_cast<std::uint8_t>(a.properties | static_cast<unsigned>(a.processor)
                                                                      << processor_bit),
                         a.shape.size,
                         a.frame_records,
                         a.shape.ip,
                         offsets(a.shape.slots, slots),
                         offsets(a.shape.bases, bases),
                         text(a.table),
                         text(a.program),
                         text(a.arguments),
                         text(a.recorder),
                         text(a.machine),
                         text(a.date),
                         text(a.region),
                         text(a.comment)};
    std::vector<std::byte> bytes(most_about);
    const auto encoded = about_codec::encode(r, bytes);
    if (!encoded)
      throw trace_error(
          trace_errc::refused, {.file = {}, .field = std::string(encoded.field)},
          "the description of a trace takes more than " + std::to_string(most_about) + " bytes");
    bytes.resize(encoded.used);
    put<front_codec>(front{.magic = {},
                           .major = major_version,
                           .minor = minor_version,
                           .about_size = static_cast<std::uint32_t>(bytes.size()),
                           .about_crc = crc_of(bytes),
                           .front_crc = {}});
    put(bytes);
    record_size_ = a.shape.size;
  }

  // Returns the number of the next frame.
  [[nodiscard]] std::uint32_t next() const noexcept {
    return static_cast<std::uint32_t>(index_.size());
  }

  void add(frame_kind kind, std::size_t content_size, std::uint32_t base, std::uint64_t digest,
           std::span<const std::byte> payload) {
    const frame_header h{.magic = {},
                         .kind = kind,
                         .number = next(),
                         .content_size = static_cast<std::uint32_t>(content_size),
                         .payload_size = static_cast<std::uint32_t>(payload.size()),
                         .base = base,
                         .content_offset = content_,
                         .digest = digest,
                         .payload_crc = crc_of(payload),
                         .header_crc = {}};
    index_.push_back({offset_, content_, base, h.payload_crc});
    put<frame_codec>(h);
    put(payload);
    content_ += content_size;
  }

  void finish() {
    const std::uint64_t index_offset = offset_;
    std::vector<std::byte> entries(index_.size() * entry_codec::size);
    for (std::size_t i = 0; i != index_.size(); ++i)
      entry_codec::store(index_[i], entries.data() + i * entry_codec::size);
    put<index_codec>(index_header{
        .magic = {}, .frames = next(), .entries_crc = crc_of(entries), .header_crc = {}});
    put(entries);
    put<end_codec>(end_of_file{.index_offset = index_offset,
                               .frames = index_.size(),
                               .records = content_ / record_size_,
                               .content_size = content_,
                               .crc = {},
                               .magic = {}});
    out_->finish();
  }

 private:
  template <class Codec, class T> void put(const T& record) {
    std::array<std::byte, Codec::size> bytes{};
    Codec::encode(record, bytes);
    put(bytes);
  }
  void put(std::span<const std::byte> bytes) {
    out_->write(bytes);
    offset_ += bytes.size();
  }

  std::unique_ptr<io::sink> out_;
  std::uint64_t offset_ = 0, content_ = 0;
  std::uint16_t record_size_ = 1;
  std::vector<index_entry> index_ = {};
};

}  // namespace tracecodec::tracepack::detail
