#include "shown.hpp"

#include <tracecodec/rapidbin/values.hpp>
#include <tracecodec/trace/open.hpp>
#include <tracecodec/trace/places.hpp>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "champsim_rows.hpp"
#include "places.hpp"
#include "rapidbin_rows.hpp"
#if TRACECODEC_OPENS_UMTRACER
#include <tracecodec/umtracer/values.hpp>

#include "umtracer_tables.hpp"
#endif
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/values.hpp>

#include "x64dbg_rows.hpp"
#endif

namespace view {

namespace {

namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

template <class Feed> class rows_of final : public shown_rows {
 public:
  explicit rows_of(const feed::feed_columns<Feed>& from) : from_(from) {}
  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) const override {
    const auto i = from_.last_batch()[row];
    if (f == form::json)
      add_json(s, index, i);
    else if (f == form::detail)
      add_detail(s, index, i);
    else
      add_compact(s, index, i);
    if (!places.empty()) add_place(s, f, places, index, i.ip(), f == form::detail ? i.target() : 0);
  }

 private:
  const feed::feed_columns<Feed>& from_;
};

#if TRACECODEC_OPENS_UMTRACER
// Its execution records.
template <> class rows_of<umtracer::trace_feed> final : public shown_rows {
 public:
  rows_of(const feed::feed_columns<umtracer::trace_feed>& from,
          std::shared_ptr<const umtracer::names> names)
      : from_(from), names_(std::move(names)) {}
  void add(std::string& s, form f, std::uint64_t /*index*/, std::size_t row,
           const tracecodec::program_map& places) const override {
    const std::uint64_t record = from_.last_batch()[row].index();
    // What a row needs of all modules is made once.
    if (!all_)
      all_.emplace(
          umtracer_trace{.trace = trace(), .names = names_ ? *names_ : none_, .places = &places});
    std::string all;
    {
      fields to(all, f, "Record", record);
      umtracer_tables[0].tell(to, *all_, static_cast<std::size_t>(record));
    }
    s += all;
  }
  [[nodiscard]] std::string module_at(std::uint64_t ip, std::uint64_t index) const override {
    const auto row = trace().module_at(ip, index);
    if (!row) return {};
    std::string name = umtracer::to_utf8(trace().modules().win_name(*row));
    name = name.substr(name.find_last_of("\\/") + 1);  // the whole of it if there is none
    return name + "+" + tracecodec::hex(ip - trace().modules()[*row].start_address);
  }

 private:
  [[nodiscard]] const umtracer::reader& trace() const { return from_.feed().trace(); }

  const feed::feed_columns<umtracer::trace_feed>& from_;
  umtracer::names none_ = {};
  std::shared_ptr<const umtracer::names> names_;
  mutable std::optional<umtracer_trace> all_ = {};
};
#endif

}  // namespace

shown_trace show(trace::source from, const trace::visit_options& as) {
  std::string name = from.name();
  const trace::format format = from.format();
  return trace::visit(std::move(from), as, [&]<class Feed>(Feed all) {
    std::vector<tracecodec::program_module> own;
#if TRACECODEC_OPENS_UMTRACER
    if constexpr (std::is_same_v<Feed, umtracer::trace_feed>)
      own = examples::modules_of(all.trace(), as);
#endif
    auto places = trace::places_of(name, format, as, std::move(own));
    auto columns = std::make_unique<feed::feed_columns<Feed>>(std::move(all));
    columns->keep_batches();
    std::unique_ptr<shown_rows> rows;
#if TRACECODEC_OPENS_UMTRACER
    if constexpr (std::is_same_v<Feed, umtracer::trace_feed>)
      rows = std::make_unique<rows_of<Feed>>(*columns, as.names);
    else
#endif
      rows = std::make_unique<rows_of<Feed>>(*columns);
    std::optional<std::string> program;
    if constexpr (requires { columns->feed().header().path; })
      program = columns->feed().header().path;
    const rapidbin::metadata* names = nullptr;
    if constexpr (requires { columns->feed().names()->locations; })
      if (columns->feed().names()) names = &*columns->feed().names();
    return shown_trace{trace::reader(std::move(name), format, std::move(columns)), std::move(rows),
                       std::move(places), std::move(program), names};
  });
}

}  // namespace view
