// Trace of any format that is read as columns, and the rows that trace_view prints for the trace.
// The rows of a format are compiled only once, in the file view.cpp in the format's folder.
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

// Forms of printed records.
enum class form : std::uint8_t { detail, compact, json };

// Kinds of objects that have ids in a trace of events.
enum class id_of : std::uint8_t { thread, lock, variable, location };

// Interface that formats the rows of a trace. Each trace format implements it.
class shown_rows {
 public:
  shown_rows() = default;
  shown_rows(const shown_rows&) = delete;
  shown_rows& operator=(const shown_rows&) = delete;
  virtual ~shown_rows() = default;

  // Adds a row for instruction `index`, which is row `row` of the last batch. Also adds the module
  // and the symbol at the instruction's address. Throws any trace_error of the feed if details of
  // the instruction cannot be read.
  virtual void add(std::string& s, form f, std::uint64_t index, std::size_t row,
                   const tracecodec::program_map& places) = 0;

  // Returns the module that contains `ip` when instruction `index` executes, and the offset in the
  // module, such as "ls+0x4a10". Returns an empty string if the trace itself does not name the
  // module.
  [[nodiscard]] virtual std::string module_at(std::uint64_t /*ip*/, std::uint64_t /*index*/) const {
    return {};
  }
  // Returns the path of the traced program, or nullopt if the trace does not contain the path.
  [[nodiscard]] virtual std::optional<std::string> program() const { return {}; }
  // Returns a description of the data that the trace lacks and that a program map needs to resolve
  // addresses, such as "metadata, which ...". Returns an empty view if the trace lacks nothing.
  [[nodiscard]] virtual std::string_view lacks_for_places() const { return {}; }
  // Returns the name of an id. Returns an empty string if the id has no name, or if the name has
  // not been read.
  [[nodiscard]] virtual std::string id_name(id_of /*what*/, std::uint64_t /*id*/) const {
    return {};
  }
  // Returns the program modules that the trace itself contains. Symbols from the options are
  // assigned to these modules.
  [[nodiscard]] virtual std::vector<tracecodec::program_module> modules() const { return {}; }
};

struct shown_trace {
  // Reader of the trace. It keeps its last batch, so that the rows can access the instructions in
  // the batch.
  tracecodec::trace::reader columns;
  std::unique_ptr<shown_rows> rows;  // rows for the batches of `columns`
  tracecodec::program_map places = {};
};

// Additional data that the rows show. Only some formats support each kind of data.
struct shown_besides {
  std::vector<std::string> registers = {};  // names of the registers to show
  // True if compact rows show the changes that each instruction makes.
  bool effects = false;
  // Range of memory. The contents before each record are printed.
  std::optional<tracecodec::analysis::address_span> memory = {};
};

// Returns the trace `path` and its rows. The trace is already open as `from`. Throws usage_error
// for members of `besides` that the format does not support. Throws any trace_error of
// trace::reader and trace::places_of().
shown_trace show(tracecodec::trace::source from, const std::string& path,
                 const tracecodec::format::open_options& as, const shown_besides& besides = {});

using made_rows = std::unique_ptr<shown_rows>;
// Returns rows that show the instructions of any format.
made_rows instructions_shown(tracecodec::feed::column_source& from);

}  // namespace view
