// Set of the ids of all four kinds that occur in a trace, and functions that compare the set with
// metadata.
#pragma once
#include <cstdint>
#include <optional>

#include "../metadata.hpp"
#include "counter.hpp"
#include "impl/with_ids.hpp"
#include "occurring_names.hpp"

namespace tracecodec::rapidbin {

class occurring_ids {
 public:
  void add(const event& e) {
    counted_.add(e);
    locations_.insert(e.location);
  }

  // Returns the counter of the ids that a header counts: threads, locks and variables.
  [[nodiscard]] const counter& counted() const { return counted_; }
  [[nodiscard]] std::uint64_t locations() const { return locations_.size(); }

  // Returns the records of `all` with ids that occur in the added events. The lists in
  // shared_variables contain only threads that occur. Names are not included (see occurring_names).
  [[nodiscard]] metadata part_of(const metadata& all) const;

 private:
  counter counted_ = {};
  id_set locations_ = {};
};

// Numbers of different ids in a trace. A number is nullopt if it is unknown.
struct id_counts {
  std::optional<std::uint64_t> threads = {}, variables = {}, locks = {}, locations = {};
};
inline id_counts counts_of(const occurring_ids& all) {
  return {all.counted().threads(), all.counted().variables(), all.counted().locks(),
          all.locations()};
}
// Returns the counts that `h` declares. All counts are nullopt if a count in `h` is negative. All
// counts are also nullopt if `h` is all zeros, because the header of an incomplete trace is all
// zeros.
inline id_counts counts_of(const header& h) {
  if (h == header{} || h.threads < 0 || h.locks < 0 || h.variables < 0) return {};
  return {static_cast<std::uint64_t>(h.threads),
          static_cast<std::uint64_t>(h.variables),
          static_cast<std::uint64_t>(h.locks),
          {}};
}

// Compares the numbers of ids in the metadata and in the trace. Calls f(kind, number in the
// metadata, number in the trace) for each kind of id with different numbers. `kind` is "threads",
// "variables", "locks" or "locations". A complete metadata file contains exactly the ids that occur
// in the trace, so the numbers should be equal.
template <class F> void for_each_other_count(const metadata& names, const id_counts& trace, F&& f) {
  const auto compare = [&f](const char* kind, const auto& table,
                            const std::optional<std::uint64_t>& there) {
    if (there && table.size() != *there) f(kind, std::uint64_t{table.size()}, *there);
  };
  compare("threads", names.threads, trace.threads);
  compare("variables", names.memory, trace.variables);
  compare("locks", names.locks, trace.locks);
  compare("locations", names.locations, trace.locations);
}

// Calls f(kind, id) for each id of `e` that is not in `names`. `kind` is "thread", "lock",
// "variable" or "location".
template <class F> void for_each_unnamed(const metadata& names, const event& e, F&& f) {
  const auto look_up = [&f](const auto& table, const char* kind, std::uint64_t id) {
    if (table.find(id) == nullptr) f(kind, id);
  };
  look_up(names.threads, "thread", e.thread);
  switch (operand_of(e.operation)) {
    case operand::thread:
      look_up(names.threads, "thread", e.decor);
      break;
    case operand::lock:
      look_up(names.locks, "lock", e.decor);
      break;
    case operand::variable:
      look_up(names.memory, "variable", e.decor);
      break;
    case operand::none:
      break;
  }
  look_up(names.locations, "location", e.location);
}

inline metadata occurring_ids::part_of(const metadata& all) const {
  const auto id_if = [](auto occurs) {
    return [occurs](std::uint64_t id) { return occurs(id) ? std::optional(id) : std::nullopt; };
  };
  metadata part = detail::with_ids(all, id_if([this](auto id) { return counted_.has_thread(id); }),
                                   id_if([this](auto id) { return counted_.has_variable(id); }),
                                   id_if([this](auto id) { return counted_.has_lock(id); }),
                                   id_if([this](auto id) { return locations_.contains(id); }));
  occurring_names names(
      [&all](id_kind kind, std::uint64_t id) { return all.names.of(kind).find(id); });
  for (const id_kind kind : {id_kind::thread, id_kind::lock, id_kind::variable, id_kind::location})
    for (const auto& r : part.names.of(kind)) names.add(kind, r.trace_id);
  part.names = names.take();
  return part;
}

}  // namespace tracecodec::rapidbin
