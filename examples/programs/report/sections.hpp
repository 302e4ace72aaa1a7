// Report sections that do not depend on the format.
#pragma once
#include <tracecodec/io/findings.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "measures.hpp"
#include "page.hpp"

namespace analysis = tracecodec::analysis;

namespace report {

using tracecodec::hex;

inline std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return fixed(examples::percent(part, whole), 2) + '%';
}
// Returns the number of events per 1,000 instructions as text, such as "13.45".
inline std::string mpki_of(std::uint64_t events, std::uint64_t instructions) {
  return fixed(10 * examples::percent(events, instructions), 2);
}
// Returns a count as text, such as "12,345", or "about 12,345" if the count is an estimate.
template <class Distinct> std::string different(const Distinct& d) {
  return (d.exact() ? "" : "about ") + grouped(d.count());
}
// Adds a note that the counts of frequent items may be too low by up to `error`. Adds nothing if
// `error` is 0.
inline void add_error(std::string& s, std::uint64_t error) {
  if (error != 0)
    s +=
        "<p class=\"soft\">There were too many to count each: the counts may be too low by up to " +
        grouped(error) + ", and entries that occur no more often than that may be missing.</p>\n";
}

// Figure in the summary: a name, a value, and a note that is written below the value.
struct figure {
  std::string name = {}, value = {}, below = {};
};
inline void add_figures(std::string& s, const std::vector<figure>& all) {
  s += "<dl>";
  for (const figure& f : all) {
    s += "<div><dt>" + escaped(f.name) + "</dt><dd>" + escaped(f.value);
    if (!f.below.empty()) s += "<small>" + escaped(f.below) + "</small>";
    s += "</dd></div>\n";
  }
  s += "</dl>\n";
}

inline time_axis axis_of(const measured& m, std::uint64_t first, std::string_view what) {
  const auto& clock = m.line.clock();
  return {first, clock.items(), clock.width(), clock.used(), what};
}

// Returns one number for each bucket: value(bucket) divided by the number of items in the bucket.
template <class Value> std::vector<double> values_of(const measured& m, Value value) {
  std::vector<double> all;
  for (std::size_t i = 0; i < m.line.size(); ++i)
    all.push_back(static_cast<double>(value(m.line[i])) /
                  static_cast<double>(m.line.clock().items_in(i)));
  return all;
}

// Adds a bar, a chart and a table that show how frequent each kind is. `rest` is the index of the
// kind that represents everything else, or nullopt if there is no such kind. That kind is drawn in
// grey.
inline void add_mix(std::string& s, const measured& m, const time_axis& t,
                    const std::vector<std::string>& names, std::optional<std::size_t> rest = {}) {
  std::vector<part> parts;
  std::vector<series> shares;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (m.of_kind[k] == 0) continue;
    const std::size_t colour = k == rest ? grey : parts.size() % grey;
    parts.push_back({names[k], colour, m.of_kind[k]});
    shares.push_back({names[k], colour, values_of(m, [k](const auto& b) { return b.kinds[k]; })});
  }
  add_bar(s, "All " + std::string(t.what), parts);
  side_by_side beside(s);
  beside.add([&] { add_shares(s, "Shares", t, shares); });
  beside.add([&] {
    table rows(s, {"kind", "#count", "%share"});
    for (const part& p : parts)
      rows.row({escaped(p.name), grouped(p.count), share_of(p.count, m.instructions())});
  });
}

// Returns the first address of a page, such as "0x401000" for page 0x401.
inline std::string page_address(std::uint64_t page) {
  return hex(page * analysis::page_activity<>::page_size);
}

// Adds a heat map that has a row for each address range in `pages`. label(first) returns the text
// beside a row, and tooltip(first, last) returns the text of its tooltip.
template <class Pages, class Label, class Tooltip>
void add_page_heat(std::string& s, const std::string& caption, const Pages& pages,
                   const time_axis& t, const std::string& what, Label label, Tooltip tooltip) {
  std::vector<heat_row> rows;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto& r = pages[i];
    rows.push_back(
        {label(r.first), tooltip(r.first, r.last) + ": " + counted(r.count, what), r.line.data()});
  }
  add_heat(s, caption, "pages", t, rows, what);
}
// Returns text such as "0x401000 to 0x402fff, 2 pages".
inline std::string page_range(std::uint64_t first, std::uint64_t last) {
  constexpr std::uint64_t size = analysis::page_activity<>::page_size;
  return page_address(first) + " to " + hex(last * size + (size - 1)) + ", " +
         counted(last - first + 1, "pages");
}

inline void add_busiest_pages(std::string& s, const measured& m) {
  constexpr std::size_t shown = 15;
  s += "<h3>Busiest data pages</h3>\n";
  {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < m.data.size(); ++i) all += m.data[i].count;
    table rows(s, {"page", "#accesses", "%share", "#reads", "#writes"});
    for (const auto* page : m.pages.top(shown))
      rows.row({code(page_address(page->key)), grouped(page->count), share_of(page->count, all),
                grouped(page->data.reads), grouped(page->data.writes)});
  }
  add_error(s, m.pages.error());
}

inline void add_memory(document& page, const measured& m, const time_axis& t) {
  std::string& s = page.html;
  page.begin_section("memory", "Memory");
  const auto so_far = [&m](auto pages) {
    std::vector<double> all;
    for (std::size_t i = 0; i < m.line.size(); ++i)
      all.push_back(std::max(i == 0 ? 0 : all.back(), static_cast<double>(pages(m.line[i]))));
    return all;
  };
  std::vector<series> grown{{"data", 0, so_far([](const auto& b) { return b.data_pages; })}};
  if (m.flow) grown.push_back({"code", 1, so_far([](const auto& b) { return b.code_pages; })});
  {
    side_by_side beside(s);
    beside.add([&] {
      add_lines(s, "Footprint: different pages touched so far", t, grown, "pages of 4 KiB");
    });
    if (m.data.size() != 0) beside.add([&] { add_busiest_pages(s, m); });
  }
  if (m.data.size() == 0) s += "<p>No access to memory is recorded.</p>\n";
  {
    side_by_side beside(s);
    if (m.data.size() != 0)
      beside.add([&] {
        add_page_heat(s, "Data: reads and writes by address (rows) over time", m.data, t,
                      "accesses", page_address, page_range);
      });
    const std::string what(t.what);
    beside.add([&] {
      if (m.own)
        m.own->add_page_heat(s, m, t);
      else
        add_page_heat(s, "Code: instructions by address (rows) over time", m.code, t, what,
                      page_address, page_range);
    });
  }
  s += "<p class=\"soft\">A row is a page of 4 KiB";
  if (m.own) (s += " or ") += m.own->page();
  s += ", or several where there are too many for a row each. An access belongs to the page of its "
       "first byte.";
  if (m.own) s += m.own->memory_note();
  s += "</p>\n";
  page.end_section();
}

// Returns a heading that is made from the noun for a thread, such as "Threads" for "thread".
inline std::string heading_of(std::string_view thread_word) {
  std::string s(thread_word);
  s.front() = static_cast<char>(s.front() - 'a' + 'A');
  return s + 's';
}

// Adds a section with the busiest threads in ascending order of their numbers, and a total for the
// other threads. `thread_word` is the noun for a thread: "thread" or "address space". name_of()
// returns the name of a thread, or an empty string. Adds nothing if `thread_word` is empty. Also
// adds nothing for a single thread, because the summary already mentions it.
inline void add_threads(document& page, const measured& m, const time_axis& t,
                        std::string_view thread_word,
                        const std::function<std::string(std::uint32_t)>& name_of) {
  constexpr std::size_t shown = 24;
  using row = std::decay_t<decltype(m.threads)>::row;
  std::vector<const row*> busy;
  for (const row& r : m.threads.result()) busy.push_back(&r);
  row others = m.threads.others();
  if (thread_word.empty() || (busy.size() == 1 && others.count == 0)) return;
  std::string& s = page.html;
  page.begin_section("threads", heading_of(thread_word));
  std::sort(busy.begin(), busy.end(), [](const row* a, const row* b) {
    return a->count != b->count ? a->count > b->count : a->thread < b->thread;
  });
  for (std::size_t i = shown; i < busy.size(); ++i) {
    others.first = others.count == 0 ? busy[i]->first : std::min(others.first, busy[i]->first);
    others.last = std::max(others.last, busy[i]->last);
    others.count += busy[i]->count;
    for (std::size_t k = 0; k < others.line.size(); ++k) others.line[k] += busy[i]->line[k];
  }
  if (busy.size() > shown) busy.resize(shown);
  std::sort(busy.begin(), busy.end(),
            [](const row* a, const row* b) { return a->thread < b->thread; });
  s += "<p>" + different(m.thread_ids) + ' ' + std::string(thread_word) + "s, " +
       counted(m.threads.switches(), "switches") + " from one to another.</p>\n";
  // Returns text such as "3", or "3 worker-1" if the thread has the name "worker-1".
  const auto named = [&name_of](std::uint32_t thread) {
    const std::string name = name_of(thread);
    return std::to_string(thread) + (name.empty() ? "" : ' ' + name);
  };
  {
    side_by_side beside(s);
    beside.add([&] {
      std::vector<heat_row> lines;
      const auto tooltip = [&](const std::string& who, const row& r) {
        return who + ": " + counted(r.count, t.what) + ", from " + grouped(t.first + r.first) +
               " to " + grouped(t.first + r.last);
      };
      for (const row* r : busy) {
        const std::string id = named(r->thread);
        lines.push_back({id, tooltip(std::string(thread_word) + ' ' + id, *r), r->line.data()});
      }
      if (others.count != 0)
        lines.push_back({"others", tooltip("others", others), others.line.data()});
      add_heat(s, "Each " + std::string(thread_word) + " (rows) over time", "threads", t, lines,
               std::string(t.what));
    });
    beside.add([&] {
      table rows(s, {thread_word, "#" + std::string(t.what), "%share", "#first", "#last"});
      const auto add = [&](const std::string& who, const row& r) {
        rows.row({who, grouped(r.count), share_of(r.count, m.instructions()),
                  grouped(t.first + r.first), grouped(t.first + r.last)});
      };
      for (const row* r : busy) add(escaped(named(r->thread)), *r);
      if (others.count != 0) add("others", others);
    });
  }
  page.end_section();
}

// Adds a section with the checker's findings.
inline void add_findings(document& page, const checked& c) {
  std::string& s = page.html;
  page.begin_section("findings", "Findings of the checker");
  if (c.not_done) {
    s += "<p>" + escaped(*c.not_done) + "</p>\n";
  } else {
    s += "<p>The whole trace: " + counted(c.sum.records, "records") + ", " +
         counted(c.sum.errors, "errors") + ", " + counted(c.sum.warnings, "warnings") + ", " +
         counted(c.sum.notes, "notes") + ".</p>\n";
  }
  if (!c.found.empty()) {
    table rows(s, {"severity", "kind", "#record", "#offset", "finding"});
    const auto number = [](const std::optional<std::uint64_t>& n) {
      return n ? grouped(*n) : std::string();
    };
    for (const auto& d : c.found)
      rows.row({"<span class=\"" + std::string(name(d.severity)) + "\">" +
                    std::string(name(d.severity)) + "</span>",
                code(d.code), number(d.record), number(d.offset), escaped(d.message)});
  }
  if (c.left_out != 0)
    s += "<p class=\"soft\">And " + grouped(c.left_out) + " more that are not shown.</p>\n";
  page.end_section();
}

}  // namespace report
