#include "count_by.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/program/map.hpp>

#include <algorithm>

#include "../common/json.hpp"
#include "../common/output.hpp"
#include "../common/text.hpp"
#include "../view/places.hpp"
#include "../view/shown.hpp"

namespace find {

namespace {

constexpr std::array<std::string_view, 7> field_names{"ip",    "target",    "address", "thread",
                                                      "class", "operation", "location"};
constexpr std::string_view name(field f) { return field_names[static_cast<std::size_t>(f)]; }

}  // namespace

std::optional<field> field_of(std::string_view s) {
  for (std::size_t i = 0; i < field_names.size(); ++i)
    if (field_names[i] == s) return static_cast<field>(i);
  return std::nullopt;
}

examples::choices field_choices() {
  examples::choices all;
  for (const std::string_view n : field_names) all.push_back({std::string(n)});
  return all;
}

counts_by::counts_by(field by, const feed::column_source& trace, const view::shown_rows& rows)
    : by_(by), trace_(&trace), rows_(&rows) {
  require(by == field::thread, column::thread, "threads");
  require(by == field::branch || by == field::target, column::branch, "branches");
  require(by == field::operation, column::operation, "operations");
  require(by == field::location, column::location, "locations");
}

void counts_by::print(examples::output& out, std::uint64_t most, bool as_json,
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
        out.text += examples::printable(text);
      else
        examples::add_number(out.text, e->key);
    }
    out.text += '\n';
    out.passed();
  }
}

void counts_by::require(bool wanted, column c, const std::string& what) const {
  if (wanted && !trace_->has().has(c))
    throw tracecodec::trace_error(tracecodec::trace_errc::refused,
                                  {.file = std::string(trace_->name())},
                                  "a trace of this format has no " + what);
}

std::string counts_by::name_of(std::uint64_t key) const {
  if (by_ == field::branch) return std::string(feed::name(static_cast<feed::branch_class>(key)));
  if (by_ == field::thread) return rows_->id_name(view::id_of::thread, key);
  if (by_ == field::location) return rows_->id_name(view::id_of::location, key);
  if (by_ != field::operation) return {};
  const std::string name = trace_->operation_name(static_cast<std::uint8_t>(key));
  return name.empty() ? "operation " + std::to_string(key) : name;
}

}  // namespace find
