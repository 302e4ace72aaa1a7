#include <tracecodec/analysis/hot_addresses.hpp>
#include <tracecodec/analysis/hot_blocks.hpp>
#include <tracecodec/analysis/loops.hpp>
#include <tracecodec/analysis/reuse.hpp>
#include <tracecodec/analysis/working_set.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/output.hpp"
#include "../common/places.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "one_pass.hpp"
#include "question.hpp"

namespace ask {

namespace {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
namespace rows = tracecodec::rows;

// Appends columns of numbers.
void add_profile_numbers(std::string& to, std::initializer_list<std::uint64_t> all) {
  constexpr std::size_t width = 14;
  for (const std::uint64_t n : all) examples::add_right(to, std::to_string(n), width);
}
void add_profile_titles(std::string& to, std::initializer_list<std::string_view> all) {
  constexpr std::size_t width = 14;
  for (const std::string_view s : all) examples::add_right(to, s, width);
}
// Appends the module and the symbol of an address, if they are known.
void add_profile_place(std::string& to, const view::shown_trace& shown, std::uint64_t address,
                       std::uint64_t index) {
  const std::string place = examples::place_text(shown.places.at(address, index));
  if (!place.empty()) to += ' ' + place;
}

bool answer_loops(const options& o) {
  view::shown_trace shown = open_part(o);
  analysis::loop_search search(shown.columns.has());
  read_part(o, shown, search);
  if (search.is_cut())
    examples::note("trace_query", "the trace has more loops, or deeper calls, than are counted");
  examples::output out;
  const bool as_json = o.form == view::form::json;
  if (!as_json) {
    add_profile_titles(out.text, {"iterations", "entries", "fewest", "median", "average", "most"});
    out.text += "  loop\n";
  }
  std::uint64_t left = o.most.value_or(examples::everything);
  const auto found = search.result();
  for (const analysis::loop& l : found) {
    if (left-- == 0) break;
    if (as_json) {
      examples::json to(out.text);
      to.object().key("address").hex(l.head).key("last").hex(l.last);
      to.key("iterations").number(l.iterations).key("entries").number(l.entries);
      to.key("fewest").number(l.fewest).key("median");
      if (l.median)
        to.number(*l.median);
      else
        to.null();
      to.key("median_exact").boolean(l.is_median_exact).key("most").number(l.most);
      to.key("depth").number(l.depth).key("outer");
      if (l.depth == 0)
        to.null();
      else
        to.hex(l.outer);
      to.key("index").number(l.first).end_object();
    } else {
      add_profile_numbers(out.text, {l.iterations, l.entries, l.fewest});
      // A median that is not exact is the lower end of a range.
      examples::add_right(
          out.text,
          l.median ? std::to_string(*l.median) + (l.is_median_exact ? "" : "+") : std::string("?"),
          14);
      const double average = static_cast<double>(l.iterations) / static_cast<double>(l.entries);
      examples::add_right(out.text, examples::fixed(average, 1), 14);
      add_profile_numbers(out.text, {l.most});
      out.text += "  ";
      rows::add_hex(out.text, l.head);
      out.text += '-';
      rows::add_hex(out.text, l.last);
      add_profile_place(out.text, shown, l.head, l.first);
      if (l.depth != 0) {
        out.text += " in ";
        rows::add_hex(out.text, l.outer);
      }
    }
    out.text += '\n';
    out.passed();
  }
  out.finish();
  return !found.empty();
}

// Prints the sizes of working sets: those of windows as the windows end, and of the whole part.
class set_answers {
 public:
  explicit set_answers(const options& o)
      : o_(o), shown_(open_part(o)), sets_(o.window.value_or(0), shown_.columns.has()) {}

  bool print() {
    if (o_.form != view::form::json) {
      add_profile_titles(out_.text,
                         {"from", "instructions", "data lines", "data pages", "code lines"});
      out_.text += '\n';
    }
    read_part(o_, shown_, *this);
    if (o_.window && sets_.last_window().instructions != 0) add(sets_.last_window(), false);
    const bool any = sets_.result().instructions != 0;
    if (any) add(sets_.result(), true);
    out_.finish();
    return any;
  }

  // Members of an analysis.
  [[nodiscard]] feed::column_set columns() const { return sets_.columns(); }
  void add(const feed::columns& batch) {
    sets_.add(batch);
    for (const analysis::set_sizes& s : sets_.windows()) add(s, false);
  }
  [[nodiscard]] analysis::set_sizes result() const { return sets_.result(); }

 private:
  void add(const analysis::set_sizes& s, bool whole) {
    if (o_.form == view::form::json) {
      examples::json to(out_.text);
      to.object().key("index").number(s.first).key("instructions").number(s.instructions);
      to.key("data_lines").number(s.data_lines).key("data_pages").number(s.data_pages);
      to.key("code_lines").number(s.code_lines).key("exact").boolean(s.exact);
      to.key("whole").boolean(whole).end_object();
    } else {
      add_profile_numbers(out_.text,
                          {s.first, s.instructions, s.data_lines, s.data_pages, s.code_lines});
      out_.text += whole && o_.window ? "  in all" : "";
      out_.text += s.exact ? "" : "  (estimated)";
    }
    out_.text += '\n';
    out_.passed();
  }

  const options& o_;
  view::shown_trace shown_;
  analysis::working_set sets_;
  examples::output out_ = {};
};

bool answer_reuse(const options& o) {
  view::shown_trace shown = open_part(o);
  analysis::reuse<> reuse;
  read_part(o, shown, reuse);
  const analysis::reuse_counts r = reuse.result();
  examples::output out;
  const bool as_json = o.form == view::form::json;
  if (!as_json) {
    add_profile_titles(out.text, {"distance", "accesses", "by time"});
    out.text += '\n';
  }
  for (std::size_t b = 0; b != r.distances.counts.size(); ++b) {
    const std::uint64_t distances = r.distances.counts[b], times = r.times.counts[b];
    if (distances == 0 && times == 0) continue;
    const std::uint64_t first = analysis::power_histogram::first_of(b),
                        last = analysis::power_histogram::last_of(b);
    if (as_json) {
      examples::json to(out.text);
      to.object().key("from").number(first).key("to").number(last);
      to.key("distances").number(distances).key("times").number(times).end_object();
    } else {
      std::string range = std::to_string(first);
      if (first != last) range += '-' + std::to_string(last);
      add_profile_titles(out.text, {range});
      add_profile_numbers(out.text, {distances, times});
    }
    out.text += '\n';
  }
  if (as_json) {
    examples::json to(out.text);
    to.object().key("accesses").number(r.accesses).key("first").number(r.first);
    to.key("far").number(r.far).key("exact").boolean(r.exact).end_object();
    out.text += '\n';
  } else {
    const std::string_view estimated = r.exact ? "" : "  (estimated)";
    const auto line = [&](std::string_view title, std::uint64_t n, std::string_view note) {
      add_profile_titles(out.text, {title});
      add_profile_numbers(out.text, {n});
      (out.text += note) += '\n';
    };
    line("first", r.first, estimated);
    if (r.far != 0) line("further", r.far, estimated);
    line("all", r.accesses, "");
  }
  out.finish();
  return r.accesses != 0;
}

// Prints the most frequent blocks, instructions and lines.
class hot_answers {
 public:
  explicit hot_answers(const options& o)
      : o_(o), shown_(open_part(o)), blocks_(shown_.columns.columns()) {}

  bool print() {
    read_part(o_, shown_, blocks_, addresses_);
    const auto most =
        static_cast<std::size_t>(std::min<std::uint64_t>(o_.most.value_or(10), 1U << 20));
    add_header("instructions", "executions", "block");
    for (const auto* e : blocks_.result().top(most))
      add("block", e->key, {{"instructions", e->count}, {"executions", e->data.executions}}, true);
    add_header("", "executions", "instruction");
    for (const auto* e : addresses_.result().top(most))
      add("instruction", e->key, {{"executions", e->count}}, true);
    add_header("reads", "writes", "line");
    for (const auto* e : addresses_.lines().top(most))
      add("line", e->key << analysis::hot_addresses::line_bits,
          {{"reads", e->data.reads}, {"writes", e->data.writes}}, false);
    out_.finish();
    const std::uint64_t error = std::max(
        {blocks_.result().error(), addresses_.result().error(), addresses_.lines().error()});
    if (error != 0)
      examples::note("trace_query", "counts may be too low by up to " + std::to_string(error));
    return !addresses_.result().entries().empty();
  }

 private:
  struct count {
    std::string_view name;
    std::uint64_t n;
  };
  void add_header(std::string_view first, std::string_view second, std::string_view what) {
    if (o_.form == view::form::json) return;
    add_profile_titles(out_.text, {first, second});
    (out_.text += "  ") += what;
    out_.text += '\n';
  }
  void add(std::string_view what, std::uint64_t address, std::initializer_list<count> counts,
           bool is_code) {
    if (o_.form == view::form::json) {
      examples::json to(out_.text);
      to.object().key("kind").string(what).key("address").hex(address);
      for (const count& c : counts) to.key(c.name).number(c.n);
      to.end_object();
    } else {
      if (counts.size() == 1) add_profile_titles(out_.text, {""});
      for (const count& c : counts) add_profile_numbers(out_.text, {c.n});
      out_.text += "  ";
      rows::add_hex(out_.text, address);
      if (is_code) add_profile_place(out_.text, shown_, address, 0);
    }
    out_.text += '\n';
    out_.passed();
  }

  const options& o_;
  view::shown_trace shown_;
  analysis::hot_blocks blocks_;
  analysis::hot_addresses addresses_{};
  examples::output out_ = {};
};

constexpr std::array about_profiles{
    question{"loops",
             {},
             "the loops, with their iterations",
             {.range = true, .most = true},
             answer_loops},
    question{"working-set",
             {},
             "the different lines and pages of memory, and lines of code, that are used",
             {.range = true, .window = true},
             [](const options& o) { return set_answers(o).print(); }},
    question{"reuse",
             {},
             "how many other lines of memory, and instructions, are between accesses to a line",
             {.range = true},
             answer_reuse},
    question{"hot",
             {},
             "the most frequent blocks, instructions and lines of memory (default 10 of each)",
             {.range = true, .most = true},
             [](const options& o) { return hot_answers(o).print(); }},
};

}  // namespace

std::span<const question> profile_questions() { return about_profiles; }

}  // namespace ask
