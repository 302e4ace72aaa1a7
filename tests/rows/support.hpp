// Helpers for the tests of rows: rows as text in memory, and a CSV parser by RFC 4180.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../bytes.hpp"
#include "tracecodec/rows.hpp"

namespace test {

namespace rows = tracecodec::rows;
namespace wire = tracecodec::wire;

// Returns the text that `Form` writes for rows.
template <class Form, class Row> std::string text_of(const std::vector<Row>& all) {
  bytes out;
  rows::row_writer<Row, Form> writer(std::make_unique<vector_sink>(out));
  for (const Row& r : all) writer.write(r);
  writer.finish();
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}
template <class Row> std::string json_of(const Row& row) {
  return text_of<rows::json_form>(std::vector<Row>{row});
}
template <class Row> std::string csv_of(const Row& row) {
  return text_of<rows::csv_form>(std::vector<Row>{row});
}

// Returns the cells of each line, parsed by the ABNF of RFC 4180, section 2, with LF instead
// of CRLF. Throws std::runtime_error for text that does not match.
inline std::vector<std::vector<std::string>> parse_csv(std::string_view s) {
  std::vector<std::vector<std::string>> lines;
  std::size_t i = 0;
  while (i < s.size()) {
    auto& cells = lines.emplace_back();
    for (;;) {
      std::string& cell = cells.emplace_back();
      if (i < s.size() && s[i] == '"') {
        for (++i;; ++i) {
          if (i == s.size()) throw std::runtime_error("a quote without its end");
          if (s[i] == '"' && (++i == s.size() || s[i] != '"')) break;
          cell += s[i];
        }
      } else {
        while (i < s.size() && s[i] != ',' && s[i] != '\n') {
          if (s[i] == '"' || s[i] == '\r') throw std::runtime_error("a quote outside of quotes");
          cell += s[i++];
        }
      }
      if (i == s.size()) throw std::runtime_error("a line without its end");
      if (s[i++] == '\n') break;
      if (s[i - 1] != ',') throw std::runtime_error("text behind a quote");
    }
  }
  return lines;
}

}  // namespace test
