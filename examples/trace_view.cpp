// Shows a trace: its records in detail, as compact rows or as JSON, its statistics, and the layout
// of its records.
#include <tracecodec/trace/open.hpp>

#include <algorithm>

#include <tracecodec/rows/record_rows.hpp>

#include "common/address.hpp"
#include "common/described.hpp"
#include "common/open_trace.hpp"
#include "common/pipeline.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "view/champsim_rows.hpp"
#include "view/layouts.hpp"
#include "view/places.hpp"
#include "view/rapidbin_rows.hpp"
#include "view/rapidbin_statistics.hpp"
#include "view/statistics.hpp"
#include "view/umtracer_tables.hpp"
#if defined(TRACECODEC_WITH_PUGIXML)
#include <tracecodec/umtracer/read_metadata.hpp>
#endif
#if TRACECODEC_OPENS_X64DBG
#include "view/x64dbg_rows.hpp"
#endif

namespace analysis = tracecodec::analysis;
namespace trace = tracecodec::trace;

namespace {

using namespace examples;

constexpr auto register_groups = "general|segments|debug|x87|mm|xmm|ymm|all";

struct options {
  std::string trace = {};
  reading as = {};
  std::uint64_t limit = 10;  // of what is shown
  pipeline part = {};
  std::optional<std::string> table = {};
  std::vector<std::string> registers = {};            // of an x64dbg trace, by name
  std::optional<analysis::address_span> memory = {};  // to be dumped
  bool compact = false, statistics = false, as_json = false, layout = false;
  std::string form = "text";  // of the layout
};

constexpr const char* legend = R"(
Rows of -c, whose empty parts are left out:
  BR(T) BR(N)   a branch by the record's own flag, taken or not taken
  D_R[] S_R[]   destination and source registers
  D_M[] S_M[]   destination and source memory
  ASID[]        address space (CloudSuite)
  T[]           thread (x64dbg, RapidBin); then the instruction in Intel's syntax, or the event,
                its operand (L lock, V variable, T thread) and its location
  IN[]          module and symbol, each with the distance from its start, where they are known
Lines of --json, ChampSim: index; the record's fields by name, arrays with their unused slots (0),
addresses as "0x..." text; branch and target as ChampSim derives them, target "0x0" if there is
none. x64dbg: index, offset, thread (or null), opcode, ip; registers, those that the block gives, by
name, xmm0_1 being the second word of xmm0; memory, a list of address, old and new, which is null if
nothing changed; state, the registers of --registers; memory_at of --memory, its address and its
bytes, those that are not known as ??.
module, module_offset, symbol and symbol_offset of its ip, where they are known.
RapidBin: index, thread, operation, decor, location; sign if it is set; from the metadata function,
instruction, and address and access_width of a variable or the id of a lock. UMTracer: the fields of
the table's rows by the specification's names, ID being the row's number where it has none itself.
Beside them Address, Disasm and Module of an instruction record, StrName of a register, the names of
--names, and When a value holds. Values are the bytes in their order.)";

view::form form_of(const options& o) {
  return o.as_json ? view::form::json : o.compact ? view::form::compact : view::form::detail;
}

// What was shown, and of how many instructions the feed could not show all operands.
struct shown {
  std::uint64_t rows = 0, clipped = 0;
};

// `index` is of the first row.
template <class Feed, class Add>
std::exception_ptr show_rows(Feed& trace, const options& o, const tracecodec::program_map& places,
                             std::uint64_t index, output& out, shown& n, Add add) {
  const view::form form = form_of(o);
  progress_line progress(o.trace, true);
  return for_each_batch(trace, [&](const auto& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto row = batch[i];
      add(out.text, index, row);
      if (!places.empty())
        view::add_place(out.text, form, places, index, row.ip(),
                        form == view::form::detail ? row.target() : 0);
      ++index;
      if constexpr (requires { row.lost_operands(); }) n.clipped += row.lost_operands() != 0;
      ++n.rows;
      out.passed();
    }
    progress.at(trace.progress());
  });
}

// What was counted before an error is printed before the error is thrown.
template <class Statistics>
void show_statistics(tracecodec::trace::reader& trace, const options& o) {
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  if (o.limit != everything) part.limit = std::min(o.limit, part.limit.value_or(o.limit));
  output out;
  Statistics n;
  std::exception_ptr failure;
  {
    progress_line progress(o.trace);
    trace.want(Statistics::columns(trace.columns()));
    try {
      go_to(trace, part);
      // Few, so that they are still in the cache when they are counted.
      constexpr std::size_t most = 1024;
      for (feed::columns batch; trace.next(batch, most); progress.at(trace.progress()))
        n.add(batch);
    } catch (const tracecodec::trace_error&) {
      failure = std::current_exception();
    }
  }
  if (failure && n.instructions == 0) std::rethrow_exception(failure);
  const std::string name = o.trace == "-" ? "<stdin>" : o.trace;
  if (o.as_json)
    view::add_json(out.text, name, n);
  else
    view::add_text(out.text, name, n);
  if (!failure && n.instructions == 0 && o.limit != 0)
    require_something(trace.name(), o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

// All but UMTracer's, whose tables are shown.
template <class Batch>
concept has_rows = requires(std::string s, Batch b) {
  view::add_compact(s, std::uint64_t{}, b[0]);
};

// What the rows of a feed show beside their instructions: nothing, but for x64dbg's.
template <class Batch> struct more_of { using type = const std::nullptr_t; };
#if TRACECODEC_OPENS_X64DBG
template <view::x64dbg::target T> struct more_of<view::x64dbg::instruction_batch<T>> {
  using type = const view::x64dbg_more<T>;
};
#endif

// What was read before an error is printed before the error is.
template <class Feed> void show(Feed whole, trace::format format, const options& o) {
  using more_type = typename more_of<typename Feed::batch_type>::type;
  constexpr bool has_more = !std::is_same_v<more_type, const std::nullptr_t>;
  [[maybe_unused]] const auto more = [&] {
    if constexpr (has_more)
      return std::make_unique<more_type>(o.registers, o.memory, o.trace, o.as);
    else
      return 0;
  }();
  if (!has_more && !o.registers.empty()) throw usage_error("--registers is for x64dbg traces");
  if (!has_more && o.memory) throw usage_error("--memory is for x64dbg and UMTracer traces");
  pipeline part = o.part;
  cut_out_shard(whole, part);
  const std::uint64_t first = part.skip;
  if (o.limit != everything) part.limit = std::min(o.limit, part.limit.value_or(o.limit));
  const std::string name = whole.name();  // "<stdin>" of standard input
  const tracecodec::program_map places = trace::places_of(name, format, o.as);
  auto trace = piped(std::move(whole), part);

  output out;
  std::exception_ptr failure;
  shown all;
  using string = std::string;
  if constexpr (!has_rows<typename Feed::batch_type>)
    throw std::logic_error("these traces are shown as tables");
  else if (o.as_json)
    failure = show_rows(trace, o, places, first, out, all, [&](string& s, auto n, const auto& i) {
      if constexpr (has_more)
        view::add_json(s, n, i, more.get());
      else
        view::add_json(s, n, i);
    });
  else if (o.compact)
    failure = show_rows(trace, o, places, first, out, all, [&](string& s, auto n, const auto& i) {
      if constexpr (has_more)
        view::add_compact(s, n, i, more.get());
      else
        view::add_compact(s, n, i);
    });
  else
    failure = show_rows(trace, o, places, first, out, all, [&](string& s, auto n, const auto& i) {
      if constexpr (has_more)
        view::add_detail(s, n, i, more.get());
      else
        view::add_detail(s, n, i);
    });
  if (!failure && all.rows == 0 && o.limit != 0) require_something(name, o.as, o.part);
  out.finish();
  if (all.clipped != 0 && !o.as_json)  // a line of JSON has the block's own operands
    note("trace_view",
         some(all.clipped, "instruction") + " had more operands than a ChampSim record holds");
  if (failure) std::rethrow_exception(failure);
}

#if defined(TRACECODEC_WITH_PUGIXML)
// As metadata::path(), but of an element that is nested absurdly deep only the last names.
std::string path_of(const view::umtracer::metadata& m, std::size_t element) {
  std::size_t depth = 1;
  for (std::size_t i = element;
       (i = m.elements[i].parent) != view::umtracer::xml_element::no_parent;)
    if (++depth > 64) return ".../" + m.elements[element].name;
  return m.path(element);
}
#endif

// The elements of trace.xml, a line or an object for each.
void show_xml(const view::umtracer::trace_files& files, [[maybe_unused]] const options& o) {
#if defined(TRACECODEC_WITH_PUGIXML)
  const auto all = view::umtracer::read_metadata(files);
  output out;
  for (std::uint64_t i = o.part.skip; i < all.elements.size() && i - o.part.skip < o.limit; ++i) {
    const auto n = static_cast<std::size_t>(i);
    {
      view::fields f(out.text, form_of(o), "Element", i);
      f.text("Path", path_of(all, n));
      f.text("Text", all.elements[n].text);
    }
    out.passed();
  }
  if (o.part.skip >= all.elements.size() && o.limit != 0)
    require_something(files.folder(), o.as, o.part);
  out.finish();
#else
  throw tracecodec::trace_error(tracecodec::trace_errc::unsupported, {.file = files.folder()},
                                "trace.xml: this build reads none, as it lacks pugixml");
#endif
}

// A table of an UMTracer trace; what was read before an error is printed before the error is.
void show_table(const std::string& folder, const options& o) {
  namespace umtracer = view::umtracer;
  const std::string wanted = o.table.value_or("exec");
  if (!o.as.wanted.everything())
    throw usage_error(
        "--variable, --lock, --location and several --thread are for RapidBin traces");
  if (o.as.thread && wanted != "exec")
    throw usage_error("--thread is for execution records, not for --table " + wanted);
  if (wanted == "xml") return show_xml(umtracer::trace_files(folder), o);
  const auto table = *std::find_if(view::umtracer_tables.begin(), view::umtracer_tables.end(),
                                   [&](const auto& t) { return t.name == wanted; });
  const umtracer::reader trace(folder, {.lenient = o.as.repair});
  const umtracer::names names = o.as.names ? *o.as.names : umtracer::names{};
  const tracecodec::program_map places =
      trace::places_of(folder, trace::format::umtracer, o.as, modules_of(trace, o.as));
  const view::umtracer_trace all{.trace = trace, .names = names, .places = &places};
  if (!o.registers.empty()) throw usage_error("--registers is for x64dbg traces");
  if (o.memory && wanted != "exec")
    throw usage_error("--memory is for execution records, not for --table " + wanted);
  if (o.memory) view::dump_size(*o.memory);
  output out;
  std::exception_ptr failure;
  std::uint64_t skipped = 0, shown = 0;
  const std::uint64_t size = table.size(trace);
  try {
    for (std::uint64_t i = 0; i < size && shown < o.limit; ++i) {
      if (o.as.thread && wanted == "exec" && trace[i].thread() != *o.as.thread) continue;
      if (skipped++ < o.part.skip) continue;
      std::string row;
      {
        view::fields f(row, form_of(o), table.row, i, table.key);
        table.tell(f, all, static_cast<std::size_t>(i));
        if (o.memory) f.memory(view::memory_before(trace, i, *o.memory));
      }
      out.text += row;
      out.passed();
      ++shown;
    }
  } catch (const tracecodec::trace_error&) {
    failure = std::current_exception();
  }
  if (!failure && shown == 0 && o.limit != 0) require_something(folder, o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

// --layout=FORM is --layout, whose value no other argument can be.
std::vector<std::string> take_form(std::vector<std::string> line, options& o) {
  const std::string option = "--layout=";
  for (std::string& s : line) {
    if (s == "--") break;
    if (s.compare(0, option.size(), option) != 0) continue;
    const auto form = choose(view::layout_forms(), s.substr(option.size()));
    if (!form)
      throw usage_error("--layout: expected " + one_of(view::layout_forms()) + ", got '" +
                        s.substr(option.size()) + "'");
    o.form = *form;
    s = "--layout";
  }
  return line;
}

// Of the format that is named, or else of the trace's, or else the standard one.
void print_layout(const options& o) {
  auto format = o.as.format.value_or(trace::format::champsim);
  bool narrow = false;
  if (const auto named = trace::format_of_name(o.trace)) {
    format = *named;
  } else if (!o.trace.empty()) {
    trace::source in = open_trace(o.trace, o.as);
    format = in.format();
#if TRACECODEC_OPENS_X64DBG
    if (format == trace::format::x64dbg) {
      tracecodec::io::window window(std::move(in.input()));
      narrow = view::x64dbg::read_header(window).arch == view::x64dbg::target::x86;
    }
#endif
  }
  const view::layouts all = view::layouts_of(format, narrow);
  if (o.form == "numpy")
    if (const std::string lacks = view::numpy_lacks(all); !lacks.empty())
      throw usage_error("what varies in size is no numpy dtype: " + lacks);
  print(view::print_layouts(all, name(format), o.form));
}

// The fields of records that --record describes, whatever they are.
void show_described(const options& o) {
  output out;
  std::uint64_t shown = 0;
  const tracecodec::rows::record_json_form as_json{o.as.record.get()};
  const auto failure = for_each_described(
      o.trace, o.as, o.part, o.limit, [&](std::uint64_t index, const std::byte* bytes) {
        if (o.as_json) {
          as_json.add(out.text, tracecodec::rows::record_row{index, bytes});
        } else {
          view::fields f(out.text, view::form::detail, "Record", index);
          for (const auto& c : o.as.record->columns()) {
            std::string values;
            for (std::size_t i = 0; i < c.count; ++i) {
              if (i != 0) values += ' ';
              std::string one;
              tracecodec::rows::add_json_element(one, c, c.load(bytes, i));
              one.erase(std::remove(one.begin(), one.end(), '"'), one.end());
              values += one;
            }
            f.text(c.name, values);
          }
        }
        ++shown;
        out.passed();
      });
  if (!failure && shown == 0 && o.limit != 0) require_something(o.trace, o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

void view_trace(const options& o) {
  if (o.as.record && !o.compact && !o.statistics) return show_described(o);
  trace::source from = open_trace(o.trace, o.as);
  if (from.format() == trace::format::umtracer && !o.statistics) {
    if (o.part.part) throw usage_error("--shard is of instructions, not of a table: choose -s");
    return show_table(from.name(), o);
  }
  if (o.table && from.format() == trace::format::umtracer)
    throw usage_error("-s is of the instructions, not of a table");
  if (o.table) throw usage_error("--table is for UMTracer traces");
  if (o.statistics) {
    const bool events = has_events(from.format());
    tracecodec::trace::reader trace(std::move(from), o.as);
    return events ? show_statistics<view::rapidbin_statistics>(trace, o)
                  : show_statistics<view::statistics>(trace, o);
  }
  const trace::format format = from.format();
  trace::visit(std::move(from), o.as, [&](auto trace) { show(std::move(trace), format, o); });
}

int start(int argc, char** argv) {
  options o;
  CLI::App app("Shows a trace: each record in detail, unless an option says otherwise. " +
                   std::string(exit_statuses) + ".",
               "trace_view");
  app.footer(legend);
  add_trace(app, o.trace);
  const CLI::Option* const limit = add_most(
      app, "-n,--limit", o.limit,
      "How many records, of the shard if there is one; 0 is none (default 10, with --json, -s and "
      "--table xml all)");
  add_count(app, "--skip", o.part.skip, "Leave out the first N records");
  add_shard(app, o.part);
  app.add_flag("-c,--compact", o.compact, "A compact row for each record");
  app.add_flag("-s,--statistics,--stats", o.statistics, "Statistics of the trace");
  app.add_flag("--json", o.as_json, "A JSON object for each record, or for -s");
  add_values(
      app, "--registers", "NAME,...",
      [&o](const std::string& names) {
        for (std::size_t from = 0; from <= names.size();) {
          const std::size_t end = std::min(names.find(',', from), names.size());
          if (end == from) return false;
          o.registers.push_back(names.substr(from, end - from));
          from = end + 1;
        }
        return true;
      },
      "Show these registers before each instruction (x64dbg): names such as rax, al, cs, xmm0, "
      "or " +
          std::string(register_groups) + "; with --json as \"state\"",
      "names with commas between them");
  add_value(
      app, "--memory", address_type,
      [&o](const std::string& s) { return (o.memory = span_of(s)).has_value(); },
      "Show this memory as it was before each record, as far as the trace tells, else as ?? "
      "(x64dbg, whose file is read twice; UMTracer, where each record looks back)",
      address_type + std::string(address_hint));
  app.add_flag("--layout", o.layout,
               "Print how a record is laid out; of a format, too, whose name stands for TRACE. "
               "--layout=FORM prints it as " +
                   one_of(view::layout_forms()));
  choices tables = umtracer_tables();
  tables.push_back({"xml", {"trace.xml", "metadata"}});
  add_choice(
      app, "--table", tables, [&o](const std::string& s) { o.table = s; },
      "Which table of an UMTracer trace; exec is the default");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  const auto line = take_form(arguments(argc, argv), o);
  if (!parse(app, line)) return 0;
  const bool several = o.compact ? o.statistics || o.as_json : o.layout && o.statistics;
  if (several || (o.layout && (o.compact || o.as_json)))
    throw usage_error("-c, -s, --json and --layout are different views: choose one");
  if (o.as.record && (o.layout || o.table || o.memory || !o.registers.empty()))
    throw usage_error(
        "--record is of other traces than --layout, --table, --registers and --memory");
  if (o.layout && o.table) throw usage_error("--layout shows all tables of the format");
  if (!o.layout && o.trace.empty()) throw usage_error("TRACE is required");
  if (limit->count() == 0 && (o.as_json || o.statistics || o.table == "xml")) o.limit = everything;
  const bool rows = !o.statistics && !o.layout;
  if (!rows && (o.memory || !o.registers.empty()))
    throw usage_error("--registers and --memory are of records: leave out -s and --layout");
  o.as.registers = rows && ((!o.compact && !o.as_json) || !o.registers.empty());
  if (o.layout)
    print_layout(o);
  else
    view_trace(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_view", [&] { return start(argc, argv); });
}
