// Decodes the records of a model frame in batches, with three loops. The first loop selects the
// next units. The second loop copies the records of the units, but without the addresses, and lists
// the slots. The third loop decodes the addresses. Each loop processes an entire batch, so short
// units do not lead to short loops.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "../../layout.hpp"
#include "addresses.hpp"
#include "control_flow.hpp"
#include "dictionary.hpp"
#include "levels.hpp"
#include "streams.hpp"

namespace tracecodec::tracepack::detail {

// Streams of a frame, indexed by stream number. Missing streams are empty.
using streams_by_number = std::array<std::span<const std::byte>, stream::may_be_left_out>;

// Decoded records before the layout: the units, and the addresses of all units in order.
struct bare_records {
  std::size_t unit_count = 0, address_count = 0;
  std::vector<std::uint32_t> units = {};  // at least unit_count elements
  std::vector<std::uint64_t> addresses = {};

  [[nodiscard]] std::size_t bytes() const noexcept { return unit_count * 4 + address_count * 8; }
};

class model_decoder {
 public:
  model_decoder() = default;
  model_decoder(const model_decoder&) = delete;
  model_decoder& operator=(const model_decoder&) = delete;
  virtual ~model_decoder() = default;

  // Returns the number of records that have not been decoded yet.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  // Arrays for additional output for each record. A pointer is nullptr if the output is not
  // requested. `statics` receives the number of each record's static instruction. `marks` receives
  // each record's mark, copied from `member_marks`. `member_marks` contains a mark for each element
  // of dictionary::members, and 8 more elements. `marks` must have 64 more elements than there are
  // records.
  struct details {
    std::uint32_t* statics = nullptr;
    const std::uint8_t* member_marks = nullptr;
    std::uint8_t* marks = nullptr;
  };

  // Decodes the next records that fit in `to`, up to most(). `to` must have space for at least 2 *
  // most_in_unit records. Returns 0 if the streams are damaged.
  virtual std::size_t next(std::span<std::byte> to, const details& more) = 0;
  // Appends the next records to `to`, up to most_bare. Returns the number of appended records, or 0
  // if the streams are damaged.
  virtual std::size_t next(bare_records& to) = 0;
  // Returns true if all streams have been valid so far. Call digest() only after the last record.
  [[nodiscard]] virtual bool sound() const = 0;
  [[nodiscard]] virtual std::uint64_t digest() const = 0;

  // Returns the maximum number of records that are laid out at once. ChampSim's records then take
  // 16 KiB, so they remain in the nearest cache until they are read.
  static std::size_t most(std::size_t record_size) noexcept {
    return std::min<std::size_t>(256, (std::size_t{1} << 16) / (record_size / 8));
  }
  static constexpr std::size_t most_bare = 4096;

 protected:
  std::size_t left_ = 0;
};

// Copies of the pointers to a dictionary's arrays. Without these copies, the compiler would have to
// assume that stores change the pointers.
struct dictionary_arrays {
  explicit dictionary_arrays(const dictionary& d)
      : all(d),
        units(d.units().data()),
        images(d.image(0)),
        accesses(d.accesses_of({})),
        members(d.members().data()) {}

  const dictionary& all;
  const unit* units;
  const std::byte* images;
  const access* accesses;
  const std::uint32_t* members;
};

// Lays out the records of a unit without their addresses. Returns the end of the last record.
// `Size` is the record size of a compact dictionary, or 0 for any record size and any dictionary.
// Statics and marks are set in the same loop, which saves 5 % of a feed's time.
template <std::size_t Size>
[[gnu::always_inline]] inline std::byte* lay_out_unit(const dictionary_arrays& from, const unit& u,
                                                      std::byte* to, model_decoder::details& more) {
  const dictionary& d = from.all;
  if constexpr (Size != 0) {
    const std::byte* image = from.images + std::size_t{u.first} * 16;
    const std::byte* const end = to + u.length * Size;
    for (; to != end; image += 16, to += Size) {
      std::memcpy(to, image, 16);
      std::memset(to + 16, 0, Size - 16);
    }
  } else {
    const std::size_t size = d.of().size;
    for (std::uint32_t k = 0; k != u.length; ++k, to += size) {
      if (d.compact()) {
        std::memcpy(to, d.image(u.first + k), 16);
        std::memset(to + 16, 0, size - 16);
      } else if (d.has_images()) {
        std::memcpy(to, d.image(from.members[u.first + k]), size);
      } else {
        d.make_record(from.members[u.first + k], to);
      }
    }
  }
  if (more.marks != nullptr) {
    // Copy eight marks at once, because most units have at most eight members.
    for (std::uint32_t k = 0; k < u.length; k += 8)
      std::memcpy(more.marks + k, more.member_marks + u.first + k, 8);
    more.marks += u.length;
  }
  if (more.statics != nullptr)
    more.statics = std::copy_n(from.members + u.first, u.length, more.statics);
  return to;
}

template <class Level> class model_decoder_of final : public model_decoder {
 public:
  // Returns the size in bytes of a decoder for `units` units and `sites` sites.
  static constexpr std::size_t takes(std::size_t units, std::size_t sites) noexcept {
    return control_flow<Level, false>::takes(units) + addresses<Level, false>::takes(sites);
  }
  // Creates a decoder for `records` records. The first `base` units of `d` belong to another frame.
  // `d` must outlive the decoder.
  model_decoder_of(const dictionary& d, std::size_t base, const streams_by_number& from,
                   std::size_t records)
      : dictionary_(d), flow_(base, d.units().size()), addresses_(d.sites()) {
    left_ = records;
    const auto bytes = [&from](unsigned number) { return stream_reader(from[number]); };
    auto& u = flow_.streams;
    u.choices = bytes(stream::unit_choices);
    u.low = bytes(stream::unit_numbers_low);
    u.middle = bytes(stream::unit_numbers_middle);
    u.high = bytes(stream::unit_numbers_high);
    auto& a = addresses_.streams;
    a.choices = bytes(stream::address_choices);
    a.marks = bytes(stream::address_marks);
    a.bits = bytes(stream::address_bits);
    unsigned number = stream::unit_runs;
    u.again = run_reader(bytes(number++));
    u.latest = run_reader(bytes(number++));
    for (auto& order : u.by_history)
      for (auto& r : order) r = run_reader(bytes(number++));
    number = stream::address_runs;
    for (auto& r : a.runs) r = run_reader(bytes(number++));
  }

  std::size_t next(std::span<std::byte> to, const details& more) override {
    const std::size_t size = dictionary_.of().size;
    const std::size_t available = std::min({to.size() / size, most(size), left_ + most_in_unit});
    grow(units_, available);
    const chosen c = choose_units(available, units_.data());
    if (c.records == 0) return 0;
    const std::size_t accesses = c.accesses;
    grow(accesses_, accesses);
    if (dictionary_.compact() && size == 64)
      lay_out<64>(c.units, to.data(), more);
    else
      lay_out<0>(c.units, to.data(), more);
    addresses_.decode(std::span(accesses_).first(accesses), to.data());
    left_ -= c.records;
    return c.records;
  }
  std::size_t next(bare_records& to) override {
    constexpr std::size_t available = most_bare;
    grow(units_, available);
    std::uint32_t* const units = units_.data();
    const chosen c = choose_units(available, units);
    if (c.records == 0) return 0;
    grow(accesses_, c.accesses);
    const dictionary_arrays from(dictionary_);
    access* next = accesses_.data();
    for (std::size_t k = 0; k != c.units; ++k) {
      const unit u = from.units[units[k]];
      next = std::copy_n(from.accesses + u.first_access, u.accesses, next);
    }
    grow(to.units, to.unit_count + c.units, std::size_t{1} << 14);
    std::copy_n(units, c.units, to.units.data() + to.unit_count);
    grow(to.addresses, to.address_count + c.accesses, std::size_t{1} << 15);
    addresses_.decode(std::span(accesses_).first(c.accesses),
                      to.addresses.data() + to.address_count);
    to.unit_count += c.units;
    to.address_count += c.accesses;
    left_ -= c.records;
    return c.records;
  }
  [[nodiscard]] bool sound() const override { return !flow_.failed() && !addresses_.failed(); }
  [[nodiscard]] std::uint64_t digest() const override {
    return flow_.digest() ^ addresses_.digest();
  }

 private:
  struct chosen {
    std::size_t units, records, accesses;
  };
  // Stores the numbers of the next units in `to`. Stops if a unit of maximum length might not fit
  // in `available` records. Returns a result without records if the streams are damaged.
  [[gnu::always_inline]] chosen choose_units(std::size_t available, std::uint32_t* to) {
    const unit* const all = dictionary_.units().data();
    chosen c{};
    while (c.records + most_in_unit <= available && c.records < left_) {
      const std::uint32_t number = flow_.next(0);
      if (number == flow_.none) return {};
      const unit& u = all[number];
      to[c.units++] = number;
      c.records += u.length;
      c.accesses += u.accesses;
    }
    if (c.records > left_) return {};
    return c;
  }
  template <class T> static void grow(std::vector<T>& v, std::size_t n, std::size_t least = 0) {
    if (v.size() < n) v.resize(std::max({n, 2 * v.size(), least}));
  }

  // Lays out the records of `units` units, and lists the accesses of these records. `Size` is the
  // record size of a compact dictionary, or 0 for any record size and any dictionary.
  template <std::size_t Size> void lay_out(std::size_t units, std::byte* to, details more) {
    const std::size_t size = Size != 0 ? Size : dictionary_.of().size;
    const dictionary_arrays from(dictionary_);
    access* next = accesses_.data();
    std::uint64_t words = 0;
    for (std::size_t k = 0; k != units; ++k) {
      const unit u = from.units[units_[k]];
      to = lay_out_unit<Size>(from, u, to, more);
      const access* const all = from.accesses + u.first_access;
      for (std::uint32_t i = 0; i != u.accesses; ++i) next[i] = moved(all[i], words);
      next += u.accesses;
      words += std::uint64_t{u.length} * (size / 8);
    }
  }

  const dictionary& dictionary_;
  control_flow<Level, false> flow_;
  addresses<Level, false> addresses_;
  std::vector<std::uint32_t> units_ = {};
  std::vector<access> accesses_ = {};
};

}  // namespace tracecodec::tracepack::detail
