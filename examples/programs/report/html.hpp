// Text of a trace in HTML: escaped, cut where it would be too long.
#pragma once
#include <tracecodec/io/text/utf8.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace report {

// Bytes of a name or a message that are shown: a report stays small whatever a trace calls itself.
inline constexpr std::size_t longest_text = 300;

// Appends `s` as text for an element or a quoted attribute; U+FFFD for what is no UTF-8 and for
// control characters, which HTML does not have; those that would turn the direction of writing, or
// that nobody sees, by number (\u202e). Of more than `most` bytes the first, and "…".
inline void add_text(std::string& out, std::string_view s, std::size_t most = longest_text) {
  const bool cut = s.size() > most;
  if (cut) {
    s = s.substr(0, most);
    // Not within a character, which has at most three bytes behind its first.
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

// <code>, for addresses, names and what a trace says; kept apart from the direction of writing
// around it.
inline std::string code(std::string_view s, std::size_t most = longest_text) {
  return "<code>" + escaped(s, most) + "</code>";
}

// A page's sections one by one, and the list of them.
struct document {
  std::string html = {}, contents = {};

  // `title` is HTML.
  void begin_section(std::string_view id, std::string_view title) {
    ((html += "<section id=\"") += id) += "\"><h2>";
    (html += title) += "</h2>\n";
    ((contents += "<li><a href=\"#") += id) += "\">";
    (contents += title) += "</a></li>";
  }
  void end_section() { html += "</section>\n"; }
};

// Parts of a section side by side, where there is room.
class side_by_side {
 public:
  explicit side_by_side(std::string& out) : out_(out) { out_ += "<div class=\"cols\">"; }
  side_by_side(const side_by_side&) = delete;
  side_by_side& operator=(const side_by_side&) = delete;
  ~side_by_side() { out_ += "</div>\n"; }

  // What part() appends to the same text.
  template <class Part> void add(Part part) {
    out_ += "<div>";
    part();
    out_ += "</div>\n";
  }

 private:
  std::string& out_;
};

// A table, row by row, that scrolls by itself where it is wider than the page. `heads` are HTML;
// those that begin with '#' are of columns of numbers, with '%' of shares ("12.5%"), each of which
// has a bar as long behind it.
class table {
 public:
  table(std::string& out, std::initializer_list<std::string_view> heads) : out_(out) {
    begin({heads.begin(), heads.end()});
  }
  table(std::string& out, const std::vector<std::string_view>& heads) : out_(out) { begin(heads); }
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table() { out_ += "</tbody></table></div>\n"; }

  // One cell for each head, HTML.
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
  std::string kinds_ = {};  // '#', '%' or ' ' of each column
};

}  // namespace report
