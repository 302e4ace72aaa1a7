// Where a conversion writes records of ChampSim's kind: plain, compressed, or packed.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/tracepack/about.hpp>
#include <tracecodec/tracepack/layout.hpp>
#include <tracecodec/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/output_name.hpp"
#include "../common/pack.hpp"
#include "conversion.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;
namespace tracepack = tracecodec::tracepack;

inline constexpr const char* recorder = "trace_convert " TRACECODEC_VERSION;

inline bool is_packed(const options& o) {
  return o.pack || (!o.content && examples::output_name(o.out).says({examples::form::pack}));
}

// What `about` says of a trace, for the part of it that is converted.
inline void take_over(tracepack::about& about, const options& o) {
  if (about.recorder.empty()) about.recorder = recorder;
  const bool part = o.part.skip != 0 || o.part.limit;
  if (!part && !o.as.thread) return;
  about.region += (about.region.empty() ? "" : "; of these ");
  if (o.as.thread) about.region += "thread " + std::to_string(*o.as.thread) + (part ? ", " : "");
  if (!part) return;
  about.region += "records from " + std::to_string(o.part.skip) + " on";
  if (o.part.limit) about.region += ", " + std::to_string(*o.part.limit) + " at most";
  if (o.keep_whole || o.as.repair) about.region += ", of those that could be read";
}

// What is said of a pack of `Record`s that are made of `from`; `properties` as about::properties.
template <class Record> tracepack::about about_packed(const tracecodec::trace::source& from,
                                                      const options& o, std::uint8_t properties) {
  constexpr bool cloudsuite = std::is_same_v<Record, champsim::cloudsuite_instruction>;
  const tracepack::about usual =
      cloudsuite ? tracepack::about_cloudsuite() : tracepack::about_champsim();
  tracepack::about a = from.packed() != nullptr ? *from.packed() : usual;
  a.kind = usual.kind;
  a.shape = usual.shape;
  a.frame_records = 0;
  a.table.clear();
  a.properties = properties;
  take_over(a, o);
  return a;
}

inline std::unique_ptr<io::sink> open_pack(const options& o, tracepack::about about) {
  if (o.block_size)
    about.frame_records = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(*o.block_size / about.shape.size, 1, tracepack::most_records));
  return examples::pack(io::open_output(o.out, io::codec::none, o.packing), o.out, std::move(about),
                        o.packed_as);
}

template <class Record> class record_output {
 public:
  record_output(const options& o, io::codec compression, const tracepack::about& about)
      : out_(is_packed(o) ? open_pack(o, about) : io::open_output(o.out, compression, o.packing)),
        keeps_properties_(is_packed(o) && about.properties != 0) {}

  // Whether what is known of instructions is kept.
  [[nodiscard]] bool keeps_properties() const noexcept { return keeps_properties_; }

  void write(std::span<const Record> records) { out_->write(encoded(records)); }
  // Where properties are kept.
  void write(std::span<const Record> records, std::span<const tracepack::property> known) {
    examples::write_packed(*out_, encoded(records), known);
  }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  void finish() { out_->finish(); }

 private:
  using codec = champsim::codec_of<Record>;

  // Valid until the next ones are.
  std::span<const std::byte> encoded(std::span<const Record> records) {
    bytes_.resize(records.size() * codec::size);
    std::byte* to = bytes_.data();
    for (const Record& r : records) {
      codec::store(r, to);
      to += codec::size;
    }
    written_ += records.size();
    return bytes_;
  }

  std::unique_ptr<io::sink> out_;
  bool keeps_properties_;
  std::vector<std::byte> bytes_ = {};
  std::uint64_t written_ = 0;
};

}  // namespace convert
