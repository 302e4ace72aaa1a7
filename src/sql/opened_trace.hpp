// Trace whose tables a connection has.
#pragma once
#include <tracecodec/feed/column_source.hpp>
#include <tracecodec/format/open_options.hpp>
#include <tracecodec/query/data_flow.hpp>
#include <tracecodec/query/index.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tracecodec::sql {

// Trace that cursors read independently of each other: each cursor opens the file again.
class opened_trace {
 public:
  // Throws trace_error like trace::open_columns() and query::trace_index. If the file
  // PATH.tcidx exists and `how` does not change what is read, uses that index.
  opened_trace(std::string path, format::open_options how);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const format::open_options& options() const noexcept { return how_; }
  [[nodiscard]] const format::facts& format() const noexcept { return *format_; }
  [[nodiscard]] feed::column_set has() const noexcept { return properties_->has(); }
  [[nodiscard]] bool has(feed::column c) const noexcept { return has().has(c); }
  [[nodiscard]] const query::trace_index* index() const noexcept { return index_.get(); }
  // Returns the number of instructions, or a guess.
  [[nodiscard]] double instructions() const noexcept {
    return index_ ? static_cast<double>(index_->instructions()) : 1e7;
  }

  // Opens the columns of the trace at the first instruction. With `registers`, x64dbg traces have
  // the registers before each instruction.
  [[nodiscard]] std::unique_ptr<feed::column_source> open(bool registers = false) const;

  [[nodiscard]] query::register_names& registers() noexcept { return *names_; }
  [[nodiscard]] std::string operation_name(std::uint8_t operation) const {
    return properties_->operation_name(operation);
  }
  [[nodiscard]] std::optional<std::uint8_t> operation_named(const std::string& name) const {
    return properties_->operation_named(name);
  }

 private:
  std::string path_;
  format::open_options how_;
  const format::facts* format_ = nullptr;
  std::unique_ptr<feed::column_source> properties_;  // for names; never read
  std::unique_ptr<query::register_names> names_;
  std::unique_ptr<query::trace_index> index_;
};

}  // namespace tracecodec::sql
