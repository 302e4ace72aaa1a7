// Encodes records as a model frame while they arrive. Only the current, incomplete unit is
// buffered.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../../io/compression/zstd_block.hpp"
#include "../../layout.hpp"
#include "addresses.hpp"
#include "control_flow.hpp"
#include "dictionary.hpp"
#include "dictionary_streams.hpp"
#include "levels.hpp"
#include "streams.hpp"

namespace tracecodec::tracepack::detail {

// Dictionary with lookup tables for an encoder. If two entries have the same hash, lookups find
// only one entry, and the other entry may be added more than once.
class growing_dictionary {
 public:
  growing_dictionary(const shape& of, std::uint8_t properties)
      : all_(of, properties), pattern_(all_.pattern_size()) {}

  [[nodiscard]] const dictionary& all() const noexcept { return all_; }

  // Returns true if the largest possible unit might not fit in the dictionary.
  [[nodiscard]] bool full() const noexcept {
    return all_.patterns() + most_in_unit > most_patterns ||
           all_.statics().size() + most_in_unit > most_statics ||
           all_.sites() + most_in_unit * most_slots > most_sites ||
           all_.units().size() + 1 > most_units ||
           all_.members().size() + most_in_unit > most_in_units ||
           (all_.patterns() + most_in_unit) * all_.pattern_size() > kept_in_patterns ||
           all_.accesses() > kept_accesses;
  }
  // Returns true if a frame that extends this dictionary would soon be full.
  [[nodiscard]] bool crowded() const noexcept {
    return all_.patterns() > most_patterns / 4 * 3 ||
           all_.statics().size() > most_statics / 4 * 3 || all_.sites() > most_sites / 4 * 3 ||
           all_.units().size() > most_units / 4 * 3 ||
           all_.members().size() > most_in_units / 4 * 3 ||
           all_.patterns() * all_.pattern_size() > kept_in_patterns / 4 * 3 ||
           all_.accesses() > kept_accesses / 4 * 3;
  }
  // Returns the maximum size in bytes of the streams for the entries after `base`.
  [[nodiscard]] std::size_t measured(const dictionary::extent& base) const noexcept {
    return (all_.patterns() - base.patterns) * all_.pattern_size() +
           (all_.statics().size() - base.statics) * (all_.known() != 0 ? 30 : 13) +
           (all_.units().size() - base.units) + all_.members().size() * 4;
  }

  // Returns true if a record with the same pattern was already encoded, or was recently passed to
  // this function. Patterns of new code soon repeat, but patterns of noise do not.
  [[nodiscard]] bool knows_pattern(const std::byte* record) {
    all_.pattern_of(record, pattern_.data());
    const std::uint64_t h = hash_of(pattern_);
    if (patterns_.find(h) != patterns_.end()) return true;
    return std::exchange(looked_up_[static_cast<std::size_t>(h >> 54)], h) == h;
  }

  // Returns the static instruction of a record with the address `ip`. `used` is the mask of the
  // slots that the record uses. The properties `is` are compared only if the file stores
  // properties.
  [[gnu::always_inline]] std::uint32_t static_of(const std::byte* record, std::uint64_t ip,
                                                 unsigned used, const property& is) {
    // First try the static instruction that most recently followed the previous instruction.
    if (last_ < seen_.size()) {
      const std::uint32_t s = seen_[last_].follower;
      if (s < seen_.size()) {
        const seen& i = seen_[s];
        if (i.ip == ip && i.used == used &&
            (all_.compact() ? i.bytes == load_word(record + 8)
                            : all_.has_static_bytes(record, all_.statics()[s].pattern)) &&
            (all_.known() == 0 || all_.property_of(s) == is))
          return last_ = s;
      }
    }
    return find_static(record, ip, is);
  }

  std::uint32_t unit_of(std::span<const std::uint32_t> members) {
    std::uint64_t h = members.size();
    for (const std::uint32_t m : members) h = mixed(h, m) ^ h >> 29;
    const auto [at, is_new] =
        units_.try_emplace(h, static_cast<std::uint32_t>(all_.units().size()));
    if (!is_new) {
      const auto there = all_.members_of(all_.units()[at->second]);
      if (std::equal(there.begin(), there.end(), members.begin(), members.end())) return at->second;
      at->second = static_cast<std::uint32_t>(all_.units().size());
    }
    unit_hashes_.push_back(h);
    all_.add_unit(members);
    return at->second;
  }

  // Restores the earlier size `to` by removing all later entries.
  void shrink(const dictionary::extent& to) {
    const auto forget = [](table& all, auto& hashes, std::size_t size) {
      for (std::size_t i = size; i < hashes.size(); ++i)
        if (const auto at = all.find(hashes[i]); at != all.end() && at->second >= size)
          all.erase(at);
      if (size < hashes.size()) hashes.resize(size);
    };
    forget(patterns_, pattern_hashes_, to.patterns);
    forget(statics_, static_hashes_, to.statics);
    forget(units_, unit_hashes_, to.units);
    if (seen_.size() > to.statics) seen_.resize(to.statics);
    all_.shrink(to);
    last_ = static_cast<std::uint32_t>(-1);
  }

 private:
  using table = std::unordered_map<std::uint64_t, std::uint32_t>;
  // Maximum number of bytes of all patterns. For records with up to 64 static bytes, most_patterns
  // is the stricter limit.
  static constexpr std::size_t kept_in_patterns = most_in_patterns / 2;
  // Maximum number of slots in use in all units. Each slot takes 8 bytes. In real programs, units
  // have fewer slots in use than members.
  static constexpr std::size_t kept_accesses = most_accesses / 2;

  static std::uint64_t hash_of(std::span<const std::byte> bytes) noexcept {
    std::uint64_t h = bytes.size();
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
      h = mixed(h ^ h >> 32, word);
    }
    return h;
  }
  bool is_it(std::uint32_t s, std::uint64_t ip, const property& is) const noexcept {
    const static_instruction& i = all_.statics()[s];
    return i.ip == ip && (all_.known() == 0 || all_.property_of(s) == is) &&
           std::memcmp(all_.pattern(i.pattern).data(), pattern_.data(), pattern_.size()) == 0;
  }
  // Finds or adds a static instruction, and records it as the follower of the previous instruction.
  [[gnu::noinline]] std::uint32_t find_static(const std::byte* record, std::uint64_t ip,
                                              const property& is) {
    all_.pattern_of(record, pattern_.data());
    const std::uint32_t s = look_up(ip, is);
    if (last_ < seen_.size()) seen_[last_].follower = s;
    return last_ = s;
  }
  std::uint32_t look_up(std::uint64_t ip, const property& is) {
    const std::uint64_t pattern_hash = hash_of(pattern_);
    const auto [pattern, new_pattern] =
        patterns_.try_emplace(pattern_hash, static_cast<std::uint32_t>(all_.patterns()));
    if (new_pattern ||
        std::memcmp(all_.pattern(pattern->second).data(), pattern_.data(), pattern_.size()) != 0) {
      pattern->second = static_cast<std::uint32_t>(all_.patterns());
      pattern_hashes_.push_back(pattern_hash);
      all_.add_pattern(pattern_);
    }
    std::uint64_t h = mixed(mixed(ip, pattern->second), 1);
    if (all_.known() != 0) h = mixed(h, hash_of(is.code) + is.branch + 256U * is.length);
    const auto [at, is_new] =
        statics_.try_emplace(h, static_cast<std::uint32_t>(all_.statics().size()));
    if (!is_new && is_it(at->second, ip, is)) return at->second;
    at->second = static_cast<std::uint32_t>(all_.statics().size());
    static_hashes_.push_back(h);
    all_.add_static(ip, pattern->second, is);
    seen_.push_back(
        {ip, all_.compact() ? load_word(pattern_.data()) : 0, all_.mask_of(pattern->second), 0});
    return at->second;
  }

  dictionary all_;
  std::vector<std::byte> pattern_;  // pattern of the current record
  table patterns_ = {}, statics_ = {}, units_ = {};
  std::vector<std::uint64_t> pattern_hashes_ = {}, static_hashes_ = {}, unit_hashes_ = {};
  // Values of a static instruction for comparison with the next record. `bytes` contains the static
  // bytes in a compact dictionary, and is 0 in any other dictionary.
  struct seen {
    std::uint64_t ip = 0, bytes = 0;
    std::uint32_t used = 0;      // mask of used slots
    std::uint32_t follower = 0;  // static instruction that most recently followed this one
  };
  std::vector<seen> seen_ = {};
  std::uint32_t last_ = static_cast<std::uint32_t>(-1);
  std::array<std::uint64_t, 1024> looked_up_ = {};  // hashes of patterns passed to knows_pattern()
};

// Stream and its number.
struct numbered_stream {
  unsigned number;
  stream_writer content;
};

class model_encoder {
 public:
  model_encoder() = default;
  model_encoder(const model_encoder&) = delete;
  model_encoder& operator=(const model_encoder&) = delete;
  virtual ~model_encoder() = default;

  // Encodes records until the frame is full. Returns the number of encoded records. `properties`
  // contains the properties of each record, or is empty.
  virtual std::size_t take(std::span<const std::byte> records,
                           std::span<const property> properties) = 0;
  [[nodiscard]] virtual std::size_t records() const = 0;
  // Returns the frame's streams for all encoded records. May be called only once.
  virtual std::vector<numbered_stream> finish() = 0;
  [[nodiscard]] virtual std::uint64_t digest() const = 0;
};

// Returns the payload of a frame that consists of `streams`.
inline std::vector<std::byte> payload_of(const std::vector<numbered_stream>& streams,
                                         io::zstd_packer& packer) {
  std::vector<std::byte> headers(1), bodies;
  for (const numbered_stream& s : streams) {
    const auto content = s.content.all();
    if (content.empty()) continue;
    const std::size_t before = bodies.size();
    std::size_t stored = packer.pack(content, bodies);
    if (stored >= content.size()) {
      bodies.resize(before);
      bodies.insert(bodies.end(), content.begin(), content.end());
      stored = content.size();
    }
    std::array<std::byte, 16> header{};
    const auto r = stream_codec::encode(
        {static_cast<std::uint8_t>(s.number), static_cast<std::uint32_t>(content.size()),
         static_cast<std::uint32_t>(stored)},
        header);
    headers.insert(headers.end(), header.begin(),
                   header.begin() + static_cast<std::ptrdiff_t>(r.used));
    headers[0] = static_cast<std::byte>(std::to_integer<unsigned>(headers[0]) + 1);
  }
  headers.insert(headers.end(), bodies.begin(), bodies.end());
  return headers;
}

template <class Level> class model_encoder_of final : public model_encoder {
 public:
  model_encoder_of(growing_dictionary& d, std::size_t most)
      : dictionary_(d),
        base_(d.all().size()),
        most_(most),
        flow_(base_.units, base_.units),
        addresses_(d.all().sites()) {}

  std::size_t take(std::span<const std::byte> records,
                   std::span<const property> properties) override {
    const dictionary& d = dictionary_.all();
    const std::size_t size = d.of().size, ip_at = d.of().ip;
    const std::uint16_t* const slots = d.of().slots.data();
    const property nothing_known;
    std::size_t done = 0;
    for (; done * size != records.size() && !full(); ++done) {
      const std::byte* const record = records.data() + done * size;
      const std::uint64_t ip = load_word(record + ip_at);
      if (length_ != 0 && (ip - last_ip_ - 1 >= longest_step || length_ == most_in_unit)) {
        end_unit();
        if (full()) break;
      }
      unsigned used = d.slots_in_use(record);
      members_[length_++] = dictionary_.static_of(
          record, ip, used, properties.empty() ? nothing_known : properties[done]);
      for (; used != 0; used &= used - 1)
        used_[used_count_++] = load_word(record + slots[std::countr_zero(used)]);
      last_ip_ = ip;
      ++records_;
    }
    return done;
  }
  [[nodiscard]] std::size_t records() const override { return records_; }

  std::vector<numbered_stream> finish() override {
    if (length_ != 0) end_unit();
    std::vector<numbered_stream> all;
    dictionary_streams<stream_writer> d;
    write_dictionary(dictionary_.all(), base_, d);
    all.push_back({stream::patterns, std::move(d.patterns)});
    all.push_back({stream::pattern_numbers_low, std::move(d.low)});
    all.push_back({stream::pattern_numbers_high, std::move(d.high)});
    all.push_back({stream::ip_steps, std::move(d.steps)});
    all.push_back({stream::ip_jumps, std::move(d.jumps)});
    all.push_back({stream::unit_lengths, std::move(d.lengths)});
    all.push_back({stream::unit_bodies, std::move(d.bodies)});
    all.push_back({stream::classes, std::move(d.classes)});
    all.push_back({stream::code_lengths, std::move(d.code_lengths)});
    all.push_back({stream::code, std::move(d.code)});
    auto& u = flow_.streams;
    all.push_back({stream::unit_choices, std::move(u.choices)});
    all.push_back({stream::unit_numbers_low, std::move(u.low)});
    all.push_back({stream::unit_numbers_middle, std::move(u.middle)});
    all.push_back({stream::unit_numbers_high, std::move(u.high)});
    auto& a = addresses_.streams;
    all.push_back({stream::address_choices, std::move(a.choices)});
    all.push_back({stream::address_marks, std::move(a.marks)});
    all.push_back({stream::address_bits, std::move(a.bits)});
    unsigned number = stream::unit_runs;
    all.push_back({number++, std::move(u.again).stream()});
    all.push_back({number++, std::move(u.latest).stream()});
    for (auto& order : u.by_history)
      for (auto& r : order) all.push_back({number++, std::move(r).stream()});
    number = stream::address_runs;
    for (auto& r : a.runs) all.push_back({number++, std::move(r).stream()});
    return all;
  }
  [[nodiscard]] std::uint64_t digest() const override {
    return flow_.digest() ^ addresses_.digest();
  }

 private:
  // Longest step in bytes between two consecutive instructions of a unit. x86 instructions have at
  // most 15 bytes. A new unit begins if the ip does not increase, or if the ip increases by more
  // than this step.
  static constexpr std::uint64_t longest_step = 15;
  // Size of the streams at which a frame is full. Even if one more unit is added, the streams
  // remain below the reader's limit.
  static constexpr std::size_t most_bytes = most_streamed / 2;

  [[nodiscard]] bool full() const {
    return records_ >= most_ || (length_ == 0 && (dictionary_.full() || bytes_ > most_bytes));
  }

  void end_unit() {
    const std::uint32_t number = dictionary_.unit_of(std::span(members_).first(length_));
    const dictionary& d = dictionary_.all();
    flow_.grow(d.units().size());
    addresses_.grow(d.sites());
    flow_.next(number);
    const unit& u = d.units()[number];
    const access* const all = d.accesses_of(u);
    for (std::uint32_t i = 0; i != u.accesses; ++i) addresses_.next(all[i], used_[i]);
    length_ = used_count_ = 0;
    if (++units_ % 64 == 0) bytes_ = measured();
  }
  // Returns an upper bound for the size of the streams. This function is called once every 64
  // units. A unit of 64 records with 16 addresses each can add 20 KiB to the streams and 256 KiB to
  // the dictionary. Even with the largest patterns, 64 such units remain below the limit.
  [[nodiscard]] std::size_t measured() const {
    std::size_t n = dictionary_.measured(base_) + addresses_.streams.choices.size() +
                    addresses_.streams.marks.size() + addresses_.streams.bits.size() +
                    4 * flow_.streams.choices.size() + flow_.streams.again.stream().size() +
                    flow_.streams.latest.stream().size();
    for (const auto& r : addresses_.streams.runs) n += r.stream().size();
    for (const auto& order : flow_.streams.by_history)
      for (const auto& r : order) n += r.stream().size();
    return n;
  }

  growing_dictionary& dictionary_;
  dictionary::extent base_;
  std::size_t most_;
  control_flow<Level, true> flow_;
  addresses<Level, true> addresses_;
  // Instructions and addresses of the current, incomplete unit.
  std::array<std::uint32_t, most_in_unit> members_ = {};
  std::array<std::uint64_t, std::size_t{most_in_unit}* most_slots> used_ = {};
  std::size_t length_ = 0, used_count_ = 0;
  std::uint64_t last_ip_ = 0;
  std::size_t records_ = 0, units_ = 0, bytes_ = 0;
};

}  // namespace tracecodec::tracepack::detail
