// Encodes and decodes a dictionary as streams. The streams contain the entries that a frame adds to
// its base dictionary.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../layout.hpp"
#include "dictionary.hpp"
#include "streams.hpp"

namespace tracecodec::tracepack::detail {

template <class Stream> struct dictionary_streams {
  Stream patterns = {}, low = {}, high = {}, steps = {}, jumps = {}, lengths = {}, bodies = {},
         classes = {}, code_lengths = {}, code = {};
};

// Converts a signed difference to an unsigned number. The differences 0, -1, 1, -2 ... become 0, 1,
// 2, 3 ... unzigzag() is the inverse function.
constexpr std::uint64_t zigzag(std::uint64_t difference) noexcept {
  return difference << 1 ^ (std::uint64_t{0} - (difference >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t number) noexcept {
  return number >> 1 ^ (std::uint64_t{0} - (number & 1));
}

// Predictor of the distance between the addresses of two static instructions with consecutive
// numbers. The prediction is the distance that most recently followed an instruction with the same
// pattern.
class ip_steps {
 public:
  static constexpr unsigned expected = 0, jump = 255, longest = 253;

  // Returns the expected distance after the previous instruction.
  std::uint8_t& guess() { return guesses_[pattern_]; }
  std::uint64_t before() const noexcept { return ip_; }
  void take(std::uint64_t ip, std::uint32_t pattern) noexcept {
    ip_ = ip;
    pattern_ = pattern;
  }

 private:
  std::vector<std::uint8_t> guesses_ = std::vector<std::uint8_t>(most_patterns, 0);
  std::uint32_t pattern_ = 0;
  std::uint64_t ip_ = 0;
};

inline void write_dictionary(const dictionary& d, const dictionary::extent& base,
                             dictionary_streams<stream_writer>& to) {
  for (std::size_t byte = 0; byte != d.pattern_size(); ++byte)
    for (std::size_t i = base.patterns; i != d.patterns(); ++i)
      to.patterns.byte(std::to_integer<unsigned>(d.pattern(i)[byte]));
  ip_steps ips;
  for (std::size_t i = base.statics; i != d.statics().size(); ++i) {
    const static_instruction& s = d.statics()[i];
    to.low.byte(s.pattern & 0xff);
    to.high.byte(s.pattern >> 8);
    const std::uint64_t step = s.ip - ips.before();
    std::uint8_t& guess = ips.guess();
    if (step == guess) {
      to.steps.byte(ip_steps::expected);
    } else if (step <= ip_steps::longest) {
      to.steps.byte(static_cast<unsigned>(step) + 1);
      guess = static_cast<std::uint8_t>(step);
    } else {
      to.steps.byte(ip_steps::jump);
      to.jumps.number(zigzag(step));
    }
    ips.take(s.ip, s.pattern);
    const property is = d.property_of(i);
    if ((d.known() & has_classes) != 0) to.classes.byte(is.branch);
    if ((d.known() & has_lengths) != 0) to.code_lengths.byte(is.length);
    if ((d.known() & has_code) != 0)
      for (std::size_t b = 0; b != is.length; ++b)
        to.code.byte(std::to_integer<unsigned>(is.code[b]));
  }
  std::uint32_t expected = static_cast<std::uint32_t>(base.statics);
  for (std::size_t i = base.units; i != d.units().size(); ++i) {
    const unit& u = d.units()[i];
    to.lengths.byte(u.length);
    std::uint64_t run = 0;
    for (const std::uint32_t s : d.members_of(u)) {
      if (s == expected) {
        ++run;
      } else {
        to.bodies.number(run);
        run = 0;
        to.bodies.number(zigzag(std::uint64_t{s} - expected));
      }
      expected = s + 1;
    }
    to.bodies.number(run);
  }
}

// Adds the entries in the streams to `d`. Returns false if the streams are invalid.
inline bool read_dictionary(dictionary& d, dictionary_streams<stream_reader>& from) {
  const std::size_t first = d.statics().size(), patterns = from.patterns.size() / d.pattern_size();
  if (from.patterns.size() % d.pattern_size() != 0 || d.patterns() + patterns > most_patterns ||
      (d.patterns() + patterns) * d.pattern_size() > most_in_patterns)
    return false;
  const std::size_t statics = from.steps.size(), units = from.lengths.size();
  if (from.low.size() != statics || from.high.size() != statics || first + statics > most_statics ||
      d.units().size() + units > most_units)
    return false;
  std::size_t in_units = 0;
  for (const std::byte length : from.lengths.all())
    in_units += std::to_integer<std::size_t>(length);
  if (d.members().size() + in_units > most_in_units) return false;
  d.reserve({patterns, statics, units}, in_units);
  std::vector<std::byte> one(d.pattern_size());
  const auto columns = from.patterns.all();
  const unsigned unused = ~0U << d.of().slots.size();
  for (std::size_t i = 0; i != patterns; ++i) {
    for (std::size_t byte = 0; byte != one.size(); ++byte) one[byte] = columns[byte * patterns + i];
    const auto at = one.end() - 2;
    if (((std::to_integer<unsigned>(at[0]) | std::to_integer<unsigned>(at[1]) << 8) & unused) != 0)
      return false;
    d.add_pattern(one);
  }

  ip_steps ips;
  for (std::size_t i = 0; i != statics; ++i) {
    const std::uint32_t pattern = from.low.byte() | std::uint32_t{from.high.byte()} << 8;
    if (pattern >= d.patterns()) return false;
    std::uint8_t& guess = ips.guess();
    std::uint64_t step = from.steps.byte();
    if (step == ip_steps::expected) {
      step = guess;
    } else if (step != ip_steps::jump) {
      step -= 1;
      guess = static_cast<std::uint8_t>(step);
    } else {
      step = unzigzag(from.jumps.number());
    }
    const std::uint64_t ip = ips.before() + step;
    property is;
    if ((d.known() & has_classes) != 0) is.branch = from.classes.byte();
    if ((d.known() & has_lengths) != 0) is.length = from.code_lengths.byte();
    if (is.length > longest_code) return false;
    if ((d.known() & has_code) != 0)
      for (std::size_t b = 0; b != is.length; ++b) is.code[b] = std::byte{from.code.byte()};
    d.add_static(ip, pattern, is);
    if (d.sites() > most_sites) return false;
    ips.take(ip, pattern);
  }

  std::uint64_t expected = first;
  std::array<std::uint32_t, most_in_unit> members{};
  for (std::size_t i = 0; i != units; ++i) {
    const std::size_t length = from.lengths.byte();
    if (length == 0 || length > most_in_unit) return false;
    for (std::size_t k = 0;;) {
      const std::uint64_t run = from.bodies.number();
      if (run > length - k) return false;
      for (std::uint64_t n = 0; n != run; ++n)
        members[k++] = static_cast<std::uint32_t>(expected++);
      if (expected > d.statics().size()) return false;
      if (k == length) break;
      const std::uint64_t s = expected + unzigzag(from.bodies.number());
      if (s >= d.statics().size()) return false;
      members[k++] = static_cast<std::uint32_t>(s);
      expected = s + 1;
    }
    d.add_unit(std::span(members).first(length));
    if (d.accesses() > most_accesses) return false;
  }
  for (const auto* s : {&from.jumps, &from.bodies, &from.classes, &from.code_lengths, &from.code})
    if (s->failed() || !s->at_end()) return false;
  return true;
}

}  // namespace tracecodec::tracepack::detail
