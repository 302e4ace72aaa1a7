// A trace of any format by columns, and its rows as trace_view shows them. Rows of a format are compiled once, in its folder
// (view.cpp).
#pragma once
#include <tracecodec/analysis/address_span.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace view {

// How a record is shown.
enum class form : std::uint8_t { detail, compact, json };

// Things that have an id in traces of events.
enum class id_of : std::uint8_t { thread, lock, variable, location };

// The rows of a trace.
class shown_rows {
 public:
  shown_rows() = default;
  shown_rows(const shown_rows&) = delete;
  shown_rows& operator=(const shown_rows&) = delete;
  virtual ~shown_rows() = default;

  // Adds row `row` of the batch that was read last, which is instruction `index`, and the name of its address. Throws
  // trace_error as the feed does for an instruction's details.
  virtual void add(std::string& s, form f, std::uint64_t index, std::size_t row,
                   const tracecodec::program_map& places) = 0;

  // Returns the module that the trace itself names at `ip` when instruction `index` executes, and the distance from its
  // start: "ls+0x4a10". Empty if the trace names none.
  [[nodiscard]] virtual std::string module_at(std::uint64_t /*ip*/, std::uint64_t /*index*/) const {
    return {};
  }
  // Returns the path of the program that ran, if the trace names it.
  [[nodiscard]] virtual std::optional<std::string> program() const { return {}; }
  // Returns what the trace lacks for the names of a program map: "metadata, which ...". Empty if it lacks nothing.
  [[nodiscard]] virtual std::string_view lacks_for_places() const { return {}; }
  // Returns the name of an id, as far as the trace has been read. Empty if it has none.
  [[nodiscard]] virtual std::string id_name(id_of /*what*/, std::uint64_t /*id*/) const {
    return {};
  }
  // Returns the modules of the program that the trace itself names, for symbols of the options.
  [[nodiscard]] virtual std::vector<tracecodec::program_module> modules() const { return {}; }
};

struct shown_trace {
  tracecodec::trace::reader columns;  // batches are kept
  std::unique_ptr<shown_rows> rows;   // of `columns`
  tracecodec::program_map places = {};
};

// Additions to the rows, which only some formats have.
struct shown_besides {
  std::vector<std::string> registers = {};  // registers by name
  bool effects = false;                     // what an instruction changes, in compact rows
  // Memory as it was before each record.
  std::optional<tracecodec::analysis::address_span> memory = {};
};

// Returns the trace `path`, which is open. Throws usage_error for `besides` that the format does not have; trace_error as
// trace::reader and trace::places_of().
shown_trace show(tracecodec::trace::source from, const std::string& path,
                 const tracecodec::format::open_options& as, const shown_besides& besides = {});

using made_rows = std::unique_ptr<shown_rows>;
// Returns rows of columns of any format.
made_rows instructions_shown(tracecodec::feed::column_source& from);

}  // namespace view
