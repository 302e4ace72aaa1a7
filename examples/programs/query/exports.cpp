#include <unistd.h>

#include <tracecodec/analysis/block_vectors.hpp>
#include <tracecodec/analysis/executed_blocks.hpp>
#include <tracecodec/analysis/export/drcov.hpp>
#include <tracecodec/analysis/export/lcov.hpp>
#include <tracecodec/analysis/export/pprof.hpp>
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/trace/places.hpp>
#if defined(TRACECODEC_WITH_LIBDW)
#include <tracecodec/program/elf_lines.hpp>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "named_calls.hpp"
#include "question.hpp"

namespace ask {

namespace feed = tracecodec::feed;

namespace {

// A frame of a folded stack must not contain the character that separates frames.
std::string frame_of(const std::string& name) {
  std::string frame = examples::printable(name);
  for (char& c : frame)
    if (c == ';') c = ':';
  return frame;
}

// Prints each stack, and the instructions of its innermost function.
void print_folded(const named_tree& tree, text_output& out) {
  std::vector<std::string> path;
  tree.walk([&](const named_call& c, std::size_t depth) {
    path.resize(depth);
    path.push_back(frame_of(tree.name(c)));
    if (c.own == 0) return true;
    for (const std::string& frame : path) (out.text() += &frame == path.data() ? "" : ";") += frame;
    out.text() += ' ' + std::to_string(c.own) + '\n';
    out.end_record();
    return true;
  });
}

// Prints a profile for speedscope (file-format-schema.json), with a sample for each stack.
void print_speedscope(const named_tree& tree, const std::string& trace, text_output& out) {
  std::uint64_t sum = 0;
  examples::json to(out.text());
  to.object().key("$schema").string("https://www.speedscope.app/file-format-schema.json");
  to.key("shared").object().key("frames").array();
  for (const std::string& name : tree.names()) {
    to.object().key("name").string(name).end_object();
    out.end_record();
  }
  to.end_array().end_object();
  to.key("profiles").array().object().key("type").string("sampled").key("name").string(trace);
  to.key("unit").string("none").key("samples").array();
  std::vector<std::size_t> path;
  tree.walk([&](const named_call& c, std::size_t depth) {
    path.resize(depth);
    path.push_back(c.name);
    if (c.own == 0) return true;
    to.array();
    for (const std::size_t frame : path) to.number(frame);
    to.end_array();
    out.end_record();
    return true;
  });
  to.end_array().key("weights").array();
  tree.walk([&](const named_call& c, std::size_t) {
    if (c.own != 0) to.number(c.own);
    sum += c.own;
    out.end_record();
    return true;
  });
  to.end_array().key("startValue").number(0U).key("endValue").number(sum);
  to.end_object().end_array().end_object();
  out.text() += '\n';
}

bool export_folded(const options& o) { return answer_calls(o, print_folded); }
bool export_speedscope(const options& o) {
  return answer_calls(
      o, [&](const named_tree& tree, text_output& out) { print_speedscope(tree, o.trace, out); });
}

// Writes a profile for pprof, with a sample for each path of calls.
bool export_pprof(const options& o) {
  return with_calls(o, [&](const named_tree& tree, const view::shown_trace& shown) {
    const auto to = tracecodec::io::compress(tracecodec::io::codec::gzip, open_output(o.output),
                                             o.output == "-" ? "<stdout>" : o.output);
    const std::array<analysis::pprof_writer::type, 2> types{
        {{"calls", "count"}, {"instructions", "count"}}};
    analysis::pprof_writer out(*to, types);
    std::map<const tracecodec::program_module*, std::uint64_t> mappings{{nullptr, 0}};
    std::vector<std::uint64_t> locations(tree.names().size());  // by number of the name; 0 if new
    std::vector<std::uint64_t> path, stack;
    tree.walk([&](const named_call& c, std::size_t depth) {
      if (locations[c.name] == 0) {
        const auto* const m = shown.places.at(c.function, c.first).module;
        const auto [mapping, is_new] = mappings.try_emplace(m);
        if (is_new)
          mapping->second = out.add_mapping(m->base, m->base + m->size, m->path, m->build_id);
        locations[c.name] =
            out.add_location(mapping->second, c.function, out.add_function(tree.name(c)));
      }
      path.resize(depth);
      path.push_back(locations[c.name]);
      stack.assign(path.rbegin(), path.rend());
      out.add_sample(stack, std::array{c.calls, c.own});
      return true;
    });
    out.finish();
    to->finish();
  });
}

// Writer of the calls of each thread as trace events, which Perfetto and Chrome show. The time is
// the number of the instruction. Each call is one event with a duration ("X"), written when the call
// ends: readers match separate events for begin and end in different ways. If the trace has several
// threads, a track of its own shows which one runs. It is an analysis, which only reads the threads.
class trace_events {
 public:
  trace_events(text_output& out, const options& o, const view::shown_trace& shown)
      : out_(&out), shown_(&shown), most_depth_(o.depth.value_or(examples::everything)) {
    out.text() += "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    name("process_name", calls, 0, o.trace);
  }

  // Adds the begin or the end of a call of `tree`.
  void add(const analysis::call_tree& tree, const analysis::call_event& e) {
    const call_node& n = tree.result()[e.node];
    if (n.depth >= most_depth_) return;
    const auto [at, is_new] = open_.try_emplace(e.thread);
    if (is_new) name("thread_name", calls, e.thread, thread_name(e.thread));
    if (e.begins)
      at->second.push_back({e.node, e.at});
    else
      end_call(tree, e.thread, at->second, e.at);
  }

  [[nodiscard]] static feed::column_set columns() noexcept { return {feed::column::thread}; }
  void add(const feed::columns& batch) {
    const auto threads = batch.thread();
    if (end_ == 0 && batch.size() != 0) {
      begin_ = batch.first();
      thread_ = threads[0];
    }
    for (std::size_t row = 0; row != batch.size(); ++row) {
      if (threads[row] == thread_) continue;
      end_run(batch.first() + row);
      thread_ = threads[row];
    }
    end_ = batch.first() + batch.size();
  }
  void result() const noexcept {}

  // Ends the calls that have not returned, and the output.
  void finish(const analysis::call_tree& tree) {
    for (auto& [thread, open] : open_)
      while (!open.empty()) end_call(tree, thread, open, end_);
    if (several_) end_run(end_);
    out_->text() += "\n]}\n";
    out_->finish();
  }

 private:
  struct open_call {
    std::size_t node;
    std::uint64_t begin;
  };
  // Processes in the output.
  static constexpr std::uint32_t calls = 1, runs = 2;

  std::string thread_name(std::uint32_t thread) const {
    const std::string known = shown_->rows->id_name(view::id_of::thread, thread);
    return known.empty() ? "T" + std::to_string(thread) : known;
  }
  template <class More> void event(std::string_view kind, std::uint32_t process,
                                   std::uint32_t thread, std::uint64_t at, More more) {
    out_->text() += first_ ? "\n" : ",\n";
    first_ = false;
    examples::json to(out_->text());
    to.object().key("ph").plain(kind).key("pid").number(process).key("tid").number(thread);
    to.key("ts").number(at);
    more(to);
    to.end_object();
    out_->end_record();
  }
  void name(std::string_view what, std::uint32_t process, std::uint32_t thread,
            const std::string& text) {
    event("M", process, thread, 0, [&](examples::json& to) {
      to.key("name").plain(what).key("args").object().key("name").string(text).end_object();
    });
  }
  void span(std::uint32_t process, std::uint32_t thread, std::uint64_t begin, std::uint64_t end,
            const std::string& text) {
    event("X", process, thread, begin,
          [&](examples::json& to) { to.key("dur").number(end - begin).key("name").string(text); });
  }
  // Ends the innermost one of the open calls of a thread.
  void end_call(const analysis::call_tree& tree, std::uint32_t thread, std::vector<open_call>& open,
                std::uint64_t at) {
    const open_call& call = open.back();
    const analysis::call_node& node = tree.result()[call.node];
    span(calls, thread, call.begin, at, function_name(*shown_, node.function, node.first));
    open.pop_back();
  }
  void end_run(std::uint64_t at) {
    if (!several_) {
      name("process_name", runs, 0, "threads");
      name("thread_name", runs, 0, "running");
      several_ = true;
    }
    span(runs, 0, begin_, at, thread_name(thread_));
    begin_ = at;
  }

  text_output* out_;
  const view::shown_trace* shown_;
  std::uint64_t most_depth_;
  std::map<std::uint32_t, std::vector<open_call>> open_ = {};  // by thread
  bool first_ = true, several_ = false;
  std::uint64_t begin_ = 0, end_ = 0;  // first instruction of the run, and the one after the last
  std::uint32_t thread_ = 0;           // thread of the run
};

bool export_chrome(const options& o) {
  view::shown_trace shown = open_with_values(o);
  text_output out(open_output(o.output));
  trace_events events(out, o, shown);
  analysis::call_tree calls(shown.columns.has(),
                            analysis::select_stack_pointer(shown.columns.columns()));
  calls.on_event([&](const analysis::call_event& e) { events.add(calls, e); });
  read_part(o, shown, calls, events);
  note_cut(calls);
  events.finish(calls);
  return !calls.result().empty();
}

// Blocks that a trace executes, and the modules to which they belong.
struct coverage {
  analysis::executed_blocks blocks;
  tracecodec::program_map map = {};
  std::string name = {};  // name of the program or of the trace, if the modules are unknown
};

// Reads the blocks of a trace. Throws usage_error if the trace has no addresses of code.
coverage read_coverage(const options& o) {
  view::shown_trace shown = open_part(o, o.as, true);
  if (!shown.columns.format().has_addresses)
    throw examples::usage_error("export " + o.operands[0] + ": a trace of this format has no " +
                                "addresses of code");
  if (const std::uint64_t from = shown.places.from(); from > o.after.value_or(0))
    examples::note("trace_query", "instructions before number " + std::to_string(from) +
                                      " belong to another program, and are left out");
  coverage found{analysis::executed_blocks(shown.columns.has()), std::move(shown.places)};
  read_part(o, shown, found.blocks);
  found.blocks.finish();
  // A trace of UMTracer lists the modules. It is a folder, which can be opened again.
  if (found.map.modules().empty() && o.trace != "-")
    found.map = tracecodec::program_map(
        tracecodec::trace::modules_of(examples::open_trace(o.trace, o.as, o.output), o.as));
  if (found.map.modules().empty())
    found.name = shown.rows->program().value_or(shown.columns.name());
  return found;
}

// Reads the blocks of a trace. If the modules are unknown, the map has modules around all blocks.
coverage read_coverage_of_modules(const options& o) {
  coverage found = read_coverage(o);
  if (!found.map.modules().empty() || found.blocks.result().empty()) return found;
  auto all = analysis::modules_around(found.blocks.result(), found.name);
  std::string said = "the modules of the program are unknown (--maps), so the output has ";
  said += all.size() == 1 ? "one module" : "modules of up to 4 GiB";
  said += " from ";
  examples::add_hex(said, all.front().base);
  said += " to ";
  examples::add_hex(said, all.back().base + all.back().size);
  examples::note("trace_query", said);
  found.map = tracecodec::program_map(std::move(all));
  return found;
}

void note_left_out(std::size_t n, const std::string& what) {
  if (n != 0)
    examples::note("trace_query",
                   examples::some(n, what) + " in no known module: left out of the output");
}

bool export_drcov(const options& o) {
  const coverage found = read_coverage_of_modules(o);
  const auto to = open_output(o.output);
  note_left_out(analysis::write_drcov(*to, found.map, found.blocks.result()), "block");
  to->finish();
  return !found.blocks.result().empty();
}

bool export_modoff(const options& o) {
  const coverage found = read_coverage_of_modules(o);
  text_output out(open_output(o.output));
  note_left_out(analysis::write_module_offsets(out, found.map, found.blocks.instructions()),
                "instruction");
  out.finish();
  return !found.blocks.result().empty();
}

bool export_lcov([[maybe_unused]] const options& o) {
#if defined(TRACECODEC_WITH_LIBDW)
  const coverage found = read_coverage(o);
  const auto instructions = found.blocks.instructions();
  // Prevent network access. If this variable is set, libdw queries debuginfod servers.
  unsetenv("DEBUGINFOD_URLS");
  analysis::line_coverage lines;
  for (const tracecodec::program_module& m : found.map.modules())
    if (std::any_of(instructions.begin(), instructions.end(),
                    [&m](const auto& i) { return m.has(i.address); }))
      lines.add(tracecodec::read_elf_lines(m), instructions);
  if (lines.empty())
    throw tracecodec::trace_error(
        tracecodec::trace_errc::refused, {.file = o.trace},
        "no file of the program's modules has line numbers: compile the program with -g, and name "
        "its map with --maps");
  text_output out(open_output(o.output));
  lines.write(out);
  out.finish();
  return !instructions.empty();
#else
  throw tracecodec::trace_error(
      tracecodec::trace_errc::unsupported, {},
      "export lcov: this build cannot read line numbers: it lacks libdw (TRACECODEC_WITH_LIBDW)");
#endif
}

bool export_simpoint(const options& o) {
  view::shown_trace shown = open_part(o);
  text_output out(open_output(o.output));
  analysis::block_vectors vectors(o.interval.value_or(10'000'000));
  examples::progress_line progress(o.trace);
  const auto write = [&] {
    out.text() += vectors.result();
    out.end_record();
  };
  shown.columns.want(vectors.columns());
  for (feed::columns batch; shown.columns.next(batch); progress.at(shown.columns.progress())) {
    vectors.add(batch);
    write();
  }
  vectors.finish();
  write();
  out.finish();
  return vectors.intervals() != 0;
}

struct export_form {
  std::string_view name;
  bool is_binary;
  bool (*write)(const options&);
};
constexpr std::array export_forms{export_form{"folded", false, export_folded},
                                  export_form{"speedscope", false, export_speedscope},
                                  export_form{"pprof", true, export_pprof},
                                  export_form{"chrome", false, export_chrome},
                                  export_form{"drcov", true, export_drcov},
                                  export_form{"modoff", false, export_modoff},
                                  export_form{"lcov", false, export_lcov},
                                  export_form{"simpoint", false, export_simpoint}};

// Writes the form that the operand names. Throws usage_error if there is none, if the form does not
// accept an option, or if a binary form would go to a terminal.
bool export_as(const options& o) {
  examples::choices known;
  const export_form* form = nullptr;
  for (const export_form& f : export_forms) {
    if (f.name == o.operands[0]) form = &f;
    known.push_back({std::string(f.name)});
  }
  if (form == nullptr)
    throw examples::usage_error("export: expected " + examples::one_of(known) + ", got '" +
                                o.operands[0] + "'");
  if (o.interval && form->write != export_simpoint)
    throw examples::usage_error("--interval is for export simpoint");
  if (o.depth && form->write != export_chrome)
    throw examples::usage_error("--depth is for the question calls, and for export chrome");
  if (form->is_binary && o.output == "-" && isatty(STDOUT_FILENO) == 1)
    throw examples::usage_error("export " + o.operands[0] +
                                ": the output is binary, and is not written to a terminal: name a "
                                "file with --output");
  return form->write(o);
}

constexpr std::array about_exports{
    question{"export",
             "folded|speedscope|pprof|chrome|drcov|modoff|lcov|simpoint",
             "a file for other tools: the stacks of calls as folded lines or for speedscope or "
             "pprof, the calls over time for Perfetto and Chrome, the executed code for drcov's "
             "viewers, as module+offset lines or as lines of the source, or SimPoint's vectors",
             {.range = true, .json = false, .depth = true, .output = true, .interval = true},
             export_as},
};

}  // namespace

std::span<const question> export_questions() { return about_exports; }

}  // namespace ask
