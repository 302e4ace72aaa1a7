#include "link.hpp"

#include "hex.hpp"

namespace debug {

namespace {

constexpr bool is_special(char c) noexcept { return c == '$' || c == '#' || c == '}' || c == '*'; }
constexpr char escape = '}', flipped = 0x20;

}  // namespace

std::string framed(std::string_view content) {
  std::string s = "$";
  unsigned sum = 0;
  const auto put = [&](char c) {
    s += c;
    sum += static_cast<unsigned char>(c);
  };
  for (const char c : content)
    if (is_special(c)) {
      put(escape);
      put(static_cast<char>(c ^ flipped));
    } else {
      put(c);
    }
  s += '#';
  add_hex_byte(s, sum & 0xFFU);
  return s;
}

std::string unescaped(std::string_view content) {
  std::string s;
  for (std::size_t i = 0; i != content.size(); ++i)
    if (content[i] == escape && i + 1 != content.size())
      s += static_cast<char>(content[++i] ^ flipped);
    else
      s += content[i];
  return s;
}

std::string link::receive(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    switch (state_) {
      case state::outside:
        // A reply that the other side did not understand is sent again.
        if (c == '-' && acknowledges_) out += last_;
        if (c == '$') state_ = state::inside;
        break;
      case state::inside:
        if (c == '#') {
          state_ = state::first_digit;
        } else if (c == '$') {
          packet_.clear();
          sum_ = 0;
          is_too_long_ = false;
        } else {
          sum_ += static_cast<unsigned char>(c);
          if (packet_.size() < most_packet)
            packet_ += c;
          else
            is_too_long_ = true;
        }
        break;
      case state::first_digit:
        given_sum_ = hex_digit(c).value_or(16) << 4;
        state_ = state::second_digit;
        break;
      case state::second_digit:
        given_sum_ |= hex_digit(c).value_or(256);
        end_packet(out);
        break;
    }
  }
  return out;
}

void link::end_packet(std::string& out) {
  const std::string packet = std::exchange(packet_, {});
  const bool is_whole = given_sum_ == (sum_ & 0xFFU), is_too_long = is_too_long_;
  state_ = state::outside;
  sum_ = 0;
  is_too_long_ = false;
  if (acknowledges_) out += is_whole ? '+' : '-';
  // A debugger that needs no acknowledgements has a reliable connection, so checksums do not matter.
  if (acknowledges_ && !is_whole) return;
  const auto reply = is_too_long ? std::optional<std::string>("E16") : answer_(packet);
  if (reply) out += last_ = framed(*reply);
}

}  // namespace debug
