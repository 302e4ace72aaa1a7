// Writer of Tarmac text.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../io/output/text_output.hpp"
#include "reader.hpp"
#include "style.hpp"

namespace tracecodec::tarmac {

// Writer whose file exists under its name only after finish(). Functions throw trace_error like
// io::sink::write().
class writer {
 public:
  writer(std::unique_ptr<io::sink> out, style how) : out_(std::move(out)), style_(how) {
    if (how == style::es) out_.text() += "Tarmac Text Rev 3t\n";
  }

  // Writes the lines of an instruction, which is a tarmac::instruction or has its functions lines(),
  // text() and bytes(). A line of several parts becomes several lines.
  template <class Instruction> void write(const Instruction& i) {
    add(i);
    out_.end_record();
  }
  // Writes lines before the first instruction.
  template <class Instruction> void add(const Instruction& i) {
    const auto all = i.lines();
    for (std::size_t n = 0; n != all.size();) {
      // Accesses to the same 16 bytes share a diagram, if it can show the bytes of all of them.
      std::size_t end = n + 1;
      while (style_ == style::es && end != all.size() && shares(all[end - 1], all[end])) ++end;
      write_lines(all.subspan(n, end - n), i);
      n = end;
    }
  }
  void finish() { out_.finish(); }
  [[nodiscard]] std::uint64_t written() const noexcept { return out_.written(); }

 private:
  static bool is_access(const line& l) noexcept {
    return l.kind == line_kind::read || l.kind == line_kind::write;
  }
  // Returns true if `b` begins after the last byte of `a`, in the same 16 bytes as `a`.
  static bool shares(const line& a, const line& b) noexcept {
    return is_access(a) && a.kind == b.kind && a.source == b.source && a.address < b.address &&
           b.address - a.address >= a.bytes.size && a.address / 16 == b.address / 16;
  }
  template <class I> void write_lines(std::span<const line> all, const I& i) {
    const line& l = all.front();
    if (l.kind == line_kind::instruction)
      write_instruction(l, i);
    else if (is_access(l) && style_ == style::es)
      write_diagrams(all, i);
    else if (is_access(l))
      write_access(l, i);
    else
      write_other(l, i);
  }
  // Adds the time of a line, or blanks if the time is that of the instruction.
  void start(const line& l, bool needs_time = false) {
    std::string& s = out_.text();
    if (style_ == style::es && !needs_time && !l.has_source) {
      s.append(20, ' ');
      return;
    }
    const std::string time = std::to_string(l.time);
    if (style_ == style::es && time.size() < 11) s.append(11 - time.size(), ' ');
    ((s += time) += ' ') += units[l.unit];
    s += ' ';
    if (l.has_source) ((s += "cpu") += std::to_string(l.source)) += ' ';
  }
  void add_hex(std::uint64_t v, unsigned digits) {
    for (unsigned n = digits; n-- != 0;) out_.text() += "0123456789abcdef"[v >> 4 * n & 15U];
  }
  void add_byte(std::byte b) { add_hex(std::to_integer<std::uint64_t>(b), 2); }
  // Adds a value, with `separator` between groups of `group` bytes.
  void add_value(const line& l, std::span<const std::byte> bytes, std::size_t group,
                 char separator) {
    for (std::size_t n = l.bytes.size; n-- != 0;) {
      l.known ? add_byte(bytes[n]) : static_cast<void>(out_.text() += "xx");
      if (n != 0 && n % group == 0) out_.text() += separator;
    }
  }
  [[nodiscard]] unsigned address_digits(const line& l) const noexcept {
    return l.address >> 32 != 0 ||
                   (style_ == style::es && (state_ == state::a64 || state_ == state::x64))
               ? 16
               : 8;
  }
  void add_note(std::string_view note, std::string_view separator) {
    if (!note.empty()) (out_.text() += separator) += note;
  }

  template <class I> void write_instruction(const line& l, const I& i) {
    std::string& s = out_.text();
    state_ = l.state;
    start(l, true);
    std::array<std::byte, 16> code{};
    auto bytes = std::span(code).first(std::min(l.bytes.size, std::uint32_t{16}));
    std::copy_n(i.bytes(l).begin(), bytes.size(), bytes.begin());
    if (l.state == state::t32 && bytes.size() == 4)
      std::rotate(bytes.begin(), bytes.begin() + 2, bytes.end());
    if (!is_x86(l.state)) std::reverse(bytes.begin(), bytes.end());
    // Arm's tools read an unknown opcode only in a line ES.
    const bool es = style_ == style::es || bytes.empty();
    s += es ? "ES  (" : l.executed ? "IT (" : "IS (";
    if (!es) s += std::to_string(l.number != 0 ? l.number : out_.written() + 1) + ") ";
    add_hex(l.address, address_digits(l));
    if (!es) add_note(i.text(l.note), ":");
    s += es ? ':' : ' ';
    for (const std::byte b : bytes) add_byte(b);
    if (bytes.empty()) s += "--------";
    s += es ? ") " : " ";
    const std::string_view mode = i.text(l.mode);
    s += is_x86(l.state) ? (l.state == state::x64 ? "X64" : "X86")
                         : std::string(1, static_cast<char>(l.state));
    if (!mode.empty()) (s += ' ') += mode;
    s += es && !mode.empty() ? ": " : " : ";
    if (es && !l.executed) s += "CCFAIL ";
    (s += i.text(l.text)) += '\n';
  }
  // Writes an access in parts that Arm's tools read: 16 known bytes as two words, or up to 8 bytes. Accesses
  // of x86 instructions remain whole.
  template <class I> void write_access(line l, const I& i) {
    auto bytes = i.bytes(l);
    for (std::uint32_t left = l.bytes.size; left != 0; left -= l.bytes.size) {
      if (!is_x86(state_))
        l.bytes.size = left >= 16 && l.known ? 16 : std::min(left, std::uint32_t{8});
      start(l);
      out_.text() += l.kind == line_kind::read ? "MR" : "MW";
      (out_.text() += std::to_string(l.bytes.size)) += ' ';
      add_hex(l.address, address_digits(l));
      if (const std::string_view note = i.text(l.note); note.find(' ') == note.npos)
        add_note(note, ":");
      out_.text() += ' ';
      add_value(l, bytes, l.bytes.size == 16 ? 8 : 4, l.bytes.size == 16 ? ' ' : '_');
      out_.text() += '\n';
      l.address += l.bytes.size;
      if (l.known) bytes = bytes.subspan(l.bytes.size);
    }
  }
  // Writes diagrams of 16 bytes, the one at the highest address first, until all bytes are written.
  template <class I> void write_diagrams(std::span<const line> all, const I& i) {
    const std::uint64_t last = all.back().address + all.back().bytes.size - 1;
    for (std::uint64_t from = all.front().address & ~std::uint64_t{15};; from += 16) {
      start(all.front());
      out_.text() += all.front().kind == line_kind::read ? "LD " : "ST ";
      add_hex(from, address_digits(all.front()));
      for (unsigned n = 16; n-- != 0;) {
        if (n % 4 == 3) out_.text() += ' ';
        std::string_view text = "..";
        const line* at = nullptr;
        for (const line& l : all)
          if (from + n - l.address < l.bytes.size) at = &l;
        if (at != nullptr && at->known)
          add_byte(i.bytes(*at)[static_cast<std::size_t>(from + n - at->address)]);
        else
          out_.text() += at != nullptr ? "##" : text;
      }
      if (const std::string_view note = i.text(all.front().note); note.find(' ') != note.npos)
        add_note(note, "    ");
      out_.text() += '\n';
      if (last - from < 16) return;
    }
  }
  // Writes a register or an event.
  template <class I> void write_other(const line& l, const I& i) {
    std::string& s = out_.text();
    const std::string_view text = i.text(l.text);
    start(l, l.kind == line_kind::event && !text.starts_with("BR "));
    if (l.kind == line_kind::event) {
      (s += text) += '\n';
      return;
    }
    (s += "R ") += text;
    if (!l.whole)
      s += '<' + std::to_string(8 * (l.offset + l.bytes.size) - 1) + ':' +
           std::to_string(8 * l.offset) + '>';
    s += ' ';
    if (l.known)
      add_value(l, i.bytes(l), l.bytes.size > 16 ? 4 : 16, '_');
    else
      s += "--------";
    s += '\n';
  }

  io::text_output out_;
  style style_;
  tarmac::state state_ = {};  // of the last instruction
};

}  // namespace tracecodec::tarmac
