#pragma once
#include "../writer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../io/compression/zstd_block.hpp"
#include "../../io/error.hpp"
#include "frame_queue.hpp"
#include "frame_writer.hpp"
#include "model/encoder.hpp"

namespace tracecodec::tracepack {

class writer::packing {
 public:
  packing(std::unique_ptr<io::sink> out, const pack_options& o)
      : about_(o.about),
        level_(o.level),
        out_(std::move(out)),
        frames_(out_, others(o.threads)),
        modelled_(about_.kind != record_kind::bytes && modelled(about_.shape)),
        dictionary_(modelled_ ? about_.shape : shape{}, about_.properties) {
    const std::size_t size = about_.shape.size;
    if (size == 0 || size > most_record)
      throw trace_error(trace_errc::refused, {},
                        "records of " + std::to_string(size) + " bytes, but at most " +
                            std::to_string(most_record) + " are supported");
    if (about_.frame_records == 0) about_.frame_records = usual_frame_records;
    // The number of records is also limited because frame_header::content_size has only 32 bits.
    about_.frame_records = std::min(
        {about_.frame_records, most_records, static_cast<std::uint32_t>(~std::uint32_t{0} / size)});
    window_ = std::min(most_window, (std::size_t{1} << 20) / size) * size;
    out_.begin(about_);
    held_.reserve(window_);
  }

  void write(std::span<const std::byte> bytes, std::span<const property> properties) {
    const std::size_t size = about_.shape.size;
    const bool known = !properties.empty() || !known_.empty();
    if (!properties.empty() &&
        (held_.size() % size != 0 || bytes.size() != properties.size() * size))
      throw trace_error(trace_errc::refused, {},
                        "properties of " + std::to_string(properties.size()) + " records for " +
                            std::to_string(bytes.size()) + " bytes");
    for (const property& p : properties)
      if (p.length > longest_code)
        throw trace_error(trace_errc::refused, {.file = {}, .field = "length"},
                          "an instruction of " + std::to_string(p.length) + " bytes, but at most " +
                              std::to_string(longest_code) + " are supported");
    if (known) known_.resize(held_.size() / size);
    while (!bytes.empty()) {
      if (!known && held_.empty() && bytes.size() >= window_) {
        take_window(bytes.first(window_));
        bytes = bytes.subspan(window_);
        continue;
      }
      const std::size_t n = std::min(bytes.size(), window_ - held_.size());
      held_.insert(held_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      bytes = bytes.subspan(n);
      if (!properties.empty()) {
        for (const property& p : properties.first(n / size)) known_.push_back(kept(p));
        properties = properties.subspan(n / size);
      } else if (known) {
        known_.resize(held_.size() / size);
      }
      if (held_.size() == window_) take_held();
    }
  }
  void finish() {
    if (!held_.empty()) take_held();
    end_model();
    end_stored();
    frames_.finish();
    out_.finish();
  }

 private:
  static constexpr std::size_t most_window = 8192;  // maximum number of records in a window
  // Number of consecutive windows with the described layout that end a foreign section.
  static constexpr unsigned sound_windows = 4;
  static constexpr std::uint32_t frames_of_base = 8;

  // Returns the number of threads in addition to the caller's thread. The number is `threads` - 1,
  // but at most four. If `threads` is 0, the number of threads that the machine can run at once is
  // used instead.
  static unsigned others(unsigned threads) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    return std::min(threads, 5U) - 1;
  }

  // Returns a copy of `p` that contains only the values that the file stores.
  [[nodiscard]] property kept(const property& p) const {
    property k;
    if ((about_.properties & has_classes) != 0) k.branch = p.branch;
    if ((about_.properties & has_lengths) != 0) k.length = p.length;
    if ((about_.properties & has_code) != 0) std::copy_n(p.code.begin(), k.length, k.code.begin());
    return k;
  }

  void take_held() {
    take_window(held_);
    held_.clear();
    known_.clear();
  }
  // Encodes a window. Models whole records, and stores foreign bytes and incomplete records.
  void take_window(std::span<const std::byte> bytes) {
    const std::size_t whole = modelled_ ? bytes.size() / about_.shape.size * about_.shape.size : 0;
    const auto records = bytes.first(whole);
    if (foreign(records))
      foreign_ = sound_windows;
    else if (foreign_ != 0)
      --foreign_;
    if (foreign_ != 0) {
      store(bytes);
    } else {
      model(records, known_);
      store(bytes.subspan(whole));
    }
  }

  // Returns true if `records` probably do not have the described layout. The signs of another
  // layout are flags that are neither 0 nor 1, large distances between consecutive ips, and many
  // static bytes that have not occurred before.
  bool foreign(std::span<const std::byte> records) {
    const std::size_t size = about_.shape.size, n = records.size() / size;
    std::size_t bad = 0, far = 0, unknown = 0, sampled = 0;
    std::uint64_t last = 0;
    const std::span<const std::uint16_t> flags = about_.shape.flags;
    const std::size_t ip_at = about_.shape.ip;
    const std::byte* r = records.data();
    for (std::size_t i = 0; i != n; ++i, r += size) {
      bool neither = false;
      for (const std::uint16_t f : flags) neither |= r[f] > std::byte{1};
      bad += neither ? 1 : 0;
      const std::uint64_t ip = detail::load_word(r + ip_at);
      far += std::min(ip - last, last - ip) >> 40 != 0 ? 1 : 0;
      last = ip;
    }
    for (std::size_t i = 0; i < n; i += 8) {
      ++sampled;
      unknown += dictionary_.knows_pattern(records.data() + i * size) ? 0 : 1;
    }
    // Ignore `unknown` until a frame has been modelled, because no patterns are known before.
    return bad > n / 16 || far > n / 2 + 1 || (modelled_frames_ != 0 && unknown > sampled / 4);
  }

  void model(std::span<const std::byte> records, std::span<const property> properties) {
    while (!records.empty()) {
      end_stored();
      if (encoder_ == nullptr) begin_model();
      const std::size_t n = encoder_->take(records, properties);
      records = records.subspan(n * about_.shape.size);
      if (!properties.empty()) properties = properties.subspan(n);
      if (!records.empty() || encoder_->records() == about_.frame_records) end_model();
    }
  }
  void begin_model() {
    const std::uint32_t number = frames_.next();
    if (has_base_) dictionary_.shrink(base_size_);
    if (!has_base_ || number - base_ >= frames_of_base || dictionary_.crowded()) {
      dictionary_.shrink({});
      base_ = number;
      has_base_ = true;
      base_size_ = {};
    }
    if (level_ == level::high)
      encoder_ = std::make_unique<detail::model_encoder_of<detail::high_level>>(
          dictionary_, about_.frame_records);
    else
      encoder_ = std::make_unique<detail::model_encoder_of<detail::fast_level>>(
          dictionary_, about_.frame_records);
    // A new dictionary contains no patterns, so restart the count of frames that share its
    // patterns.
    if (base_ == number) modelled_frames_ = 0;
  }
  void end_model() {
    if (encoder_ == nullptr) return;
    auto streams = encoder_->finish();
    const std::size_t size = encoder_->records() * about_.shape.size;
    const std::uint64_t digest = encoder_->digest();
    if (base_ == frames_.next()) base_size_ = dictionary_.all().size();
    frames_.add(level_ == level::high ? frame_kind::high : frame_kind::fast, size, base_, digest,
                [streams = std::move(streams)](io::zstd_packer& packer) {
                  return detail::payload_of(streams, packer);
                });
    encoder_.reset();
    ++modelled_frames_;
  }

  void store(std::span<const std::byte> bytes) {
    // All frames except the last contain only whole records.
    const std::size_t most_held = most_stored / about_.shape.size * about_.shape.size;
    while (!bytes.empty()) {
      end_model();
      const std::size_t n = std::min(bytes.size(), most_held - stored_.size());
      stored_.insert(stored_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      bytes = bytes.subspan(n);
      if (stored_.size() == most_held) end_stored();
    }
  }
  void end_stored() {
    if (stored_.empty()) return;
    const std::size_t size = stored_.size();
    frames_.add(frame_kind::stored, size, frames_.next(), 0,
                [content = std::move(stored_)](io::zstd_packer& packer) {
                  // If the content is noise, avoid the expensive search for matches.
                  const auto probe = std::span<const std::byte>(content).first(
                      std::min<std::size_t>(content.size(), 1U << 20));
                  std::vector<std::byte> payload;
                  packer.set_level(1);
                  const bool noise = packer.pack(probe, payload) > probe.size() / 10 * 9;
                  packer.set_level(noise ? 1 : detail::packing_level);
                  payload.clear();
                  packer.pack(content, payload);
                  packer.set_level(detail::packing_level);
                  return payload;
                });
    stored_.clear();
  }

  about about_;
  level level_;
  detail::frame_writer out_;
  detail::frame_queue frames_;
  bool modelled_;
  std::size_t window_ = 0;  // size in bytes of the window, which contains whole records
  detail::growing_dictionary dictionary_;
  std::vector<std::byte> held_ = {};    // bytes of the current window
  std::vector<property> known_ = {};    // properties of the records in held_; empty if unknown
  std::vector<std::byte> stored_ = {};  // bytes of the current stored frame
  unsigned foreign_ = 0;                // number of further windows to store
  std::unique_ptr<detail::model_encoder> encoder_ = {};
  std::uint32_t base_ = 0;  // number of the most recent frame with its own dictionary
  bool has_base_ = false;
  detail::dictionary::extent base_size_ = {};
  std::size_t modelled_frames_ = 0;
};

TRACECODEC_FUNC writer::writer(std::unique_ptr<io::sink> out, const pack_options& options)
    : packing_(std::make_unique<packing>(std::move(out), options)) {}
TRACECODEC_FUNC writer::~writer() = default;

TRACECODEC_FUNC void writer::write(std::span<const std::byte> bytes) { write(bytes, {}); }
TRACECODEC_FUNC void writer::write(std::span<const std::byte> records,
                                   std::span<const property> properties) {
  // If write() throws an exception, destroying `p` makes the writer unusable.
  std::unique_ptr<packing> p = usable();
  p->write(records, properties);
  packing_ = std::move(p);
}
TRACECODEC_FUNC void writer::finish() { usable()->finish(); }

TRACECODEC_FUNC std::unique_ptr<writer::packing> writer::usable() {
  if (packing_ == nullptr)
    throw trace_error(trace_errc::refused, {},
                      "the trace is finished or was abandoned after an error");
  return std::move(packing_);
}

}  // namespace tracecodec::tracepack
