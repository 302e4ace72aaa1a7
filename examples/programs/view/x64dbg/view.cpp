#include "view.hpp"

#include <tracecodec/x64dbg/descriptor.hpp>
#include <tracecodec/x64dbg/opens.hpp>

#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/feed.hpp>

#include "../rows_of.hpp"
#include "rows.hpp"
#endif
#include "kaitai.hpp"

namespace view {

#if TRACECODEC_OPENS_X64DBG

namespace {

template <x64dbg::target T> class block_rows final : public shown_rows {
  using feed = x64dbg::trace_feed<T>;

 public:
  block_rows(const made_columns<feed>& from, const std::string& path,
             const tracecodec::format::open_options& as, const shown_besides& besides)
      : from_(from), more_(besides, path, as) {}

  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) override {
    const auto i = from_.last_batch()[row];
    if (f == form::json)
      add_json<T>(s, index, i, &more_);
    else if (f == form::detail)
      add_detail<T>(s, index, i, &more_);
    else
      add_compact<T>(s, index, i, &more_);
    add_place_of(s, f, index, i, places);
  }
  [[nodiscard]] std::optional<std::string> program() const override {
    return from_.feed().header().path;
  }

 private:
  const made_columns<feed>& from_;
  x64dbg_more<T> more_;
};

template <x64dbg::target T>
made_rows shown_of(const tracecodec::feed::column_source& from, const std::string& path,
                   const tracecodec::format::open_options& as, const shown_besides& besides) {
  const auto* const columns = columns_of<x64dbg::trace_feed<T>>(from);
  return columns != nullptr ? std::make_unique<block_rows<T>>(*columns, path, as, besides)
                            : nullptr;
}

made_rows make_x64dbg_rows(const tracecodec::feed::column_source& from, const std::string& path,
                           const tracecodec::format::open_options& as,
                           const shown_besides& besides) {
  made_rows rows = shown_of<x64dbg::target::x64>(from, path, as, besides);
  return rows ? std::move(rows) : shown_of<x64dbg::target::x86>(from, path, as, besides);
}

}  // namespace
#else
constexpr format_view::row_maker make_x64dbg_rows = nullptr;
#endif

constexpr format_view x64dbg_view{.format = &tracecodec::x64dbg::descriptor::facts,
                                  .rows = make_x64dbg_rows,
                                  .registers = true,
                                  .effects = true,
                                  .memory = true,
                                  .counts_dropped_operands = true,
                                  .in_kaitai = x64dbg_in_kaitai,
                                  .fields_in_kaitai = x64dbg_fields_in_kaitai};

}  // namespace view
