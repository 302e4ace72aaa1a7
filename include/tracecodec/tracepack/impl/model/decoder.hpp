// Records of a model frame, in batches: the next units; their records without addresses, and a list of the slots; the
// addresses. Three loops, none of which is as long as one unit says.
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

// What the streams of a frame are by their numbers; those that are not there are empty.
using streams_by_number = std::array<std::span<const std::byte>, stream::may_be_left_out>;

class model_decoder {
 public:
  model_decoder() = default;
  model_decoder(const model_decoder&) = delete;
  model_decoder& operator=(const model_decoder&) = delete;
  virtual ~model_decoder() = default;

  // Records to decode still.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  // What is told of each record, unless it is nullptr: the number of its static instruction; its member's mark, as
  // member_marks has them for dictionary::members, and 8 more. The latter have room for 64 more than there are records.
  struct told {
    std::uint32_t* statics = nullptr;
    const std::uint8_t* member_marks = nullptr;
    std::uint8_t* marks = nullptr;
  };

  // The next records, as many as have room in `to`, which has it for at least 2 * most_in_unit, and no more than
  // most(). 0 if the streams are damaged.
  virtual std::size_t next(std::span<std::byte> to, const told& more) = 0;
  // At the end: whether the streams were as they should be. The frame's digest.
  [[nodiscard]] virtual bool sound() const = 0;
  [[nodiscard]] virtual std::uint64_t digest() const = 0;

  // Records of a batch at most.
  static std::size_t most(std::size_t record_size) noexcept {
    return std::min<std::size_t>(4096, (std::size_t{1} << 16) / (record_size / 8));
  }

 protected:
  std::size_t left_ = 0;
};

template <class Level> class model_decoder_of final : public model_decoder {
 public:
  // `base` units of `d` are of another frame. `d` stays as long as the decoder.
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

  std::size_t next(std::span<std::byte> to, const told& more) override {
    const std::size_t size = dictionary_.of().size;
    const std::size_t room = std::min({to.size() / size, most(size), left_ + most_in_unit});
    units_.clear();
    std::size_t records = 0, accesses = 0;
    while (records + most_in_unit <= room && records < left_) {
      const std::uint32_t number = flow_.next(0);
      if (number == flow_.none) return 0;
      const unit& u = dictionary_.units()[number];
      units_.push_back(number);
      records += u.length;
      accesses += u.accesses;
    }
    if (records > left_) return 0;
    if (accesses_.size() < accesses) accesses_.resize(accesses);
    if (dictionary_.compact() && size == 64)
      lay_out<64>(to.data(), more);
    else
      lay_out<0>(to.data(), more);
    addresses_.decode(std::span(accesses_).first(accesses), to.data());
    left_ -= records;
    return records;
  }
  [[nodiscard]] bool sound() const override { return !flow_.failed() && !addresses_.failed(); }
  [[nodiscard]] std::uint64_t digest() const override {
    return flow_.digest() ^ addresses_.digest();
  }

 private:
  // Records of `Size` bytes in a compact dictionary; of any size, 0. With what is told of them, in one loop: 5 % of a
  // feed's time.
  template <std::size_t Size> void lay_out(std::byte* to, told more) {
    const std::size_t size = Size != 0 ? Size : dictionary_.of().size;
    access* next = accesses_.data();
    std::uint64_t words = 0;
    // Copies: `to` could be anything's.
    const unit* const units = dictionary_.units().data();
    const std::byte* const images = dictionary_.image(0);
    const access* const accesses = dictionary_.accesses_of({});
    const std::uint32_t* const members = dictionary_.members().data();
    for (const std::uint32_t number : units_) {
      const unit u = units[number];
      if constexpr (Size != 0) {
        const std::byte* image = images + std::size_t{u.first} * 16;
        const std::byte* const end = to + u.length * Size;
        for (; to != end; image += 16, to += Size) {
          std::memcpy(to, image, 16);
          std::memset(to + 16, 0, Size - 16);
        }
      } else {
        for (std::uint32_t k = 0; k != u.length; ++k, to += size) {
          if (dictionary_.compact()) {
            std::memcpy(to, dictionary_.image(u.first + k), 16);
            std::memset(to + 16, 0, size - 16);
          } else if (dictionary_.has_images()) {
            std::memcpy(to, dictionary_.image(members[u.first + k]), size);
          } else {
            dictionary_.make_record(members[u.first + k], to);
          }
        }
      }
      const access* const all = accesses + u.first_access;
      for (std::uint32_t i = 0; i != u.accesses; ++i) next[i] = moved(all[i], words);
      next += u.accesses;
      words += std::uint64_t{u.length} * (size / 8);
      if (more.marks != nullptr) {
        // Eight at once: most units are shorter.
        for (std::uint32_t k = 0; k < u.length; k += 8)
          std::memcpy(more.marks + k, more.member_marks + u.first + k, 8);
        more.marks += u.length;
      }
      if (more.statics != nullptr)
        more.statics = std::copy_n(members + u.first, u.length, more.statics);
    }
  }

  const dictionary& dictionary_;
  control_flow<Level, false> flow_;
  addresses<Level, false> addresses_;
  std::vector<std::uint32_t> units_ = {};
  std::vector<access> accesses_ = {};
};

}  // namespace tracecodec::tracepack::detail
