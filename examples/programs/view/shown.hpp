// A trace of any format by columns, and its rows as trace_view shows them. Each format's are compiled
// once, in a file of their own (*_shown.cpp).
#pragma once
#include <tracecodec/analysis/address_span.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracecodec::rapidbin {
struct metadata;
enum class id_kind : std::uint8_t;
}  // namespace tracecodec::rapidbin

namespace view {

// How a record is shown.
enum class form : std::uint8_t { detail, compact, json };

// The rows of a trace, as its format has them.
class shown_rows {
 public:
  shown_rows() = default;
  shown_rows(const shown_rows&) = delete;
  shown_rows& operator=(const shown_rows&) = delete;
  virtual ~shown_rows() = default;

  // Adds row `row` of the batch that was read last, which is instruction `index`, and what its address is
  // called. Throws trace_error if it cannot be told.
  virtual void add(std::string& s, form f, std::uint64_t index, std::size_t row,
                   const tracecodec::program_map& places) = 0;

  // The module of which the trace itself says that it lies at `ip` when instruction `index` executes, and
  // the distance from where it begins: "ls+0x4a10". Empty if it says nothing.
  [[nodiscard]] virtual std::string module_at(std::uint64_t /*ip*/, std::uint64_t /*index*/) const {
    return {};
  }
  // The program that ran, by its path (x64dbg).
  [[nodiscard]] virtual std::optional<std::string> program() const { return {}; }
  // Of events (RapidBin); nullptr: there is none.
  [[nodiscard]] virtual const tracecodec::rapidbin::metadata* metadata() const { return nullptr; }
  // The name of an id of events, as the text or the metadata has it so far (RapidBin); empty: none.
  [[nodiscard]] virtual std::string id_name(tracecodec::rapidbin::id_kind /*kind*/,
                                            std::uint64_t /*id*/) const {
    return {};
  }
  // The program's modules that the trace itself names, for symbols of the options (UMTracer).
  [[nodiscard]] virtual std::vector<tracecodec::program_module> modules() const { return {}; }
};

struct shown_trace {
  tracecodec::trace::reader columns;  // batches are kept
  std::unique_ptr<shown_rows> rows;   // of `columns`
  tracecodec::program_map places = {};
};

// What rows have besides, of formats that know it.
struct shown_besides {
  std::vector<std::string> registers = {};  // of x64dbg, by name
  bool effects = false;                     // of x64dbg, of compact rows: what an instruction does
  // To be dumped as it was before each record, of x64dbg. Its file is read twice.
  std::optional<tracecodec::analysis::address_span> memory = {};
};

// The trace `path`, which is open. Throws usage_error for `besides` that the format does not have;
// trace_error as trace::reader and trace::places_of().
shown_trace show(tracecodec::trace::source from, const std::string& path,
                 const tracecodec::format::open_options& as, const shown_besides& besides = {});

// Of columns that trace::open_columns() has made of a format's feed.
using made_rows = std::unique_ptr<shown_rows>;
// For formats without rows of their own.
made_rows instructions_shown(tracecodec::feed::column_source& from);
made_rows champsim_shown(const tracecodec::feed::column_source& from);
made_rows rapidbin_shown(const tracecodec::feed::column_source& from);
made_rows umtracer_shown(const tracecodec::feed::column_source& from,
                         const tracecodec::format::open_options& as);
made_rows x64dbg_shown(const tracecodec::feed::column_source& from, const std::string& path,
                       const tracecodec::format::open_options& as, const shown_besides& besides);

}  // namespace view
