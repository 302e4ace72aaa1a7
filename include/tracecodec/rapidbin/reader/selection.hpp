// Selects events of a trace by thread, variable, lock or location.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../config.hpp"
#include "../../format/own_option.hpp"
#include "events.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

// Filter for events. A selected event belongs to one of the threads, is at one of the locations,
// and acts on one of the variables or locks. An empty list of threads or locations does not exclude
// any events. If neither variables nor locks are listed, events may act on anything. If some are
// listed, events that act on neither a variable nor a lock are excluded.
struct selection {
  // Ids in the notation of STD text: names, numbers of locations, or numbers with a letter (T2,
  // L16, V5). For STD text, std_reader maps an entry to its id. For a RapidBin file, an entry is
  // looked up in the metadata's names. If an entry is not found there, it is read as a number.
  struct by_name {
    std::vector<std::string> threads = {}, variables = {}, locks = {}, locations = {};
    [[nodiscard]] bool empty() const {
      return threads.empty() && variables.empty() && locks.empty() && locations.empty();
    }
  };

  id_set threads = {}, variables = {}, locks = {}, locations = {};  // ids as stored in events
  by_name names = {};

  [[nodiscard]] bool everything() const {
    return threads.size() + variables.size() + locks.size() + locations.size() == 0 &&
           names.empty();
  }
  [[nodiscard]] bool wants(const event& e) const {
    if (threads.size() + names.threads.size() != 0 && !threads.contains(e.thread)) return false;
    if (locations.size() + names.locations.size() != 0 && !locations.contains(e.location))
      return false;
    if (variables.size() + locks.size() + names.variables.size() + names.locks.size() == 0)
      return true;
    const operand kind = operand_of(e.operation);
    return (kind == operand::variable && variables.contains(e.decor)) ||
           (kind == operand::lock && locks.contains(e.decor));
  }

  // Calls f(kind, ids, names) for each kind.
  template <class F> void for_each_kind(F f) {
    f(id_kind::thread, threads, names.threads);
    f(id_kind::lock, locks, names.locks);
    f(id_kind::variable, variables, names.variables);
    f(id_kind::location, locations, names.locations);
  }
};

// Event source that returns the selected events of another source. Each event has the same index as
// in the other source.
class selected_events final : public event_source {
 public:
  selected_events(std::unique_ptr<event_source> from, selection wanted);
  TRACECODEC_FUNC ~selected_events() override;

  TRACECODEC_FUNC event_batch next() override;
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> first_error() override;
  [[nodiscard]] TRACECODEC_FUNC const std::string& name() const override;
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t named() const override;
  [[nodiscard]] TRACECODEC_FUNC const std::string* name_of(id_kind kind,
                                                           std::uint64_t id) const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> id_of(
      id_kind kind, std::string_view name) const override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::rapidbin

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::rapidbin::selection> = true;

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/selection.ipp"
#endif
