// Decoded payload of a model frame. The payload consists of streams and a dictionary, which may
// extend the dictionary of a base frame.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../io/compression/zstd_block.hpp"
#include "../../io/error.hpp"
#include "../about.hpp"
#include "model/decoder.hpp"
#include "model/dictionary_streams.hpp"

namespace tracecodec::tracepack::detail {

// Reusable buffer with uninitialised content. The buffer is reallocated if it is too small, or if
// it is large and mostly unused.
class arena {
 public:
  void make(std::size_t n) {
    if (n > capacity_ || (capacity_ > kept && n < capacity_ / 2)) {
      capacity_ = 0;
      bytes_ = {};
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(n);
      capacity_ = n;
    }
    size_ = n;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::byte> all() const noexcept { return {bytes_.get(), size_}; }

 private:
  static constexpr std::size_t kept = std::size_t{4} << 20;
  std::unique_ptr<std::byte[]> bytes_ = {};
  std::size_t capacity_ = 0, size_ = 0;
};

// Returns the decompressed size in bytes of all streams, as declared by a payload, but at most
// most_streamed.
inline std::size_t streamed_by(std::span<const std::byte> payload) {
  std::uint64_t content = 0;
  std::size_t count = payload.empty() ? 0 : std::to_integer<std::size_t>(payload[0]);
  for (std::size_t at = 1; count != 0; --count) {
    stream_header s{};
    const auto r = stream_codec::decode(payload.subspan(at), s);
    if (!r) break;
    at += r.used;
    content += s.content_size;
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(content, most_streamed));
}

class model_frame {
 public:
  explicit model_frame(const about& a)
      : dictionary_(a.kind != record_kind::bytes && modelled(a.shape) ? a.shape : shape{},
                    a.properties),
        size_(a.shape.size) {}
  model_frame(const model_frame&) = delete;
  model_frame& operator=(const model_frame&) = delete;
  ~model_frame() = default;

  [[nodiscard]] const dictionary& all() const noexcept { return dictionary_; }

  // Returns true if a frame that extends the dictionary of frame `base` can be loaded now.
  [[nodiscard]] bool knows(std::uint32_t base) const noexcept { return base_ == base; }
  // Returns a copy of the dictionary without the entries that the current frame has added.
  [[nodiscard]] dictionary base_alone() const {
    dictionary d = dictionary_;
    d.shrink(base_size_);
    return d;
  }
  void learn(std::uint32_t base, const dictionary& alone) {
    dictionary_ = alone;
    base_ = base;
    base_size_ = alone.size();
  }

  // Loads a frame that has its own dictionary, or that extends the loaded dictionary. Throws a
  // trace_error with only a code and a message.
  void load(const frame_header& h, std::span<const std::byte> payload) {
    unpack(h, payload);
    build(h);
  }
  // Decompresses the streams, which is the first half of load().
  void unpack(const frame_header& h, std::span<const std::byte> payload) {
    const bool own = h.base == h.number;
    dictionary_.shrink(own ? dictionary::extent{} : base_size_);
    if (own) base_.reset();
    base_units_ = dictionary_.units().size();
    kind_ = h.kind;
    records_ = h.content_size / size_;
    unpack(payload);
  }
  // Returns the maximum number of bytes that build() and a decoder need.
  [[nodiscard]] std::size_t needs() const noexcept {
    std::size_t in_units = 0;
    for (const std::byte length : streams_[stream::unit_lengths])
      in_units += std::min<std::size_t>(std::to_integer<std::size_t>(length), most_in_unit);
    const dictionary::extent more{streams_[stream::patterns].size() / dictionary_.pattern_size(),
                                  streams_[stream::ip_steps].size(),
                                  streams_[stream::unit_lengths].size()};
    const std::size_t sites = std::min<std::size_t>(
        dictionary_.sites() + more.statics * dictionary_.of().slots.size(), most_sites);
    return dictionary_.bytes(more, std::min<std::size_t>(in_units, most_in_units)) +
           (kind_ == frame_kind::high ? model_decoder_of<high_level>::takes(
                                            dictionary_.units().size() + more.units, sites)
                                      : model_decoder_of<fast_level>::takes(
                                            dictionary_.units().size() + more.units, sites));
  }
  // Builds the dictionary, which is the second half of load().
  void build(const frame_header& h) {
    read_dictionary();
    if (h.base == h.number) {
      base_ = h.number;
      base_size_ = dictionary_.size();
    }
  }
  // Returns the size in bytes of the streams and the dictionary.
  [[nodiscard]] std::size_t holds() const noexcept {
    return arena_.size() + dictionary_.bytes({}, 0);
  }
  // Returns the size in bytes of the streams.
  [[nodiscard]] std::size_t streamed() const noexcept { return arena_.size(); }
  // Returns a decoder that starts at the beginning of the loaded frame. The decoder is valid as
  // long as this object is unchanged.
  [[nodiscard]] std::unique_ptr<model_decoder> decoder() const {
    if (kind_ == frame_kind::high)
      return std::unique_ptr<model_decoder>(
          new model_decoder_of<high_level>(dictionary_, base_units_, streams_, records_));
    return std::unique_ptr<model_decoder>(
        new model_decoder_of<fast_level>(dictionary_, base_units_, streams_, records_));
  }

  // Decompresses a stored frame. Returns false on failure.
  bool unpack_stored(std::span<const std::byte> payload, std::span<std::byte> to) {
    return unpacker_.unpack(payload, to);
  }

 private:
  static trace_error fault(const std::string& why) { return {trace_errc::corrupt, {}, why}; }

  void unpack(std::span<const std::byte> payload) {
    if (payload.empty()) throw fault("it has no streams");
    const std::size_t count = std::to_integer<std::size_t>(payload[0]);
    payload = payload.subspan(1);
    std::vector<stream_header> headers(count);
    const std::size_t histories =
        kind_ == frame_kind::high ? high_level::histories.size() : fast_level::histories.size();
    std::array<bool, 256> there{};
    std::uint64_t content = 0;
    for (stream_header& s : headers) {
      const auto r = stream_codec::decode(payload, s);
      if (!r) throw fault("the list of its streams is damaged");
      payload = payload.subspan(r.used);
      content += s.content_size;
      if (std::exchange(there[s.number], true))
        throw fault("stream " + std::to_string(s.number) + " occurs twice");
    }
    if (content > most_streamed)
      throw fault("its streams hold " + std::to_string(content) + " bytes, but at most " +
                  std::to_string(most_streamed) + " are supported");
    streams_ = {};
    arena_.make(static_cast<std::size_t>(content));
    std::span<std::byte> available = arena_.all();
    for (const stream_header& s : headers) {
      if (s.stored_size > payload.size()) throw fault("a stream ends after it");
      const auto stored = payload.first(s.stored_size);
      payload = payload.subspan(s.stored_size);
      if (s.number >= stream::may_be_left_out) continue;
      if (!stream::known(s.number, histories))
        throw trace_error(
            trace_errc::unsupported, {},
            "has stream " + std::to_string(s.number) + ", which this program does not support");
      const auto to = available.first(s.content_size);
      available = available.subspan(s.content_size);
      if (s.stored_size == s.content_size)
        std::copy(stored.begin(), stored.end(), to.begin());
      else if (!unpacker_.unpack(stored, to))
        throw fault("stream " + std::to_string(s.number) + " cannot be decompressed");
      streams_[s.number] = to;
    }
    if (!payload.empty()) throw fault("bytes follow its streams");
  }
  void read_dictionary() {
    const auto bytes = [this](unsigned n) { return stream_reader(streams_[n]); };
    dictionary_streams<stream_reader> d{bytes(stream::patterns),
                                        bytes(stream::pattern_numbers_low),
                                        bytes(stream::pattern_numbers_high),
                                        bytes(stream::ip_steps),
                                        bytes(stream::ip_jumps),
                                        bytes(stream::unit_lengths),
                                        bytes(stream::unit_bodies),
                                        bytes(stream::classes),
                                        bytes(stream::code_lengths),
                                        bytes(stream::code)};
    if (!detail::read_dictionary(dictionary_, d)) throw fault("its dictionary is inconsistent");
  }

  dictionary dictionary_;
  std::size_t size_;  // size of a record in bytes
  // Number of the frame that contains the loaded dictionary.
  std::optional<std::uint32_t> base_ = {};
  dictionary::extent base_size_ = {};
  std::size_t base_units_ = 0;
  io::zstd_unpacker unpacker_ = {};
  arena arena_ = {};  // storage of the streams
  streams_by_number streams_ = {};
  frame_kind kind_ = frame_kind::fast;
  std::size_t records_ = 0;
};

}  // namespace tracecodec::tracepack::detail
