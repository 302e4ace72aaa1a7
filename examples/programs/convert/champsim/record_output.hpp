// Writes ChampSim or CloudSuite records: plain, compressed, or as a tracepack.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/tracepack/about.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../common/pack.hpp"
#include "../conversion.hpp"
#include "../pack_output.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;
// Returns the metadata for a tracepack of records that were converted from the trace `from`.
// `properties` is the value of about::properties.
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

template <class Record> class record_output {
 public:
  record_output(const options& o, io::codec compression, const tracepack::about& about)
      : out_(is_packed(o) ? open_pack(o, about) : io::open_output(o.out, compression, o.packing)),
        keeps_properties_(is_packed(o) && about.properties != 0) {}

  // Returns true if the output stores instruction properties.
  [[nodiscard]] bool keeps_properties() const noexcept { return keeps_properties_; }

  void write(std::span<const Record> records) { out_->write(encoded(records)); }
  // Writes records, and the properties of their instructions if the output stores them.
  void write(std::span<const Record> records, std::span<const tracepack::property> known) {
    if (keeps_properties_)
      examples::write_packed(*out_, encoded(records), known);
    else
      write(records);
  }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  void finish() { out_->finish(); }

 private:
  using codec = champsim::codec_of<Record>;

  // Returns the encoded bytes of `records`. The bytes are valid until the next call.
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
