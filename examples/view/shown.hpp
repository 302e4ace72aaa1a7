// A trace of any format by columns, and its rows as trace_view shows them. Compiled once: only shown.cpp
// knows the formats.
#pragma once
#include <tracecodec/program/map.hpp>
#include <tracecodec/rapidbin/metadata.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "memory_dump.hpp"

namespace view {

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
                   const tracecodec::program_map& places) const = 0;

  // The module of which the trace itself says that it lies at `ip` when instruction `index` executes, and
  // the distance from where it begins: "ls+0x4a10". Empty if it says nothing.
  [[nodiscard]] virtual std::string module_at(std::uint64_t /*ip*/, std::uint64_t /*index*/) const {
    return {};
  }
};

struct shown_trace {
  tracecodec::trace::reader columns;  // batches are kept
  std::unique_ptr<shown_rows> rows;   // of `columns`
  tracecodec::program_map places = {};
  std::optional<std::string> program = {};  // that ran, by its path (x64dbg)
  const tracecodec::rapidbin::metadata* names =
      nullptr;  // of RapidBin's events, as `columns` has them
};

// Throws trace_error as trace::visit() and trace::places_of().
shown_trace show(tracecodec::trace::source from, const tracecodec::trace::visit_options& as);

}  // namespace view
