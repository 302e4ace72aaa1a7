#include "printer.hpp"

#include <tracecodec/rows/numbers.hpp>

#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/json.hpp"
#include "../common/text.hpp"

namespace sql {

namespace {

using examples::printable;

struct cell {
  std::string text = {};
  bool is_number = false, is_null = false;
};

std::string text_at(sqlite3_stmt* s, int i) {
  const auto* const text = sqlite3_column_text(s, i);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(s, i))};
}
// Returns true if the column contains addresses, which are shown in hexadecimal.
bool is_address(sqlite3_stmt* s, int i) {
  const char* const type = sqlite3_column_decltype(s, i);
  return type != nullptr && std::string_view(type) == "ADDRESS";
}
std::string hex_at(sqlite3_stmt* s, int i) {
  std::string text;
  tracecodec::rows::add_hex(text, static_cast<std::uint64_t>(sqlite3_column_int64(s, i)));
  return text;
}
std::string bytes_at(sqlite3_stmt* s, int i) {
  std::string text;
  const auto* const from = static_cast<const std::byte*>(sqlite3_column_blob(s, i));
  tracecodec::rows::add_bytes(
      text, std::span(from, static_cast<std::size_t>(sqlite3_column_bytes(s, i))));
  return text;
}

std::string name_at(sqlite3_stmt* s, int i) {
  const char* const name = sqlite3_column_name(s, i);
  return name == nullptr ? "" : name;
}

class any_printer : public printer {
 public:
  any_printer(sqlite3_stmt* query, std::function<void(const std::string&)> write)
      : write_(std::move(write)) {
    for (int i = 0; i != sqlite3_column_count(query); ++i) {
      names_.push_back(name_at(query, i));
      addresses_.push_back(is_address(query, i));
    }
  }

 protected:
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return names_[i]; }
  void write(const std::string& text) { write_(text); }
  [[nodiscard]] bool is_hex(sqlite3_stmt* row, std::size_t i) const {
    return addresses_[i] && sqlite3_column_type(row, static_cast<int>(i)) == SQLITE_INTEGER;
  }
  [[nodiscard]] cell cell_at(sqlite3_stmt* row, std::size_t i) const {
    const int n = static_cast<int>(i);
    switch (sqlite3_column_type(row, n)) {
      case SQLITE_NULL:
        return {.is_null = true};
      case SQLITE_BLOB:
        return {.text = bytes_at(row, n)};
      case SQLITE_TEXT:
        return {.text = text_at(row, n)};
      default:
        return {.text = is_hex(row, i) ? hex_at(row, n) : text_at(row, n), .is_number = true};
    }
  }

 private:
  std::function<void(const std::string&)> write_;
  std::vector<std::string> names_ = {};
  std::vector<bool> addresses_ = {};
};

// Number of code points, which is the width of most text.
std::size_t width_of(const std::string& s) {
  return static_cast<std::size_t>(
      std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// Table whose columns are as wide as the widest of their first cells.
class table_printer : public any_printer {
 public:
  using any_printer::any_printer;
  void add(sqlite3_stmt* row) override {
    std::vector<cell> cells;
    for (std::size_t i = 0; i != size(); ++i) {
      cells.push_back(cell_at(row, i));
      cells.back().text = printable(cells.back().text);
    }
    if (!has_widths_ && first_.size() != most_measured) return first_.push_back(std::move(cells));
    begin();
    write(line_of(cells));
  }
  void finish() override { begin(); }

 private:
  static constexpr std::size_t most_measured = 500;

  void begin() {
    if (has_widths_) return;
    has_widths_ = true;
    std::vector<cell> names;
    for (std::size_t i = 0; i != size(); ++i) {
      names.push_back({.text = printable(name(i))});
      widths_.push_back(width_of(names[i].text));
      for (const auto& row : first_) {
        widths_[i] = std::max(widths_[i], width_of(row[i].text));
        names[i].is_number = names[i].is_number || row[i].is_number;
      }
    }
    write(line_of(names));
    for (const auto& row : first_) write(line_of(row));
    first_.clear();
  }
  [[nodiscard]] std::string line_of(const std::vector<cell>& cells) const {
    std::string line;
    for (std::size_t i = 0; i != cells.size(); ++i) {
      const std::size_t width = width_of(cells[i].text);
      const std::string room(widths_[i] > width ? widths_[i] - width : 0, ' ');
      if (i != 0) line += "  ";
      line += cells[i].is_number ? room + cells[i].text : cells[i].text + room;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  }

  std::vector<std::vector<cell>> first_ = {};
  std::vector<std::size_t> widths_ = {};
  bool has_widths_ = false;
};

class markdown_printer : public any_printer {
 public:
  markdown_printer(sqlite3_stmt* query, std::function<void(const std::string&)> to)
      : any_printer(query, std::move(to)) {
    std::string line = "|", rule = "|";
    for (std::size_t i = 0; i != size(); ++i) {
      line += ' ' + quoted(name(i)) + " |";
      rule += " --- |";
    }
    write(line + '\n' + rule + '\n');
  }
  void add(sqlite3_stmt* row) override {
    std::string line = "|";
    for (std::size_t i = 0; i != size(); ++i) line += ' ' + quoted(cell_at(row, i).text) + " |";
    write(line + '\n');
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string s;
    for (const char c : printable(text)) {
      if (c == '|' || c == '\\' || c == '`' || c == '<' || c == '*' || c == '_') s += '\\';
      s += c;
    }
    return s;
  }
};

class csv_printer : public any_printer {
 public:
  csv_printer(sqlite3_stmt* query, bool quotes, std::function<void(const std::string&)> to)
      : any_printer(query, std::move(to)), quotes_(quotes) {
    std::string line;
    for (std::size_t i = 0; i != size(); ++i) line += (i == 0 ? "" : ",") + field(name(i));
    write(line + "\r\n");
  }
  void add(sqlite3_stmt* row) override {
    std::string line;
    for (std::size_t i = 0; i != size(); ++i) {
      if (i != 0) line += ',';
      const cell c = cell_at(row, i);
      line += c.is_null ? "" : c.text.empty() ? "\"\"" : field(c.text);
    }
    write(line + "\r\n");
  }

 private:
  [[nodiscard]] std::string field(const std::string& text) const {
    const std::string s = quotes_ ? printable(text) : text;
    if (s.find_first_of(",\"\r\n") == s.npos) return s;
    std::string all = "\"";
    for (const char c : s) all += c == '"' ? "\"\"" : std::string(1, c);
    return all + '"';
  }
  bool quotes_;
};

class json_printer : public any_printer {
 public:
  using any_printer::any_printer;
  void add(sqlite3_stmt* row) override {
    std::string line;
    examples::json to(line);
    to.object();
    for (std::size_t i = 0; i != size(); ++i) {
      const int n = static_cast<int>(i);
      to.key(name(i));
      const cell c = cell_at(row, i);
      if (c.is_null)
        to.null();
      else if (!c.is_number || is_hex(row, i))
        to.string(c.text);
      else if (sqlite3_column_type(row, n) == SQLITE_INTEGER)
        to.integer(sqlite3_column_int64(row, n));
      else if (c.text.find_first_of("nN") != c.text.npos)
        to.null();  // JSON has neither infinity nor NaN
      else
        to.number(sqlite3_column_double(row, n));
    }
    to.end_object();
    write(line + '\n');
  }
};

}  // namespace

examples::choices modes() { return {{"table"}, {"csv"}, {"json"}, {"markdown", {"md"}}}; }

mode mode_named(const std::string& name) {
  return name == "csv"        ? mode::csv
         : name == "json"     ? mode::json
         : name == "markdown" ? mode::markdown
                              : mode::table;
}

std::unique_ptr<printer> make_printer(mode how, sqlite3_stmt* query, bool quotes,
                                      std::function<void(const std::string&)> write) {
  switch (how) {
    case mode::csv:
      return std::make_unique<csv_printer>(query, quotes, std::move(write));
    case mode::json:
      return std::make_unique<json_printer>(query, std::move(write));
    case mode::markdown:
      return std::make_unique<markdown_printer>(query, std::move(write));
    default:
      return std::make_unique<table_printer>(query, std::move(write));
  }
}

}  // namespace sql
