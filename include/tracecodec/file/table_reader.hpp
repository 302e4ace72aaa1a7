// Reads a file of records that a table describes at run time (record_table.hpp): their bytes, where they
// lie in the mapped file or the reader's buffer.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../io/shared.hpp"
#include "../io/window.hpp"
#include "record_table.hpp"

namespace tracecodec::file {

// What a file is said to be that ends behind `rest` bytes of its record `record`. `note`: io::input::offset_note().
inline trace_error cut_record(const record_table& table, const std::string& name,
                              std::uint64_t record, std::size_t rest, const std::string& note) {
  const record_column* const c = table.cut_at(rest);
  const std::size_t size = table.size();
  return {trace_errc::truncated,
          {name, record * size + (c != nullptr ? std::min(c->offset, rest) : rest), record,
           c != nullptr ? c->name : std::string()},
          "the trace ends inside the record, after " + std::to_string(rest) + " of " +
              std::to_string(size) + " bytes" + note};
}
// The same of an empty one.
inline trace_error no_records(const record_table& table, const std::string& name) {
  return {trace_errc::not_a_trace,
          {name, 0},
          "empty, expected records of " + std::to_string(table.size()) + " bytes"};
}

// Delivers every whole record, then throws trace_error if the bytes end inside one (truncated, with
// offset, record and field) or the input is damaged. An empty file is not_a_trace.
class table_reader {
 public:
  table_reader(io::input in, io::shared<const record_table> table)
      : window_(std::move(in)), table_(std::move(table)) {}

  [[nodiscard]] const record_table& table() const noexcept { return *table_; }
  // Index of the record that next() begins with.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }
  // How much of the file on disk was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }

  // The bytes of the next records, `most` of them at most and at least one; none at the end. Valid until
  // the next call.
  std::span<const std::byte> next(std::size_t most = 4096) {
    const std::size_t size = table_->size();
    // Of large records fewer: no more memory than for small ones.
    const std::size_t n = std::max<std::size_t>(1, std::min(most, (std::size_t{1} << 18) / size));
    const auto in = window_.look(n * size);
    const std::size_t whole = std::min(in.size() / size, n);
    if (whole == 0) {
      finish(in.size());
      return {};
    }
    position_ += whole;
    window_.consume(whole * size);
    return in.first(whole * size);
  }

  // Moves `n` records on, or to the last whole one; returns how many.
  std::uint64_t skip(std::uint64_t n) {
    const std::uint64_t size = table_->size();
    constexpr std::uint64_t most = ~std::uint64_t{0};
    const std::uint64_t bytes = window_.skip(n > most / size ? most / size * size : n * size);
    // What is left of a record is not there any more: the end says so.
    position_ += bytes / size;
    skipped_part_ = static_cast<std::size_t>(bytes % size);
    return bytes / size;
  }

  // How many whole records there are; pipes throw trace_error(refused).
  [[nodiscard]] std::uint64_t count() const {
    return window_.from().content_size() / table_->size();
  }

 private:
  void finish(std::size_t at_hand) {
    window_.check_end();
    const std::size_t rest = at_hand + skipped_part_;
    if (rest != 0) throw cut_record(*table_, name(), position_, rest, window_.from().offset_note());
    if (position_ == 0) throw no_records(*table_, name());
  }

  io::window window_;
  io::shared<const record_table> table_;
  std::uint64_t position_ = 0;
  std::size_t skipped_part_ = 0;  // bytes of a cut record that skip() has passed
};

}  // namespace tracecodec::file
