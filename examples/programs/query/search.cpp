#include <tracecodec/analysis/constants.hpp>
#include <tracecodec/analysis/texts.hpp>
#include <tracecodec/analysis/value_search.hpp>
#include <tracecodec/rows/numbers.hpp>
#include <tracecodec/x86/registers.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/address.hpp"
#include "../common/byte_text.hpp"
#include "../common/json.hpp"
#include "../common/output.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "one_pass.hpp"
#include "question.hpp"

namespace ask {

namespace {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
namespace rows = tracecodec::rows;

// Options for traces that store registers only on demand.
examples::reading with_registers(const options& o) {
  examples::reading as = o.as;
  as.registers = as.effects = true;
  return as;
}

// Appends the number and the address of an instruction, as rows of trace_view do.
void add_found_at(std::string& to, std::uint64_t index, std::uint64_t ip) {
  to += '[';
  examples::add_right(to, std::to_string(index), 6);
  to += "] ";
  rows::add_hex(to, ip, 16);
  to += " | ";
}

std::string found_register_name(const feed::column_source& trace, std::uint8_t number) {
  if (trace.has_own_registers())
    if (std::string name = trace.register_name(number); !name.empty()) return name;
  return std::string(name(static_cast<tracecodec::x86::reg>(number)).view());
}

// Appends text in quotes, on one line. The text has no control characters but those escaped here.
void add_quoted_text(std::string& to, std::string_view text) {
  to += '"';
  for (const char c : text) {
    if (c == '\t' || c == '\n' || c == '\r') {
      to += c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r";
      continue;
    }
    if (c == '"' || c == '\\') to += '\\';
    to += c;
  }
  to += '"';
}

bool answer_strings(const options& o) {
  view::shown_trace shown = open_part(o);
  analysis::text_search search(o.length.value_or(5));
  read_part(o, shown, search);
  examples::output out;
  std::uint64_t left = o.most.value_or(examples::everything);
  const auto& found = search.result();
  for (const analysis::found_text& t : found) {
    if (left-- == 0) break;
    const bool is_wide = t.encoding == analysis::text_encoding::utf16;
    if (o.form == view::form::json) {
      examples::json to(out.text);
      to.object().key("index").number(t.first).key("ip").hex(t.ip).key("last").number(t.last);
      to.key("address").hex(t.address).key("encoding").string(is_wide ? "utf-16" : "utf-8");
      to.key("text").string(t.text).end_object();
    } else {
      add_found_at(out.text, t.first, t.ip);
      rows::add_hex(out.text, t.address);
      out.text += is_wide ? " | utf-16 " : " | ";
      add_quoted_text(out.text, t.text);
    }
    out.text += '\n';
    out.passed();
  }
  out.finish();
  if (search.left_out() != 0)
    examples::note("trace_query", examples::some(search.left_out(), "text") +
                                      " left out, beyond the limit of " +
                                      std::to_string(analysis::text_search::most_texts));
  return !found.empty();
}

constexpr std::string_view value_operand = "NUMBER[:SIZE]|text:TEXT|hex:BYTES";

// Returns the patterns that the operand describes. Throws usage_error for other text.
std::vector<analysis::value_pattern> patterns_of(const std::string& s) {
  const auto as_patterns = [](std::vector<std::vector<std::byte>> all) {
    std::vector<analysis::value_pattern> found;
    for (auto& bytes : all) found.push_back({.bytes = std::move(bytes)});
    return found;
  };
  const auto rest = [&s](std::string_view prefix) {
    return s.starts_with(prefix) ? std::optional(s.substr(prefix.size())) : std::nullopt;
  };
  std::vector<analysis::value_pattern> all;
  if (const auto digits = rest("hex:")) {
    if (const auto bytes = examples::bytes_of(*digits)) all = as_patterns({*bytes});
  } else if (const auto text = rest("text:")) {
    all = as_patterns(examples::texts_of(*text));
  } else if (s.size() > 1 && s.front() == '"' && s.back() == '"') {
    all = as_patterns(examples::texts_of(s.substr(1, s.size() - 2)));
  } else {
    const std::size_t colon = s.find(':');
    const bool negative = s.starts_with('-');
    const auto number =
        examples::number_of(std::string_view(s).substr(0, colon).substr(negative ? 1 : 0));
    std::optional<std::uint64_t> size;
    if (colon != std::string::npos)
      size = examples::number_of(std::string_view(s).substr(colon + 1));
    const bool has_size = size == 1 || size == 2 || size == 4 || size == 8;
    if (number && (colon == std::string::npos || has_size) &&
        !(negative && (*number == 0 || *number > std::uint64_t{1} << 63)))
      all = analysis::number_patterns(
          negative ? 0 - *number : *number, negative,
          has_size ? std::optional(static_cast<unsigned>(*size)) : std::nullopt);
  }
  if (all.empty() || all.front().bytes.size() > analysis::value_search::longest)
    throw examples::usage_error(
        "find-value: expected a number in decimal, or in hexadecimal with 0x, perhaps with :1, :2, "
        ":4 or :8 bytes that can hold it, \"text\", text:TEXT or hex:BYTES, got '" +
        s + "'");
  return all;
}

// Prints the values found in each batch.
class value_answers {
 public:
  explicit value_answers(const options& o)
      : o_(o),
        patterns_(patterns_of(o.operands[0])),
        shown_(open_part(o, with_registers(o))),
        search_(patterns_, shown_.columns.columns()) {}

  bool print() {
    examples::progress_line progress(o_.trace, true);
    std::uint64_t left = o_.most.value_or(examples::everything);
    bool any = false;
    shown_.columns.want(search_.columns() | feed::column_set{feed::column::thread});
    for (feed::columns batch; left != 0 && shown_.columns.next(batch);
         progress.at(shown_.columns.progress())) {
      search_.add(batch);
      for (const analysis::found_value& f : search_.result()) {
        if (left == 0) break;
        --left;
        any = true;
        add(batch, f);
        out_.passed();
      }
    }
    out_.finish();
    return any;
  }

 private:
  void add(const feed::columns& batch, const analysis::found_value& f) {
    using analysis::value_order, analysis::value_place;
    const analysis::value_pattern& p = patterns_[f.pattern];
    const bool in_memory = f.place == value_place::read || f.place == value_place::written;
    const bool after = f.place == value_place::written || f.place == value_place::register_after;
    std::string& s = out_.text;
    if (o_.form == view::form::json) {
      examples::json to(s);
      to.object().key("index").number(batch.first() + f.row).key("ip").hex(batch.ip()[f.row]);
      to.key("thread").number(batch.thread()[f.row]);
      if (in_memory)
        to.key("address").hex(f.address);
      else
        to.key("register").string(register_of(f)).key("offset").number(f.address);
      to.key("after").boolean(after).key("size").number(p.bytes.size()).key("order");
      if (p.order == value_order::none)
        to.null();
      else
        to.string(p.order == value_order::big ? "big" : "little");
      to.key("several").boolean(f.put_together).end_object();
    } else {
      add_found_at(s, batch.first() + f.row, batch.ip()[f.row]);
      if (in_memory) {
        rows::add_hex(s, f.address);
        s += after ? " written" : " read";
      } else {
        s += register_of(f);
        if (f.address != 0) s += '+' + std::to_string(f.address);
        s += after ? " after" : " before";
      }
      s += " | " + examples::some(p.bytes.size(), "byte");
      if (p.order != value_order::none)
        s += p.order == value_order::big ? ", big-endian" : ", little-endian";
      if (f.put_together) s += ", from several accesses";
    }
    s += '\n';
  }
  [[nodiscard]] std::string register_of(const analysis::found_value& f) {
    return found_register_name(shown_.columns.columns(), f.register_number);
  }

  const options& o_;
  std::vector<analysis::value_pattern> patterns_;
  view::shown_trace shown_;
  analysis::value_search search_;
  examples::output out_ = {};
};

bool answer_constants(const options& o) {
  view::shown_trace shown = open_part(o, with_registers(o));
  const feed::column_source& trace = shown.columns.columns();
  analysis::constant_search search(trace);
  read_part(o, shown, search);
  examples::output out;
  std::uint64_t left = o.most.value_or(examples::everything);
  const auto found = search.result();
  for (const analysis::found_constant& c : found) {
    if (left-- == 0) break;
    const analysis::known_constant& t = *c.table;
    if (o.form == view::form::json) {
      examples::json to(out.text);
      to.object().key("index").number(c.first).key("ip").hex(c.ip);
      if (c.address)
        to.key("address").hex(*c.address);
      else
        to.key("register").string(found_register_name(trace, c.register_number));
      to.key("algorithm").string(t.algorithm).key("name").string(t.name);
      to.key("size").number(t.width).key("order").string(c.big ? "big" : "little");
      to.key("entries").number(c.entries).key("of").number(t.values.size());
      to.key("times").number(c.times).end_object();
    } else {
      add_found_at(out.text, c.first, c.ip);
      if (c.address)
        rows::add_hex(out.text, *c.address);
      else
        out.text += found_register_name(trace, c.register_number);
      out.text += " | " + t.algorithm + ": " + t.name + (c.big ? ", big-endian" : "") + " | " +
                  std::to_string(c.entries) + " of " + std::to_string(t.values.size()) +
                  (t.values.size() == 1 ? " entry, " : " entries, ") +
                  examples::some(c.times, "time");
    }
    out.text += '\n';
    out.passed();
  }
  out.finish();
  return !found.empty();
}

constexpr std::array about_searches{
    question{"strings",
             {},
             "text in memory, also if it is read or written in parts",
             {.range = true, .most = true, .length = true},
             answer_strings},
    question{"find-value",
             value_operand,
             "the instructions that have a number, in any size and byte order, a text or bytes in "
             "memory or a register",
             {.range = true, .most = true},
             [](const options& o) { return value_answers(o).print(); }},
    question{"constants",
             {},
             "tables and initial values of known ciphers, hashes and checksums",
             {.range = true, .most = true},
             answer_constants},
};

}  // namespace

std::span<const question> search_questions() { return about_searches; }

}  // namespace ask
