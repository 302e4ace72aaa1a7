// Statistics of a RapidBin trace: the counts that RAPID's MetaInfo prints, and counts by operation,
// thread, lock and variable.
#pragma once
#include <tracecodec/feed/column_source.hpp>
#include <tracecodec/io/hash.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../common/json.hpp"
#include "../../common/number_set.hpp"
#include "../../common/text.hpp"

namespace view {

namespace feed = tracecodec::feed;
namespace rapidbin = tracecodec::rapidbin;

struct event_counts {
  struct lock_counts {
    std::uint64_t acquired = 0, released = 0, requested = 0;
  };
  struct variable_counts {
    std::uint64_t reads = 0, writes = 0;
    std::uint32_t thread = 0;  // first thread that accessed the variable
    bool shared = false;       // true if several threads accessed the variable
  };
  std::uint64_t instructions = 0;  // number of events
  std::array<std::uint64_t, 16> operations = {};
  // Number of events for each thread up to rapidbin::largest_thread.
  std::array<std::uint64_t, rapidbin::largest_thread + 1> threads = {};
  // Number of events for each thread above rapidbin::largest_thread.
  std::map<std::uint32_t, std::uint64_t> other_threads = {};
  std::unordered_map<std::uint64_t, lock_counts, tracecodec::io::keyed_hash> locks = {};
  std::unordered_map<std::uint64_t, variable_counts, tracecodec::io::keyed_hash> variables = {};
  examples::number_set locations = {};
  // Function that returns the name of an id, or an empty string if the id has no name. `names` may
  // be null.
  std::function<std::string(rapidbin::id_kind, std::uint64_t)> names = {};

  void add(const feed::columns& batch) {
    const auto operation = batch.operation();
    const auto thread = batch.thread();
    const auto decor = batch.decor();
    const auto location = batch.location();
    instructions += batch.size();
    for (std::size_t row = 0; row != batch.size(); ++row) {
      ++operations[operation[row]];
      ++(thread[row] < threads.size() ? threads[thread[row]] : other_threads[thread[row]]);
      locations.insert(std::uint64_t{location[row]} + 1);
      const auto o = static_cast<rapidbin::operation>(operation[row]);
      if (operand_of(o) == rapidbin::operand::lock) {
        lock_counts& l = locks[decor[row]];
        ++(o == rapidbin::operation::acquire   ? l.acquired
           : o == rapidbin::operation::release ? l.released
                                               : l.requested);
      } else if (operand_of(o) == rapidbin::operand::variable) {
        const auto [at, is_new] = variables.try_emplace(decor[row]);
        variable_counts& v = at->second;
        if (is_new) v.thread = thread[row];
        v.shared |= v.thread != thread[row];
        ++(o == rapidbin::operation::read ? v.reads : v.writes);
      }
    }
  }

  [[nodiscard]] std::uint64_t of(rapidbin::operation o) const {
    return operations[static_cast<std::size_t>(o)];
  }
  [[nodiscard]] std::uint64_t undefined() const {
    std::uint64_t n = 0;
    for (std::size_t i = rapidbin::operation_count; i < operations.size(); ++i) n += operations[i];
    return n;
  }
  [[nodiscard]] std::uint64_t acting_threads() const {
    return other_threads.size() +
           static_cast<std::uint64_t>(std::count_if(threads.begin(), threads.end(),
                                                    [](std::uint64_t n) { return n != 0; }));
  }
  // Calls f(thread, events) for each thread that has events, in ascending order of thread ids.
  template <class F> void for_each_thread(F f) const {
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (threads[i] != 0) f(std::uint64_t{i}, threads[i]);
    for (const auto& [id, events] : other_threads) f(std::uint64_t{id}, events);
  }
  [[nodiscard]] std::string stored_name(rapidbin::id_kind kind, std::uint64_t id) const {
    return names ? names(kind, id) : std::string();
  }
  // Returns the name of an id in printable form. If the id has no name, returns its letter and
  // number.
  [[nodiscard]] std::string name_of(rapidbin::id_kind kind, std::uint64_t id) const {
    const std::string name = stored_name(kind, id);
    return name.empty() ? rapidbin::std_letter(kind) + std::to_string(id)
                        : examples::printable(name);
  }
  // Returns the number of variables for which is(counts) is true.
  template <class Is> [[nodiscard]] std::uint64_t variables_that(Is is) const {
    return static_cast<std::uint64_t>(std::count_if(variables.begin(), variables.end(),
                                                    [&is](const auto& v) { return is(v.second); }));
  }
  // Returns the number of locks that were acquired or released. RAPID has no request events, so
  // locks that were only requested are excluded.
  [[nodiscard]] std::uint64_t acquired_or_released_locks() const {
    return static_cast<std::uint64_t>(std::count_if(locks.begin(), locks.end(), [](const auto& l) {
      return l.second.acquired + l.second.released != 0;
    }));
  }
};

// Analysis that counts the events of a trace.
class event_statistics {
 public:
  // Creates the analysis. `names` returns the name of an id, or an empty string if the id has no
  // name.
  explicit event_statistics(std::function<std::string(rapidbin::id_kind, std::uint64_t)> names) {
    counts_.names = std::move(names);
  }
  // Returns the columns that add() requires in each batch.
  [[nodiscard]] static feed::column_set columns() {
    using feed::column;
    return {column::operation, column::thread, column::decor, column::location};
  }
  // Adds the next batch.
  void add(const feed::columns& batch) { counts_.add(batch); }
  [[nodiscard]] const event_counts& result() const noexcept { return counts_; }

 private:
  event_counts counts_ = {};
};

// Returns the entries of a map, sorted by id.
template <class Map> auto in_order(const Map& map) {
  std::vector<std::pair<std::uint64_t, typename Map::mapped_type>> all(map.begin(), map.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

inline void add_text(std::string& s, std::string_view trace, const event_counts& n) {
  using examples::grouped;
  const auto row = [&s](const std::string& label, std::uint64_t value) {
    examples::add_left(s, label, 23);
    s += grouped(value) + '\n';
  };
  s += "Trace Statistics for: " + examples::printable(trace);
  s += '\n' + std::string(70, '=') + '\n';
  row("Events:", n.instructions);
  row("Locations:", n.locations.size());
  row("Threads:", n.acting_threads());
  row("Locks:", n.acquired_or_released_locks());
  row("Variables:", n.variables.size());
  row("  Read:", n.variables_that([](const auto& v) { return v.reads != 0; }));
  row("  Written:", n.variables_that([](const auto& v) { return v.writes != 0; }));
  row("  Shared:", n.variables_that([](const auto& v) { return v.shared; }));
  s += "Operations\n";
  for (std::size_t i = 0; i < rapidbin::operation_count; ++i)
    if (n.operations[i] != 0)
      row("  " + std::string(name(static_cast<rapidbin::operation>(i))) + ':', n.operations[i]);
  if (n.undefined() != 0) row("  undefined:", n.undefined());
  s += "Events by thread\n";
  n.for_each_thread([&](std::uint64_t id, std::uint64_t events) {
    row("  " + n.name_of(rapidbin::id_kind::thread, id) + ':', events);
  });
  constexpr std::size_t most = 10;
  const auto rows = [&](std::string_view title, rapidbin::id_kind kind, auto all, auto weight,
                        auto text) {
    if (all.empty()) return;
    std::sort(all.begin(), all.end(), [&weight](const auto& a, const auto& b) {
      return std::pair(weight(b.second), a.first) < std::pair(weight(a.second), b.first);
    });
    s += title;
    s += all.size() > most
             ? ", the " + std::to_string(most) + " with most of " + grouped(all.size()) + '\n'
             : "\n";
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
      examples::add_left(s, "  " + n.name_of(kind, all[i].first) + ":", 23);
      s += text(all[i].second) + '\n';
    }
  };
  rows(
      "Locks", rapidbin::id_kind::lock, in_order(n.locks), [](const auto& l) { return l.acquired; },
      [](const auto& l) {
        return "acquired " + grouped(l.acquired) + ", released " + grouped(l.released) +
               (l.requested != 0 ? ", requested " + grouped(l.requested) : "");
      });
  rows(
      "Variables", rapidbin::id_kind::variable, in_order(n.variables),
      [](const auto& v) { return v.reads + v.writes; },
      [](const auto& v) {
        return "read " + grouped(v.reads) + ", written " + grouped(v.writes) +
               (v.shared ? ", shared" : "");
      });
}

inline void add_json(std::string& s, std::string_view trace, const event_counts& n) {
  examples::json j(s);
  j.object().key("trace").string(trace).key("events").number(n.instructions);
  j.key("locations").number(n.locations.size()).key("threads").number(n.acting_threads());
  j.key("locks").number(n.acquired_or_released_locks());
  j.key("variables").number(n.variables.size());
  j.key("variables_read").number(n.variables_that([](const auto& v) { return v.reads != 0; }));
  j.key("variables_written").number(n.variables_that([](const auto& v) { return v.writes != 0; }));
  j.key("variables_shared").number(n.variables_that([](const auto& v) { return v.shared; }));
  j.key("operations").object();
  for (std::size_t i = 0; i < rapidbin::operation_count; ++i)
    j.key(name(static_cast<rapidbin::operation>(i))).number(n.operations[i]);
  j.key("undefined").number(n.undefined()).end_object().key("by_thread").object();
  n.for_each_thread(
      [&j](std::uint64_t id, std::uint64_t events) { j.key(std::to_string(id)).number(events); });
  j.end_object();
  bool any = false;
  n.for_each_thread([&](std::uint64_t id, std::uint64_t) {
    const std::string name = n.stored_name(rapidbin::id_kind::thread, id);
    if (name.empty()) return;
    if (!std::exchange(any, true)) j.key("thread_names").object();
    j.key(std::to_string(id)).string(name);
  });
  if (any) j.end_object();
  const auto name = [&](rapidbin::id_kind kind, std::uint64_t id) {
    if (const std::string text = n.stored_name(kind, id); !text.empty()) j.key("name").string(text);
  };
  j.key("by_lock").object();
  for (const auto& [id, l] : in_order(n.locks)) {
    j.key(std::to_string(id)).object();
    name(rapidbin::id_kind::lock, id);
    j.key("acquired").number(l.acquired);
    j.key("released").number(l.released).key("requested").number(l.requested).end_object();
  }
  j.end_object().key("by_variable").object();
  for (const auto& [id, v] : in_order(n.variables)) {
    j.key(std::to_string(id)).object();
    name(rapidbin::id_kind::variable, id);
    j.key("reads").number(v.reads);
    j.key("writes").number(v.writes).key("shared").boolean(v.shared).end_object();
  }
  j.end_object().end_object();
  s += '\n';
}

}  // namespace view
