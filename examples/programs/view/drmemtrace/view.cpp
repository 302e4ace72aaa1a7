#include "view.hpp"

#include <tracecodec/drmemtrace/descriptor.hpp>
#include <tracecodec/drmemtrace/rows.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/rows/json_lines.hpp>

#include <exception>
#include <vector>

#include "../../common/output.hpp"
#include "../fields.hpp"
#include "../format_view.hpp"

namespace view {

namespace drmemtrace = tracecodec::drmemtrace;

namespace {

void add_record(std::string& s, form f, const drmemtrace::row& r) {
  if (f == form::json) return tracecodec::rows::json_form::add(s, r);
  fields to(s, f, "Record", r.index);
  to.number("thread", r.thread);
  to.text("type", r.type);
  if (!r.kind.empty()) to.text("kind", r.kind);
  to.number("size", r.size);
  to.hex("value", r.value.value);
}

// Prints the records. Markers are records.
void show_records(tracecodec::trace::source from, const options& o) {
  tracecodec::trace::require_known_options(from, o.as);
  require_besides(view_of(from.format()), o.besides);
  drmemtrace::row_reader records(std::move(from.input()), o.as.thread);
  examples::output out;
  std::exception_ptr failure;
  std::uint64_t passed = 0, shown = 0;
  try {
    std::vector<drmemtrace::row> batch;
    do {
      if (shown == o.limit) break;
      records.next(batch);
      for (const drmemtrace::row& r : batch) {
        if (passed++ < o.part.skip) continue;
        if (shown == o.limit) break;
        add_record(out.text, form_of(o), r);
        ++shown;
        out.passed();
      }
    } while (!batch.empty());
  } catch (const tracecodec::trace_error&) {
    failure = std::current_exception();
  }
  if (!failure && shown == 0 && o.limit != 0) examples::require_something(o.trace, o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

constexpr format_view drmemtrace_view{.format = &drmemtrace::descriptor::facts,
                                      .show_table = show_records};

}  // namespace view
