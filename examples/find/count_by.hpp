// Counts what is found by one of its fields.
#pragma once
#include <tracecodec/analysis/frequent.hpp>
#include <tracecodec/feed/instruction.hpp>
#include <tracecodec/io/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../common/json.hpp"
#include "../common/options.hpp"
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

template <class I>
concept an_event = requires(const I& i) {
  i.event().operation;
  i.event().location;
};

// How often each value of the field occurs in what is found; of `address` each place in memory that
// is read or written counts. Memory: 40 MiB, behind which rare values are forgotten.
template <class I> class counts_by {
  static constexpr std::size_t capacity = std::size_t{1} << 20;

 public:
  // Throws trace_error(refused) for what the format has not.
  counts_by(field by, const std::string& trace) : by_(by) {
    if (by == field::thread && !feed::has_threads<I>()) refuse(trace, "threads");
    if ((by == field::branch || by == field::target) && !feed::has_branches<I>())
      refuse(trace, "branches");
    if (by == field::operation && !an_event<I>) refuse(trace, "operations");
    if (by == field::location && !an_event<I>) refuse(trace, "locations");
  }

  void add(const I& i) {
    switch (by_) {
      case field::ip:
        return count(i.ip());
      case field::target:
        if (i.target() != 0) count(i.target());
        return;
      case field::address:
        for (const std::uint64_t a : i.source_memory()) count(a);
        for (const std::uint64_t a : i.destination_memory()) count(a);
        return;
      case field::thread:
        return count(i.asid());
      case field::branch:
        return count(static_cast<std::uint64_t>(i.branch()));
      case field::operation:
        if constexpr (an_event<I>) count(static_cast<std::uint64_t>(i.event().operation));
        return;
      case field::location:
        if constexpr (an_event<I>) count(i.event().location);
        return;
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
  [[noreturn]] static void refuse(const std::string& trace, const std::string& what) {
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {.file = trace},
                                  "a trace of this format has no " + what);
  }
  void count(std::uint64_t key) { ++counts_[key].count; }
  [[nodiscard]] std::string name_of(std::uint64_t key) const {
    if (by_ == field::branch) return std::string(feed::name(static_cast<feed::branch_class>(key)));
    if constexpr (an_event<I>)
      if (by_ == field::operation) {
        using operation = decltype(std::declval<const I&>().event().operation);
        const auto o = static_cast<std::remove_cvref_t<operation>>(key);
        return defined(o) ? std::string(name(o)) : "operation " + std::to_string(key);
      }
    return {};
  }

  field by_;
  analysis::frequent<> counts_{capacity};
};

}  // namespace find
