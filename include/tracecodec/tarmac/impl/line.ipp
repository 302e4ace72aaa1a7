#pragma once
#include "../line.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "../../io/text/hex.hpp"
#include "../../io/text/hex_digits.hpp"
#include "../../io/text/words.hpp"

namespace tracecodec::tarmac {

namespace detail {
template <class List> constexpr bool is_in(const List& all, std::string_view word) noexcept {
  return std::find(all.begin(), all.end(), word) != all.end();
}
constexpr state state_of(std::string_view word) noexcept {
  if (word == "T16" || word == "T32") return state::t32;
  if (word == "X64" || word == "X86") return word == "X64" ? state::x64 : state::x86;
  return word == "A" || word == "T" || word == "O" ? static_cast<state>(word[0]) : state::none;
}
constexpr std::string_view after(std::string_view text, std::size_t place) noexcept {
  return place < text.size() ? text.substr(place + 1) : std::string_view();
}
}  // namespace detail

// Words of the line that is parsed.
struct line_parser::words : io::words {
  content& to;
  const io::lines* from;

  words(std::string_view text, content& c, const io::lines* lines)
      : io::words(text, '\0'), to(c), from(lines) {}
  [[noreturn, gnu::cold]] void refuse(const char* field, const char* message) const {
    if (from == nullptr) throw trace_error(trace_errc::bad_value, {}, message);
    throw from->error(trace_errc::bad_value, field, message);
  }
  [[nodiscard]] std::uint64_t hex(std::string_view word) const {
    const auto n = io::digits_of(word);
    if (!n) refuse("address", "expected a hexadecimal number");
    return *n;
  }
  // Reads an address, and the note after its colon.
  void address(std::string_view word, line& one) const {
    const std::size_t colon = word.find(':');
    one.address = hex(word.substr(0, colon));
    one.note = to.text.add(detail::after(word, colon));
  }
  // Returns the text of a word in parentheses, or an empty text for another word.
  static std::string_view inside(std::string_view word) noexcept {
    return word.size() < 3 || !word.starts_with('(') || !word.ends_with(')')
               ? std::string_view()
               : word.substr(1, word.size() - 2);
  }
  // Adds bytes `first` to `end` of a value, counted from its end.
  io::kept_piece add(const io::hex_digits& d, std::size_t first, std::size_t end) const {
    std::array<char, 256> bytes;  // NOLINT: only the first ones are used
    for (std::size_t n = first; n != end; ++n) bytes[n - first] = d.value(n);
    return to.text.add({bytes.data(), end - first});
  }

  line_kind instruction(line one, std::string_view kind) {
    std::string_view address_word = next(), code, set;
    if (kind == "ES") {
      const std::string_view both = inside(address_word);
      const std::size_t colon = std::min(both.find(':'), both.size());
      code = detail::after(both, colon);
      address_word = both.substr(0, colon);
      set = next();
    } else {
      const std::string_view front = inside(address_word);
      if (!front.empty()) address_word = next();
      set = next();
      if (!front.empty() && detail::state_of(set) != state::none) {
        code = std::exchange(address_word, front);
      } else {
        code = std::exchange(set, next());
        one.number = io::digits_of<10>(front).value_or(0);
      }
    }
    address(address_word, one);
    one.state = detail::state_of(set);
    if (one.state == state::none) refuse("state", "expected the instruction set: A, T or O");
    opcode(one, code);
    const std::string_view before = rest();
    std::string_view mode = next();
    if (mode.ends_with(':')) {
      mode.remove_suffix(1);
    } else if (const std::string_view text = rest(); text.starts_with(':')) {
      static_cast<io::words&>(*this) = io::words(text.substr(1), '\0');
    } else if (set.size() == 3 && !is_x86(one.state)) {  // T16 and T32 have no mode
      static_cast<io::words&>(*this) = io::words(before, '\0');
      mode = {};
    } else {
      refuse("mode", "expected ':' before the disassembly");
    }
    one.executed = kind != "IS" && !(kind == "ES" && rest().starts_with("CCFAIL"));
    if (kind == "ES" && !one.executed) next();
    one.mode = to.text.add(mode);
    one.text = to.text.add(rest());
    to.lines.push_back(one);
    return one.kind;
  }
  // Adds the bytes of an opcode. An opcode of hyphens is unknown.
  void opcode(line& one, std::string_view code) const {
    io::hex_digits d;
    const bool fits = is_x86(one.state)
                          ? code.size() <= 32 && code.size() % 2 == 0
                          : code.size() == 8 || (one.state == state::t32 && code.size() == 4);
    if (code.empty() || !fits || !d.add(code) || d.size() != code.size())
      refuse("opcode", "expected 8 hexadecimal digits, or 4 for T");
    const std::size_t n = code.size() / 2;
    for (std::size_t i = 0; i != n; ++i)
      if (!d.is_known(i)) return;
    one.bytes = add(d, 0, n);
    const auto bytes = to.text.at(one.bytes);
    if (is_x86(one.state)) std::reverse(bytes.begin(), bytes.end());
    if (one.state == state::t32 && n == 4) std::swap_ranges(&bytes[0], &bytes[2], &bytes[2]);
  }

  // Reads the digits of a value. It goes on in further words of 8 digits.
  io::hex_digits value(std::string_view word, std::size_t most) {
    io::hex_digits d;
    if (!d.add(word) || d.size() == 0) refuse("value", "expected hexadecimal digits");
    for (io::words ahead = *this; d.bytes() < most; static_cast<io::words&>(*this) = ahead) {
      io::hex_digits more = d;
      if (const auto w = ahead.next(); !more.add(w) || more.size() - d.size() < 8) break;
      d = more;
    }
    return d;
  }
  // Reads a range of bits, such as 63:0>, as the first byte and the number of bytes.
  std::pair<std::size_t, std::size_t> range(std::string_view bits) const {
    const std::size_t colon = std::min(bits.find(':'), bits.size());
    const auto high = io::digits_of<10>(bits.substr(0, colon));
    bits = detail::after(bits, colon);
    const auto low = io::digits_of<10>(bits.substr(0, bits.find('>')));
    if (!high || !low || *high >= 2048 || *low > *high || *low % 8 != 0 || *high % 8 != 7)
      refuse("register", "expected a range of bytes, such as <63:0>");
    return {static_cast<std::size_t>(*low / 8), static_cast<std::size_t>((*high + 1 - *low) / 8)};
  }
  line_kind reg(line one) {
    constexpr std::array<std::string_view, 4> operations{"DC", "IC", "TLBI", "AT"};
    std::string_view name = next(), word = next();
    if (name.empty()) refuse("register", "expected the name of a register");
    if (detail::is_in(operations, name)) return line_kind::event;
    if (word.starts_with('(')) word = next();  // the bank
    const std::size_t part = name.find('<');
    const auto [lowest, size] =
        part != name.npos ? range(name.substr(part + 1)) : std::pair<std::size_t, std::size_t>();
    io::hex_digits d = value(word, size != 0 ? size : 256);
    if (!d.extend(size != 0 ? size : d.bytes())) refuse("value", "the value has too many digits");
    one.kind = line_kind::reg;
    one.text = to.text.add(name.substr(0, part));
    const std::size_t before = to.lines.size(), n = d.bytes();
    for (std::size_t first = 0, end = 0; first < n; first = end + 1) {
      for (end = first; end != n && d.is_known(end);) ++end;
      if (end == first) continue;
      one.bytes = add(d, first, end);
      one.offset = static_cast<std::uint16_t>(lowest + first);
      one.whole = part == name.npos && end - first == n;
      to.lines.push_back(one);
    }
    if (to.lines.size() == before) to.lines.push_back(one), to.lines.back().known = false;
    return one.kind;
  }

  line_kind memory(line one, std::string_view kind) {
    const std::size_t way = std::min(kind.find_first_of("RW"), kind.size() - 1),
                      first = std::min(kind.find_first_of("0123456789", way), kind.size());
    const auto size =
        io::digits_of<10>(kind.substr(first, kind.find_first_not_of("0123456789", first) - first));
    const char bus = kind.size() == 8 ? kind[7] : '\0';
    std::string_view word = next();
    if (word == "X") word = next();  // exclusive
    if (word.starts_with('(')) word = next();
    if (!size || bus == 'I' || bus == 'A' || word == "TRANSFER" || rest().starts_with('('))
      return line_kind::event;  // such as (ABORTED)
    address(word, one);
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(*size, 257));
    io::hex_digits d = value(next(), n);
    if (n == 0 || !d.extend(n)) refuse("value", "expected 1 to 256 bytes, as the line states");
    one.kind = kind[way] == 'R' ? line_kind::read : line_kind::write;
    for (std::size_t i = 0; i != n; ++i) one.known = one.known && d.is_known(i);
    one.bytes = one.known ? add(d, 0, n) : io::kept_piece{0, static_cast<std::uint32_t>(n)};
    // Bytes of the data bus are in the order of their addresses.
    if (one.known && bus == 'D')
      std::reverse(to.text.at(one.bytes).begin(), to.text.at(one.bytes).end());
    to.lines.push_back(one);
    return one.kind;
  }
  // Reads 16 bytes of memory, of which the one at the highest address comes first.
  line_kind diagram(line one, line_kind kind) {
    const std::uint64_t address = hex(next());
    io::hex_digits d;
    while (d.size() < 32)
      if (const auto word = next(); word.empty() || word.size() % 2 != 0 || !d.add(word))
        refuse("value", "expected 16 bytes, with .. for unused ones");
    if (d.size() != 32) refuse("value", "expected 16 bytes");
    one.kind = kind;
    one.note = to.text.add(rest());
    for (std::size_t first = 0, end = 0; first != 16; first = end) {
      end = first + 1;
      one.known = d.is_known(first);
      if (!one.known && !d.is_unknown(first)) continue;
      while (end != 16 && (one.known ? d.is_known(end) : d.is_unknown(end))) ++end;
      one.address = address + first;
      one.bytes = one.known ? add(d, first, end)
                            : io::kept_piece{0, static_cast<std::uint32_t>(end - first)};
      to.lines.push_back(one);
    }
    return one.kind;
  }

  // Reads the time of the line, if there is one, and moves to the next word.
  bool time(std::string_view& word, line& one) {
    const std::string_view number = word.substr(0, word.find_first_not_of("0123456789."));
    const std::string_view attached = word.substr(number.size());
    const std::size_t point = number.find('.');
    auto whole = io::digits_of<10>(number.substr(0, point));
    io::words ahead = *this;
    const std::string_view unit = attached.empty() ? ahead.next() : attached;
    const bool has_unit = detail::is_in(units, unit);
    if (!whole || (!attached.empty() && !has_unit)) return false;
    if (has_unit && attached.empty()) static_cast<io::words&>(*this) = ahead;
    if (has_unit)
      one.unit =
          static_cast<std::uint8_t>(std::find(units.begin(), units.end(), unit) - units.begin());
    if (point != number.npos) {  // microseconds with a fraction become picoseconds
      const std::string digits = std::string(number.substr(point + 1)) + "000000";
      const auto part = io::digits_of<10>(std::string_view(digits).substr(0, 6));
      constexpr std::uint64_t million = 1000000;
      if (!part || unit != "us" || *whole > ~std::uint64_t{0} / million - 1)
        refuse("time", "expected a whole number, or microseconds");
      whole = *whole * million + *part;
      one.unit = 4;
    }
    one.time = *whole;
    word = next();
    return true;
  }
};

TRACECODEC_FUNC line_kind line_parser::parse(std::string_view text, content& to,
                                             const io::lines* from) {
  constexpr std::array<std::string_view, 4> instructions{"IT", "IS", "IF", "ES"};
  constexpr std::array<std::string_view, 9> events{
      "BR", "CACHE", "CADI", "E", "ES", "EXC", "INFO_EXCEPTION_REASON", "P", "TTW"};
  words in(text, to, from);
  std::string_view word = in.next();
  const auto column_of = [text](std::string_view w) {
    return static_cast<std::size_t>(w.data() - text.data());
  };
  const std::size_t column = std::exchange(column_, 0);
  if (word.empty() || word == "Tarmac") return line_kind::blank;
  line one{.unit = last_.unit, .time = last_.time, .start = to.text.end()};
  if (column != 0 && column_of(word) == column) {
    column_ = column;
    return words(text, to, from).diagram(one, diagram_);
  }
  const bool timed = in.time(word, one);
  last_.time = one.time;
  last_.unit = one.unit;
  if (word.starts_with("cpu")) {
    one.has_source = true;
    one.source = static_cast<std::uint32_t>(
        io::digits_of<10>(word.substr(word.find_last_not_of("0123456789") + 1)).value_or(0));
    word = in.next();
  }
  const std::string_view second = in.rest().substr(0, in.rest().find_first_of(" \t"));
  line_kind kind = line_kind::event;
  if (detail::is_in(instructions, word) && second != "EXC" && second != "Reset") {
    one.kind = line_kind::instruction;
    return in.instruction(one, word);
  }
  const bool sized = word.size() == 3 && word[1] == '0' && (word[0] == 'R' || word[0] == 'W');
  const std::size_t start = word.empty() ? text.size() : column_of(word);
  if (word == "LD" || word == "ST") {
    if (!second.empty()) column_ = column_of(second);
    diagram_ = word == "LD" ? line_kind::read : line_kind::write;
    kind = in.diagram(one, diagram_);
  } else if (word == "R") {
    kind = in.reg(one);
  } else if (word.starts_with('M') || sized) {
    kind = in.memory(one, word);
  } else if (!timed && !detail::is_in(events, word) && !word.starts_with("SIGNAL")) {
    in.refuse("", "expected a line of Tarmac text, such as IT, IS, ES, R, MR4, MW4, LD or ST");
  }
  if (kind == line_kind::event) {
    one.kind = kind;
    one.text = to.text.add(io::words(text.substr(start), '\0').rest());
    to.lines.push_back(one);
  }
  return kind;
}

}  // namespace tracecodec::tarmac
