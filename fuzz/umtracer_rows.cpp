// Tests the rows of UMTracer tables. Whatever a trace contains, each line of JSON must be an object
// with the same names, and each line of CSV must have one cell for each name. The input is a
// container of the eleven files. Bit 0 of the container's choice selects the lenient reader, and
// the remaining bits select the table.
#include <algorithm>

#include "input.hpp"
#include "tracecodec/io/text/json.hpp"
#include "tracecodec/rows.hpp"
#include "tracecodec/umtracer/rows.hpp"
#include "tracecodec/umtracer/rows/tables.hpp"
#include "umtracer/container.hpp"

namespace fuzz::umtracer_rows {
namespace {
namespace rows = tracecodec::rows;
using text = std::optional<std::string_view>;

constexpr std::size_t most = 64;  // maximum number of rows of a table

// Rows of a table in one form, up to the first row that cannot be read, and the number of rows.
struct table {
  std::string content = {};
  std::size_t rows = 0;
};
template <class Writer, class Make> table write(Make make, std::size_t size) {
  bytes out;
  Writer writer(sink_to(out));
  static_cast<void>(error_of([&] {
    for (std::size_t i = 0; i < std::min(size, most); ++i) writer.write(make(i));
  }));
  writer.finish();
  return {std::string(text_of(out)), static_cast<std::size_t>(writer.written())};
}

// Returns the number of cells in each line of RFC 4180 text.
std::vector<std::size_t> cells(std::string_view csv) {
  std::vector<std::size_t> lines;
  std::size_t n = 1;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;  // toggles twice for a doubled quote
    if (quoted) continue;
    if (c == ',') ++n;
    if (c == '\n') lines.push_back(std::exchange(n, 1));
  }
  require(!quoted && !csv.empty() && csv.back() == '\n', "CSV has whole lines");
  return lines;
}

// Returns the names in each line of JSON.
std::vector<std::vector<std::string>> names(std::string_view json) {
  std::vector<std::vector<std::string>> lines;
  while (!json.empty()) {
    const std::size_t end = json.find('\n');
    require(end != json.npos, "JSON has whole lines");
    const io::json_document line(json.substr(0, end), {"fuzz"});
    const auto object = io::as_object(line.root());
    require(object.has_value(), "a line of JSON is an object");
    auto& all = lines.emplace_back();
    for (const auto field : *object) all.emplace_back(field.key);
    json.remove_prefix(end + 1);
  }
  return lines;
}

template <class Row, class Make> void try_table(const Make& make, std::size_t size) {
  const table json = write<rows::json_lines<Row>>(make, size),
              csv = write<rows::csv<Row>>(make, size);
  require(json.rows == csv.rows, "as many rows in both forms");
  require(simdjson::validate_utf8(csv.content), "CSV is UTF-8");
  const auto lines = cells(csv.content);
  require(lines.size() == csv.rows + 1, "a line of CSV for each row, and one of names");
  for (const std::size_t n : lines) require(n == lines[0], "a cell for each name");
  const auto objects = names(json.content);
  require(objects.size() == json.rows, "a line of JSON for each row");
  for (const auto& names : objects) require(names == objects[0], "the same names in each line");
}
template <class Row, class Make> void try_table(const Make& make) {
  try_table<Row>(make, make.size());
}

void try_tables(const umtracer::reader& trace, unsigned which) {
  using umtracer::exec_row;
  switch (which % 8) {
    case 0:
    case 1:
    case 2:
      return try_table<exec_row<text>>(umtracer::exec_rows<text>(trace), trace.size());
    case 3:
      return try_table<umtracer::instruction_row<>>(umtracer::instruction_rows<>(trace));
    case 4:
      return try_table<umtracer::syscall_row<>>(umtracer::syscall_rows<>(trace));
    case 5:
      return try_table<umtracer::module_row>(umtracer::module_rows(trace));
    case 6:
      try_table<umtracer::thread_row>(umtracer::thread_rows(trace));
      return try_table<umtracer::range_row>(umtracer::range_rows(trace));
    default:
      return try_table<umtracer::register_row>(umtracer::register_rows(trace));
  }
}

void run(view in) {
  const container all = unpack(in);
  std::optional<umtracer::reader> r;
  const umtracer::reader_options options{.lenient = (all.choice & 1U) != 0};
  if (error_of([&] { r.emplace(files_of(all), options); })) return;
  try_tables(*r, all.choice >> 1U);
}
const target registered("umtracer_rows", run);
}  // namespace
}  // namespace fuzz::umtracer_rows
