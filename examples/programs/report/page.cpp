#include "page.hpp"

#include <tracecodec/io/os/path.hpp>

#include <string_view>
#include <utility>

#include "../view/shown.hpp"
#include "code_sections.hpp"
#include "script.hpp"
#include "style.hpp"

namespace report {

namespace {

namespace trace = tracecodec::trace;

void add_head(std::string& s, const about& a, const time_axis& t) {
  const std::string last = a.name.substr(tracecodec::io::file_name_at(a.name));
  // If the path ends with a separator, such as "folder/", it has no file name.
  const std::string& file = last.empty() ? a.name : last;
  s += "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
       "<meta name=\"color-scheme\" content=\"light dark\">\n"
       // Allow only the page's own script, so that names in a trace cannot load a file or run
       // another script.
       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
       "style-src 'unsafe-inline'; script-src '" +
       std::string(script_hash) + "'\">\n<title>Trace report: " + escaped(file) +
       "</title>\n<style>";
  s += style;
  s += "</style></head>\n<body>\n<header><h1>" + escaped(file) + "</h1>\n<p class=\"soft\">" +
       code(a.name) + ", " + std::string(a.format->title);
  if (a.program) s += ", program " + code(*a.program);
  for (const std::string& c : a.chosen) s += "; " + escaped(c);
  if (a.part)
    s +=
        "; " + (t.items != 0 ? t.range(a.first, t.items) : "without the first " + grouped(a.first));
  s += "</p>\n";
  if (a.failure)
    s += "<p class=\"bad\" role=\"alert\"><strong>The trace is damaged.</strong> The records "
         "before the damage are reported. " +
         escaped(*a.failure, 1000) + "</p>\n";
  s += "</header>\n";
}

// Returns the figures that every summary contains. `thread_word` is the noun for a thread (see
// add_threads()).
std::vector<figure> common_figures(const measured& m, std::string_view thread_word) {
  std::vector<figure> all{
      {"Data pages", different(m.data_pages), size_of_pages(m.data_pages.count())},
      {"Data lines", different(m.data_lines), "of 64 bytes"}};
  if (!thread_word.empty()) {
    const bool one = m.threads.result().size() == 1 && m.threads.others().count == 0;
    all.push_back({heading_of(thread_word), different(m.thread_ids),
                   one ? "only " + std::to_string(m.threads.result().front().thread)
                       : counted(m.threads.switches(), "switches")});
  }
  if (m.flow)
    all.push_back({"Code pages", different(m.code_pages), size_of_pages(m.code_pages.count())});
  if (m.clipped != 0)
    all.push_back(
        {"Cut instructions", grouped(m.clipped), "have more operands than a ChampSim record"});
  return all;
}

void add_code_summary(std::string& s, const measured& m, std::string_view thread_word) {
  std::uint64_t branches = 0, taken = 0, missed = 0;
  for (const branch_totals& b : m.flow->branches) {
    branches += b.count;
    taken += b.taken;
    missed += b.mispredicted[0];
  }
  const std::uint64_t n = m.instructions();
  std::vector<figure> all{
      {"Instructions", grouped(n), {}},
      {"Different ips", different(m.ips), {}},
      {"Branches", grouped(branches), share_of(branches, n) + " of instructions"},
      {"Taken branches", grouped(taken), share_of(taken, branches) + " of branches"},
      {"Mispredicted", grouped(missed),
       "MPKI " + mpki_of(missed, n) + ", " + std::string(predictor_names[0])},
      {"Reading", grouped(m.reads), share_of(m.reads, n) + " of instructions"},
      {"Writing", grouped(m.writes), share_of(m.writes, n) + " of instructions"}};
  for (figure& f : common_figures(m, thread_word)) all.push_back(std::move(f));
  add_figures(s, all);
}

void add_own_summary(std::string& s, const measured& m, std::string_view thread_word) {
  std::vector<figure> all = m.own->figures(m);
  for (figure& f : common_figures(m, thread_word)) all.push_back(std::move(f));
  add_figures(s, all);
}

}  // namespace

std::string page(const about& a, const measured& m, const view::shown_trace& trace,
                 const checked& findings) {
  const std::string_view what = m.own ? m.own->records() : std::string_view("instructions");
  const std::string_view thread_word = a.format->thread;
  const time_axis t = axis_of(m, a.first, what);
  document d;
  d.begin_section("summary", "Summary");
  if (m.own)
    add_own_summary(d.html, m, thread_word);
  else
    add_code_summary(d.html, m, thread_word);
  d.end_section();
  if (m.instructions() == 0) {
    (d.html += "<p>There are no ") += what;
    d.html += ".</p>\n";
  } else {
    if (m.own) {
      m.own->add_sections(d, m, t, trace);
    } else {
      add_instruction_mix(d, m, t);
      add_branches(d, m, t);
      add_blocks(d, m, trace);
    }
    add_memory(d, m, t);
    add_threads(d, m, t, thread_word, [&trace](std::uint32_t thread) {
      return trace.rows->id_name(view::id_of::thread, thread);
    });
  }
  add_findings(d, findings);
  std::string s;
  add_head(s, a, t);
  ((s += "<nav aria-label=\"Contents\"><ul>") += d.contents) += "</ul></nav>\n<main>\n";
  ((s += d.html) += "</main>\n<script>") += script;
  s += "</script>\n</body></html>\n";
  return s;
}

}  // namespace report
