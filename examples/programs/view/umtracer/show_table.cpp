#include "show_table.hpp"

#include <tracecodec/trace/places.hpp>
#include <tracecodec/umtracer/descriptor.hpp>
#include <tracecodec/umtracer/program_modules.hpp>

#include <algorithm>
#include <exception>

#include "../../common/output.hpp"
#include "../format_view.hpp"
#include "tables.hpp"
#if defined(TRACECODEC_WITH_PUGIXML)
#include <tracecodec/umtracer/read_metadata.hpp>
#endif

namespace view {

namespace trace = tracecodec::trace;
using examples::output;
using examples::usage_error;

namespace {

#if defined(TRACECODEC_WITH_PUGIXML)
// Returns metadata::path() for an element. If the element is nested more than 64 levels deep,
// returns ".../" followed by the name of the element.
std::string path_of(const umtracer::metadata& m, std::size_t element) {
  std::size_t depth = 1;
  for (std::size_t i = element; (i = m.elements[i].parent) != umtracer::xml_element::no_parent;)
    if (++depth > 64) return ".../" + m.elements[element].name;
  return m.path(element);
}
#endif

// Prints a row for each element of trace.xml.
void show_xml(const umtracer::trace_files& files, [[maybe_unused]] const options& o) {
#if defined(TRACECODEC_WITH_PUGIXML)
  const auto all = umtracer::read_metadata(files);
  const std::uint64_t limit = o.has_limit ? o.limit : examples::everything;
  output out;
  for (std::uint64_t i = o.part.skip; i < all.elements.size() && i - o.part.skip < limit; ++i) {
    const auto n = static_cast<std::size_t>(i);
    {
      fields f(out.text, form_of(o), "Element", i);
      f.text("Path", path_of(all, n));
      f.text("Text", all.elements[n].text);
    }
    out.passed();
  }
  if (o.part.skip >= all.elements.size() && limit != 0)
    require_something(files.folder(), o.as, o.part);
  out.finish();
#else
  throw tracecodec::trace_error(
      tracecodec::trace_errc::unsupported, {.file = files.folder()},
      "trace.xml: this build cannot read it: it lacks pugixml (TRACECODEC_WITH_PUGIXML)");
#endif
}

}  // namespace

void show_table(trace::source from, const options& o) {
  const std::string folder = from.name();
  const auto* const chosen = o.as.own.get<umtracer::table_name>();
  const std::string wanted = chosen != nullptr ? chosen->text : "exec";
  examples::require_choices(o.as, umtracer::descriptor::facts);
  if (o.as.thread && wanted != "exec")
    throw usage_error("--thread is for execution records, not for --table " + wanted);
  if (wanted == "xml") return show_xml(umtracer::trace_files(folder), o);
  const auto table = *std::find_if(umtracer_tables.begin(), umtracer_tables.end(),
                                   [&](const auto& t) { return t.name == wanted; });
  const umtracer::reader trace(folder, {.lenient = o.as.repair});
  const auto* const own = o.as.own.get<umtracer::shared_names>();
  const umtracer::names names = own != nullptr ? **own : umtracer::names{};
  std::vector<tracecodec::program_module> modules;
  if (!o.as.symbols.empty()) modules = umtracer::modules_of(trace);
  const tracecodec::program_map places =
      trace::places_of(folder, umtracer::descriptor::facts, o.as, std::move(modules));
  const umtracer_trace all{.trace = trace, .names = names, .places = &places};
  // --effects has no effect on tables, so do not refuse it.
  require_besides(view_of(umtracer::descriptor::facts),
                  {.registers = o.besides.registers, .memory = o.besides.memory});
  if (o.besides.memory && wanted != "exec")
    throw usage_error("--memory is for execution records, not for --table " + wanted);
  if (o.besides.memory) dump_size(*o.besides.memory);
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
        fields f(row, form_of(o), table.row, i, table.key);
        table.show(f, all, static_cast<std::size_t>(i));
        if (o.besides.memory) f.memory(memory_before(trace, i, *o.besides.memory));
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

}  // namespace view
