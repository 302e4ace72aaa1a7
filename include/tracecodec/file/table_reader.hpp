// Reader of a file of records that a table describes at run time (record_table.hpp). It
// returns the bytes of records in place, in the mapped file or in its buffer.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "../io/window.hpp"
#include "record_table.hpp"

namespace tracecodec::file {

// Returns an error if a file's first bytes, `head`, differ from the magic of the table's header, or
// nullopt if they are equal. `head` has as many bytes as the magic, or all bytes of a shorter file.
inline std::optional<trace_error> header_flaw(const record_table& table, const std::string& name,
                                              std::span<const std::byte> head) {
  const std::string& magic = table.header().magic;
  if (std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).starts_with(magic))
    return std::nullopt;
  return trace_error(trace_errc::not_a_trace, {name, 0},
                     "does not begin with the header of its record table");
}
// Returns the error for a file that ends after `at` bytes of its header.
inline trace_error cut_header(const record_table& table, const std::string& name,
                              std::uint64_t at) {
  return {trace_errc::truncated,
          {name, at},
          "the file ends inside its header of " + std::to_string(table.header().size) + " bytes"};
}
// Returns the error for a file that ends after `rest` bytes of record `record`. `note` is the text
// from io::input::offset_note().
inline trace_error cut_record(const record_table& table, const std::string& name,
                              std::uint64_t record, std::size_t rest, const std::string& note) {
  const record_column* const c = table.cut_at(rest);
  const std::size_t size = table.size();
  return {trace_errc::truncated,
          {name, table.offset_of(record) + (c != nullptr ? std::min(c->offset, rest) : rest),
           record, c != nullptr ? c->name : std::string()},
          "the trace ends inside the record, after " + std::to_string(rest) + " of " +
              std::to_string(size) + " bytes" + note};
}
// Returns the error for a file without records.
inline trace_error no_records(const record_table& table, const std::string& name) {
  return {trace_errc::not_a_trace,
          {name, table.header().size},
          std::string(table.header().size == 0 ? "empty" : "ends after its header") +
              ", expected records of " + std::to_string(table.size()) + " bytes"};
}

// Reader that returns every complete record, and then throws trace_error if the file has an error.
// The error is `truncated`, with offset, record and field, if the file ends inside a record. The
// error is not_a_trace if the file is empty. Damage to the input is also an error.
class table_reader {
 public:
  table_reader(io::input in, std::shared_ptr<const record_table> table)
      : window_(std::move(in)), table_(std::move(table)) {}

  [[nodiscard]] const record_table& table() const noexcept { return *table_; }
  // Returns the index of the next record.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }
  // Returns the fraction of the file on disk that has been read, from 0 to 1, or nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }

  // Returns the bytes of the next records: at least one record and up to `most` records, or an
  // empty span at the end. The bytes are valid until the next call.
  std::span<const std::byte> next(std::size_t most = 4096) {
    pass_header();
    const std::size_t size = table_->size();
    // Returns fewer records if the records are large, so that batches of large records do not need
    // more memory.
    const std::size_t n = std::max<std::size_t>(1, std::min(most, (std::size_t{1} << 18) / size));
    const auto in = window_.look((n + 1) * size);
    const std::size_t whole = std::min(in.size() / size, n);
    following_ = in.size() / size > whole ? in.data() + whole * size : nullptr;
    if (whole == 0) {
      finish(in.size());
      return {};
    }
    position_ += whole;
    window_.consume(whole * size);
    return in.first(whole * size);
  }
  // Returns the record after the records that next() returned, or nullptr at the end. The record is
  // valid until the next call of next().
  [[nodiscard]] const std::byte* following() const noexcept { return following_; }

  // Skips `n` records, or all remaining complete records, and returns the number of skipped
  // records.
  std::uint64_t skip(std::uint64_t n) {
    pass_header();
    const std::uint64_t size = table_->size();
    constexpr std::uint64_t most = ~std::uint64_t{0};
    const std::uint64_t bytes = window_.skip(n > most / size ? most / size * size : n * size);
    // The bytes of a truncated record are no longer available. finish() needs only their number.
    position_ += bytes / size;
    skipped_part_ = static_cast<std::size_t>(bytes % size);
    return bytes / size;
  }

  // Moves back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    window_.rewind();
    position_ = 0;
    skipped_part_ = 0;
    following_ = nullptr;
  }

  // Returns the number of complete records. Throws trace_error(refused) for pipes.
  [[nodiscard]] std::uint64_t count() const {
    const std::uint64_t size = window_.from().content_size(), header = table_->header().size;
    return size > header ? (size - header) / table_->size() : 0;
  }

 private:
  void pass_header() {
    const std::uint64_t size = table_->header().size;
    if (window_.offset() >= size) return;
    if (window_.offset() == 0) {
      const auto flaw = header_flaw(*table_, name(), window_.look(table_->header().magic.size()));
      if (flaw) {
        window_.check_end();
        throw trace_error(*flaw);
      }
    }
    window_.skip(size - window_.offset());
    if (window_.offset() == size) return;
    window_.check_end();
    throw cut_header(*table_, name(), window_.offset());
  }
  void finish(std::size_t buffered) {
    window_.check_end();
    const std::size_t rest = buffered + skipped_part_;
    if (rest != 0) throw cut_record(*table_, name(), position_, rest, window_.from().offset_note());
    if (position_ == 0) throw no_records(*table_, name());
  }

  io::window window_;
  std::shared_ptr<const record_table> table_;
  const std::byte* following_ = nullptr;
  std::uint64_t position_ = 0;
  // Number of bytes of a truncated record that skip() moved past.
  std::size_t skipped_part_ = 0;
};

}  // namespace tracecodec::file
