// Converts text from a trace to HTML, by escaping and shortening it.
#pragma once
#include <tracecodec/io/text/utf8.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace report {

// Maximum length, in bytes, of a name or message in a report. The limit keeps a report small,
// whatever the trace contains.
inline constexpr std::size_t longest_text = 300;

// Appends `s` as text for an element or for a quoted attribute. Tabs and newlines become spaces.
// Invalid UTF-8 and other control characters, which HTML does not allow, become U+FFFD. Invisible
// characters, and characters that change the writing direction, become escapes such as \u202e. Text
// that is longer than `most` bytes is shortened and ends with "…".
inline void add_text(std::string& out, std::string_view s, std::size_t most = longest_text) {
  const bool cut = s.size() > most;
  if (cut) {
    s = s.substr(0, most);
    // Do not cut within a character. The first byte of a character is followed by at most three
    // more bytes.
    for (int i = 0; i < 3 && !s.empty() && (static_cast<unsigned char>(s.back()) & 0xC0U) == 0x80;
         ++i)
      s.remove_suffix(1);
    if (!s.empty() && static_cast<unsigned char>(s.back()) >= 0xC0) s.remove_suffix(1);
  }
  const auto special = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '<' || c == '>' || c == '&' ||
           c == '"' || c == '\'';
  };
  const auto other = [&out](char c) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\t':
      case '\n':
        out += ' ';
        break;
      default:
        out += tracecodec::io::no_character;
    }
  };
  tracecodec::io::add_utf8(out, s, special, other, [&out](std::string_view c, char32_t) {
    tracecodec::io::add_shown(out, c);
  });
  if (cut) out += "\xE2\x80\xA6";
}
inline std::string escaped(std::string_view s, std::size_t most = longest_text) {
  std::string out;
  add_text(out, s, most);
  return out;
}

// Returns a <code> element for an address, a name or text from a trace. The style sheet isolates
// the element from the writing direction of the surrounding text.
inline std::string code(std::string_view s, std::size_t most = longest_text) {
  return "<code>" + escaped(s, most) + "</code>";
}

// Page under construction: its sections and its table of contents.
struct document {
  std::string html = {}, contents = {};

  // Begins a section and adds it to the table of contents. `title` is HTML.
  void begin_section(std::string_view id, std::string_view title) {
    ((html += "<section id=\"") += id) += "\"><h2>";
    (html += title) += "</h2>\n";
    ((contents += "<li><a href=\"#") += id) += "\">";
    (contents += title) += "</a></li>";
  }
  void end_section() { html += "</section>\n"; }
};

// Container that shows its parts side by side if the page is wide enough.
class side_by_side {
 public:
  explicit side_by_side(std::string& out) : out_(out) { out_ += "<div class=\"cols\">"; }
  side_by_side(const side_by_side&) = delete;
  side_by_side& operator=(const side_by_side&) = delete;
  ~side_by_side() { out_ += "</div>\n"; }

  // Adds a part to the container. part() must append HTML to the string that the constructor
  // received.
  template <class Part> void add(Part part) {
    out_ += "<div>";
    part();
    out_ += "</div>\n";
  }

 private:
  std::string& out_;
};

// Table that is written row by row. If the table is wider than the page, it scrolls on its own.
// `heads` contains HTML. A head that begins with '#' belongs to a column of numbers. A head that
// begins with '%' belongs to a column of shares such as "12.5%". Each share is drawn over a bar of
// the same length.
class table {
 public:
  table(std::string& out, std::initializer_list<std::string_view> heads) : out_(out) {
    begin({heads.begin(), heads.end()});
  }
  table(std::string& out, const std::vector<std::string_view>& heads) : out_(out) { begin(heads); }
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table() { out_ += "</tbody></table></div>\n"; }

  // Adds a row. `cells` contains the HTML of one cell for each head.
  void row(const std::vector<std::string>& cells) {
    out_ += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (kinds_[i] == '%')
        (out_ += "<td class=\"n share\" style=\"--share:") += cells[i] + "\">";
      else
        out_ += kinds_[i] == '#' ? "<td class=\"n\">" : "<td>";
      (out_ += cells[i]) += "</td>";
    }
    out_ += "</tr>\n";
  }

 private:
  void begin(const std::vector<std::string_view>& heads) {
    out_ += "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>";
    for (std::string_view h : heads) {
      kinds_.push_back(h.starts_with('#') || h.starts_with('%') ? h.front() : ' ');
      if (kinds_.back() != ' ') h.remove_prefix(1);
      out_ += kinds_.back() != ' ' ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">";
      (out_ += h) += "</th>";
    }
    out_ += "</tr></thead><tbody>\n";
  }
  std::string& out_;
  std::string kinds_ = {};  // kind of each column: '#', '%' or ' '
};

}  // namespace report
