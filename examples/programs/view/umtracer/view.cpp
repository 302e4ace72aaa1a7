#include "view.hpp"

#include <tracecodec/umtracer/descriptor.hpp>
#include <tracecodec/umtracer/opens.hpp>

#if TRACECODEC_OPENS_UMTRACER
#include <tracecodec/io/text/hex.hpp>
#include <tracecodec/umtracer/feed.hpp>
#include <tracecodec/umtracer/program_modules.hpp>

#include <memory>
#include <optional>
#include <utility>

#include "../rows_of.hpp"
#include "tables.hpp"
#endif
#include "kaitai.hpp"
#include "show_table.hpp"

namespace view {

#if TRACECODEC_OPENS_UMTRACER
namespace {

// Rows of execution records.
class record_rows final : public shown_rows {
 public:
  record_rows(const made_columns<umtracer::trace_feed>& from,
              const tracecodec::format::open_options& as)
      : from_(from), as_(as), names_(as.own.value_or(umtracer::shared_names())) {}

  void add(std::string& s, form f, std::uint64_t /*index*/, std::size_t row,
           const tracecodec::program_map& places) override {
    const std::uint64_t record = from_.last_batch()[row].index();
    // Build the module index only once, for all rows.
    if (!all_)
      all_.emplace(
          umtracer_trace{.trace = trace(), .names = names_ ? *names_ : none_, .places = &places});
    std::string all;
    {
      fields to(all, f, "Record", record);
      umtracer_tables[0].show(to, *all_, static_cast<std::size_t>(record));
    }
    s += all;
  }
  [[nodiscard]] std::string module_at(std::uint64_t ip, std::uint64_t index) const override {
    const auto row = trace().module_at(ip, index);
    if (!row) return {};
    std::string name = umtracer::to_utf8(trace().modules().win_name(*row));
    // If there is no separator, npos + 1 is 0, so the name is kept as a whole.
    name = name.substr(name.find_last_of("\\/") + 1);
    return name + "+" + tracecodec::hex(ip - trace().modules()[*row].start_address);
  }
  [[nodiscard]] std::vector<tracecodec::program_module> modules() const override {
    return as_.symbols.empty() ? std::vector<tracecodec::program_module>()
                               : umtracer::modules_of(trace());
  }

 private:
  [[nodiscard]] const umtracer::reader& trace() const { return from_.feed().trace(); }

  const made_columns<umtracer::trace_feed>& from_;
  const tracecodec::format::open_options& as_;
  umtracer::names none_ = {};
  umtracer::shared_names names_;
  std::optional<umtracer_trace> all_ = {};
};

made_rows make_umtracer_rows(const tracecodec::feed::column_source& from,
                             const std::string& /*path*/,
                             const tracecodec::format::open_options& as,
                             const shown_besides& /*besides*/) {
  const auto* const columns = columns_of<umtracer::trace_feed>(from);
  return columns != nullptr ? std::make_unique<record_rows>(*columns, as) : nullptr;
}

}  // namespace
#else
constexpr format_view::row_maker make_umtracer_rows = nullptr;
#endif

constexpr format_view umtracer_view{.format = &tracecodec::umtracer::descriptor::facts,
                                    .rows = make_umtracer_rows,
                                    .memory = true,
                                    .show_table = show_table,
                                    .in_kaitai = umtracer_in_kaitai};

}  // namespace view
