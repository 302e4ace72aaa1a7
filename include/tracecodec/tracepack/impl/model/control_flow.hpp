// Predicts the next unit. The streams store deviations from the prediction.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../../layout.hpp"
#include "dictionary.hpp"
#include "streams.hpp"
#include "zeroed.hpp"

namespace tracecodec::tracepack::detail {

// Streams of the unit predictor. `Run` and `Stream` are the types that write or read the streams.
template <class Level, class Run, class Stream> struct unit_streams {
  static constexpr std::size_t orders = Level::histories.size();
  Run again = {};   // hits of a successor that has been repeated often
  Run latest = {};  // hits of the latest successor
  std::array<std::array<Run, confidences>, orders> by_history = {};
  Stream choices = {}, low = {}, middle = {}, high = {};
};

template <class Level, bool Encodes> class control_flow {
 public:
  using run = std::conditional_t<Encodes, run_writer, run_reader>;
  using bytes = std::conditional_t<Encodes, stream_writer, stream_reader>;
  unit_streams<Level, run, bytes> streams = {};

  // Creates a predictor for `units` units. Units with numbers of at least `first_new` are new in
  // this frame.
  control_flow(std::size_t first_new, std::size_t units)
      : next_new_(static_cast<std::uint32_t>(first_new)) {
    grow(units);
  }
  // Returns the size in bytes of an object for `units` units.
  static constexpr std::size_t takes(std::size_t units) noexcept {
    return (orders << Level::unit_table_bits) * sizeof(entry) + (units + 1) * sizeof(successors);
  }
  // Grows the tables. The encoder calls this function when it discovers new units.
  void grow(std::size_t units) { successors_.resize(units + 1); }

  // Returns the next unit. An encoder passes the unit as `actual`. Returns `none` if the streams
  // refer to a unit that does not exist.
  [[gnu::always_inline]] std::uint32_t next(std::uint32_t actual) {
    successors& s = successors_[last_];
    std::uint32_t tried = none;
    if (s.repeated >= often) [[likely]] {
      tried = s.latest[0];
      if (streams.again.hit(actual == tried)) [[likely]] {
        push(tried);
        return tried;
      }
      s.repeated = often / 4;
    }
    return choose(s, tried, actual);
  }
  [[nodiscard]] bool failed() const noexcept requires(!Encodes) {
    bool bad = streams.again.failed() || streams.latest.failed() || streams.choices.failed() ||
               streams.low.failed() || streams.middle.failed() || streams.high.failed();
    for (const auto& order : streams.by_history)
      for (const auto& r : order) bad = bad || r.failed();
    return bad;
  }

  // Returns the digest of all units so far.
  [[nodiscard]] std::uint64_t digest() const noexcept { return std::rotl(digest_, 32); }

  static constexpr std::uint32_t none = ~std::uint32_t{0};

 private:
  static constexpr std::size_t orders = Level::histories.size();
  static constexpr unsigned often = 24;
  static constexpr std::uint64_t multiplier = 0xD1342543DE82EF95U;
  static constexpr std::array<std::uint64_t, orders> forget = [] {
    std::array<std::uint64_t, orders> a{};
    for (std::size_t o = 0; o != orders; ++o) {
      a[o] = 1;
      for (unsigned i = 0; i <= Level::histories[o]; ++i) a[o] *= multiplier;
    }
    return a;
  }();

  [[nodiscard]] std::size_t units() const noexcept { return successors_.size() - 1; }

  struct successors {
    std::array<std::uint32_t, 4> latest{none, none, none, none};
    std::uint32_t repeated = 0;
  };
  struct entry {
    std::uint16_t tag = 0;  // 0 if the entry is empty
    std::uint8_t confidence = 0;
    std::uint32_t predicted = 0;
  };

  [[gnu::always_inline]] void push(std::uint32_t number) {
    const std::uint64_t hash = unit_hash(number);
    for (std::size_t o = 0; o != orders; ++o)
      history_[o] = (history_[o] + hash) * multiplier -
                    hashes_[(pushed_ - Level::histories[o]) % hashes_.size()] * forget[o];
    hashes_[pushed_++ % hashes_.size()] = hash;
    last_ = number + 1;
    digest_ = std::rotl(digest_, 5) + number;
  }

  [[gnu::noinline]] std::uint32_t choose(successors& s, std::uint32_t tried, std::uint32_t actual) {
    std::array<entry*, orders> entries;
    std::array<std::uint16_t, orders> tags;
    for (std::size_t o = 0; o != orders; ++o) {
      std::uint64_t x = history_[o] * 0x9E3779B97F4A7C15U;
      x ^= x >> 32;
      entries[o] = &tables_[(o << Level::unit_table_bits) +
                            static_cast<std::size_t>(x & ((1U << Level::unit_table_bits) - 1))];
      tags[o] = static_cast<std::uint16_t>(x >> 16 | 1);
    }
    // Use the longest history that has occurred before. If no history has occurred, use the latest
    // successor.
    std::uint32_t candidate = none;
    run* how_often = nullptr;
    for (std::size_t o = orders; o-- != 0;) {
      if (entries[o]->tag != tags[o] || entries[o]->predicted == tried) continue;
      candidate = entries[o]->predicted;
      how_often = &streams.by_history[o][confidence_classes[entries[o]->confidence]];
      break;
    }
    if (how_often == nullptr && tried == none && s.latest[0] != none) {
      candidate = s.latest[0];
      how_often = &streams.latest;
    }
    std::uint32_t number = candidate;
    if (how_often == nullptr || !how_often->hit(actual == candidate)) {
      const std::uint32_t shortest = entries[0]->tag == tags[0] ? entries[0]->predicted : none;
      number = pick(s, shortest, actual);
      if (number >= units()) return none;
    }
    for (std::size_t o = 0; o != orders; ++o) learn(*entries[o], tags[o], number);
    learn(s, number);
    push(number);
    return number;
  }

  // Encodes or decodes a unit that was not predicted correctly.
  std::uint32_t pick(const successors& s, std::uint32_t shortest, std::uint32_t actual) {
    enum : std::uint8_t { by_shortest = 0, by_latest = 1, new_one = 5, by_number = 6 };
    std::uint8_t how = by_number;
    if constexpr (Encodes) {
      if (actual == shortest) {
        how = by_shortest;
      } else if (actual == next_new_) {
        how = new_one;
      } else {
        for (std::uint8_t i = 4; i-- != 0;)
          if (actual == s.latest[i]) how = static_cast<std::uint8_t>(by_latest + i);
      }
      streams.choices.byte(how);
      if (how == by_number) {
        streams.low.byte(actual & 0xff);
        streams.middle.byte(actual >> 8 & 0xff);
        streams.high.byte(actual >> 16);
      }
    } else {
      how = streams.choices.byte();
    }
    std::uint32_t number = actual;
    if (how == by_shortest) {
      number = shortest;
    } else if (how < new_one) {
      number = s.latest[how - by_latest];
    } else if (how == new_one) {
      number = next_new_;
    } else if constexpr (!Encodes) {
      if (how != by_number) return none;
      number = streams.low.byte();
      number |= std::uint32_t{streams.middle.byte()} << 8;
      number |= std::uint32_t{streams.high.byte()} << 16;
    }
    if (number == next_new_ && number < units()) ++next_new_;
    return number;
  }

  static void learn(entry& e, std::uint16_t tag, std::uint32_t number) {
    if (e.tag != tag) {
      if (e.confidence > 1)
        e.confidence >>= 1;
      else
        e = {tag, 0, number};
    } else if (e.predicted == number) {
      if (e.confidence < 63) ++e.confidence;
    } else {
      e.confidence >>= 2;
      if (e.confidence == 0) e.predicted = number;
    }
  }
  static void learn(successors& s, std::uint32_t number) {
    if (s.latest[0] == number) {
      if (s.repeated < often) ++s.repeated;
      return;
    }
    std::size_t k = 1;
    while (k < 3 && s.latest[k] != number) ++k;
    for (; k != 0; --k) s.latest[k] = s.latest[k - 1];
    s.latest[0] = number;
    s.repeated = 0;
  }

  zeroed<entry> tables_{orders << Level::unit_table_bits};
  std::vector<successors> successors_ = {};  // element 0 is for the start of the frame
  std::array<std::uint64_t, orders> history_ = {};
  std::array<std::uint64_t, 64> hashes_ = {};
  std::uint32_t pushed_ = 0;
  std::uint64_t digest_ = 0;
  std::size_t last_ = 0;  // number of the last unit + 1
  std::uint32_t next_new_;
};

}  // namespace tracecodec::tracepack::detail
