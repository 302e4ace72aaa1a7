// Counts what is found by one of its fields.
#pragma once
#include <tracecodec/analysis/frequent.hpp>
#include <tracecodec/feed/column_source.hpp>
#include <tracecodec/io/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../common/command_line.hpp"
#include "../common/json.hpp"
#include "../common/output.hpp"
#include "../common/text.hpp"
#include "../view/places.hpp"

namespace find {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

enum class field : std::uint8_t { ip, target, address, thread, branch, operation, location };
inline constexpr std::array<std::string_view, 7> field_names{
    "ip", "target", "address", "thread", "class", "operation", "location"};
constexpr std::string_view name(field f) { return field_names[static_cast<std::size_t>(f)]; }

inline std::optional<field> field_of(std::string_view s) {
  for (std::size_t i = 0; i < field_names.size(); ++i)
    if (field_names[i] == s) return static_cast<field>(i);
  return std::nullopt;
}
inline examples::choices field_choices() {
  examples::choices all;
  for (const std::string_view n : field_names) all.push_back({std::string(n)});
  return all;
}

// How often each value of the field occurs in what is found; of `address` each place in memory that
// is read or written counts. Memory: 40 MiB, behind which rare values are forgotten.
class counts_by {
  static constexpr std::size_t capacity = std::size_t{1} << 20;
  using column = feed::column;

 public:
  // `trace` names the values, and must stay. Throws trace_error(refused) for what the format has not.
  counts_by(field by, const feed::column_source& trace) : by_(by), trace_(&trace) {
    require(by == field::thread, column::thread, "threads");
    require(by == field::branch || by == field::target, column::branch, "branches");
    require(by == field::operation, column::operation, "operations");
    require(by == field::location, column::location, "locations");
  }

  // What the batches must have.
  [[nodiscard]] feed::column_set columns() const noexcept {
    constexpr std::array<column, field_names.size()> all{
        column::ip,     column::target,    column::memory,  column::thread,
        column::branch, column::operation, column::location};
    return {all[static_cast<std::size_t>(by_)]};
  }

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

  // The `most` highest counts, the highest first.
  void print(examples::output& out, std::uint64_t most, bool as_json,
             const tracecodec::program_map& places) const {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(most, capacity));
    for (const auto* e : counts_.top(n)) {
      const bool is_address = by_ == field::ip || by_ == field::target || by_ == field::address;
      if (as_json) {
        examples::json j(out.text);
        j.object().key(name(by_));
        if (is_address)
          j.hex(e->key);
        else if (const auto text = name_of(e->key); !text.empty())
          j.string(text);
        else
          j.number(e->key);
        j.key("count").number(e->count);
        if (is_address) view::detail::add_members(j, places.at(e->key));
        j.end_object();
      } else {
        examples::add_right(out.text, examples::grouped(e->count), 15);
        out.text += "  ";
        if (is_address) {
          examples::add_hex(out.text, e->key);
          if (const auto text = examples::place_text(places.at(e->key)); !text.empty())
            out.text += "  " + text;
        } else if (const auto text = name_of(e->key); !text.empty())
          out.text += text;
        else
          examples::add_number(out.text, e->key);
      }
      out.text += '\n';
      out.passed();
    }
  }
  // What a count may lack; 0: all are exact.
  [[nodiscard]] std::uint64_t error() const noexcept { return counts_.error(); }

 private:
  void require(bool wanted, column c, const std::string& what) const {
    if (wanted && !trace_->has().has(c))
      throw tracecodec::trace_error(tracecodec::trace_errc::refused,
                                    {.file = std::string(trace_->name())},
                                    "a trace of this format has no " + what);
  }
  void count(std::uint64_t key) { ++counts_[key].count; }
  [[nodiscard]] std::string name_of(std::uint64_t key) const {
    if (by_ == field::branch) return std::string(feed::name(static_cast<feed::branch_class>(key)));
    if (by_ != field::operation) return {};
    const std::string name = trace_->operation_name(static_cast<std::uint8_t>(key));
    return name.empty() ? "operation " + std::to_string(key) : name;
  }

  field by_;
  const feed::column_source* trace_;
  analysis::frequent<> counts_{capacity};
};

}  // namespace find
