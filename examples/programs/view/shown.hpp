// Trace of any format, read as columns, and the rows that trace_view prints for it. The rows of a
// format are compiled once, in the file view.cpp of the format's folder.
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

// Forms in which records can be shown.
enum class form : std::uint8_t { detail, compact, json };

// Kinds of objects that have ids in event traces.
enum class id_of : std::uint8_t { thread, lock, variable, location };

// Rows of a trace.
class shown_rows {
 public:
  shown_rows() = default;
  shown_rows(const shown_rows&) = delete;
  shown_rows& operator=(const shown_rows&) = delete;
  virtual ~shown_rows() = default;

  // Adds row `row` of the last batch, which is instruction `index`, and the module and symbol of
  // the instruction's address. Throws any trace_error of the feed if the instruction's details
  // cannot be read.
  virtual void add(std::string& s, form f, std::uint64_t index, std::size_t row,
                   const tracecodec::program_map& places) = 0;

  // Returns the module at `ip` when instruction `index` executes, and the offset of `ip` from the
  // module's start, such as "ls+0x4a10". The name comes from the trace itself. Returns an empty
  // string if the trace does not contain the module's name.
  [[nodiscard]] virtual std::string module_at(std::uint64_t /*ip*/, std::uint64_t /*index*/) const {
    return {};
  }
  // Returns the path of the traced program, or nullopt if the trace does not record the path.
  [[nodiscard]] virtual std::optional<std::string> program() const { return {}; }
  // Returns the name of the data without which a program map cannot name the trace's addresses,
  // such as "metadata, which ...". Returns an empty view if no data is missing.
  [[nodiscard]] virtual std::string_view lacks_for_places() const { return {}; }
  // Returns the name of an id among the names read so far. Returns an empty string if the id has no
  // name.
  [[nodiscard]] virtual std::string id_name(id_of /*what*/, std::uint64_t /*id*/) const {
    return {};
  }
  // Returns the program modules that the trace itself records. Symbols from the options are placed
  // in these modules.
  [[nodiscard]] virtual std::vector<tracecodec::program_module> modules() const { return {}; }
};

struct shown_trace {
  // Reader whose batches are kept.
  tracecodec::trace::reader columns;
  std::unique_ptr<shown_rows> rows;  // rows of `columns`
  tracecodec::program_map places = {};
};

// Additions to the rows, which only some formats support.
struct shown_besides {
  std::vector<std::string> registers = {};  // names of the registers to show
  // True if compact rows show the changes that each instruction makes.
  bool effects = false;
  // Span of memory whose contents before each record are shown.
  std::optional<tracecodec::analysis::address_span> memory = {};
};

// Returns the trace at `path`, which is already open as `from`, with its rows. Throws usage_error
// for members of `besides` that the format does not support. Throws any trace_error of
// trace::reader and trace::places_of().
shown_trace show(tracecodec::trace::source from, const std::string& path,
                 const tracecodec::format::open_options& as, const shown_besides& besides = {});

using made_rows = std::unique_ptr<shown_rows>;
// Returns rows that show the instructions of any format.
made_rows instructions_shown(tracecodec::feed::column_source& from);

}  // namespace view
