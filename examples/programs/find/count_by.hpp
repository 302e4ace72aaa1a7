// Counts the found instructions by the value of one field.
#pragma once
#include <tracecodec/analysis/frequent.hpp>
#include <tracecodec/analysis/run.hpp>
#include <tracecodec/feed/column_source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../common/command_line.hpp"

namespace examples {
class output;
}
namespace tracecodec {
class program_map;
}
namespace view {
class shown_rows;
}

namespace find {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

enum class field : std::uint8_t { ip, target, address, thread, branch, operation, location };
// Returns the field whose name is `s`, or nullopt if there is no such field.
std::optional<field> field_of(std::string_view s);
examples::choices field_choices();

// Counter of a field's values in the found rows. The field `address` counts each memory location
// that a row reads or writes. Once the counter uses 40 MiB of memory, it drops rare values.
class counts_by {
  static constexpr std::size_t capacity = std::size_t{1} << 20;
  using column = feed::column;

 public:
  // Counts the values of the field `by`. `trace` and `rows` provide names for the values, and must
  // outlive this object. Throws trace_error(refused) if the trace's format lacks the field.
  counts_by(field by, const feed::column_source& trace, const view::shown_rows& rows);

  // Returns the columns that add() requires in each batch.
  [[nodiscard]] feed::column_set columns() const noexcept {
    constexpr std::array<column, 7> all{column::ip,      column::target, column::memory,
                                        column::thread,  column::branch, column::operation,
                                        column::location};
    return {all[static_cast<std::size_t>(by_)]};
  }

  // Counts the values in all rows of a batch.
  void add(const feed::columns& batch) {
    for (std::size_t row = 0; row != batch.size(); ++row) add(batch, row);
  }
  // Counts the field's values in row `row` of a batch.
  void add(const feed::columns& batch, std::size_t row) {
    switch (by_) {
      case field::ip:
        return count(batch.ip()[row]);
      case field::target:
        if (const auto target = batch.target()[row]; target != 0) count(target);
        return;
      case field::address: {
        const auto memory = batch.memory();
        for (std::size_t k = memory.begin(row); k != memory.end(row); ++k)
          if (memory.address[k] != 0) count(memory.address[k]);
        return;
      }
      case field::thread:
        return count(batch.thread()[row]);
      case field::branch:
        return count(static_cast<std::uint64_t>(batch.branch()[row]));
      case field::operation:
        return count(batch.operation()[row]);
      case field::location:
        return count(batch.location()[row]);
    }
  }

  [[nodiscard]] const analysis::frequent<>& result() const noexcept { return counts_; }
  // Prints up to `most` values in descending order of their counts.
  void print(examples::output& out, std::uint64_t most, bool as_json,
             const tracecodec::program_map& places) const;
  // Returns the maximum error of a count. A count may be too low, but never too high. The result is
  // 0 if all counts are exact.
  [[nodiscard]] std::uint64_t error() const noexcept { return counts_.error(); }

 private:
  void require(bool wanted, column c, const std::string& what) const;
  void count(std::uint64_t key) { ++counts_[key].count; }
  [[nodiscard]] std::string name_of(std::uint64_t key) const;

  field by_;
  const feed::column_source* trace_;
  const view::shown_rows* rows_;
  analysis::frequent<> counts_{capacity};
};
static_assert(analysis::trace_analysis<counts_by>);

}  // namespace find
