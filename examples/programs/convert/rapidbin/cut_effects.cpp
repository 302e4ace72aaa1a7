#include "cut_effects.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "events.hpp"

namespace convert {

namespace {

namespace rapidbin = tracecodec::rapidbin;
using rapidbin::rule;

// Returns the singular and the plural description of events that break rule `r`. Both are null if
// extracting a part of a trace cannot break the rule.
std::pair<const char*, const char*> events_of(rule r) {
  switch (r) {
    case rule::undefined_operation:
      return {"event of an undefined operation", "events of an undefined operation"};
    case rule::child_thread:
      return {"fork or join of a thread above 1,023", "forks and joins of a thread above 1,023"};
    case rule::lock_taken:
      return {"acquire of a lock that another thread holds",
              "acquires of locks that another thread holds"};
    case rule::lock_not_held:
      return {"release of a lock that is free or that another thread holds",
              "releases of locks that are free or that another thread holds"};
    case rule::before_fork:
      return {"fork of a thread that acted before", "forks of threads that acted before"};
    case rule::forked_twice:
      return {"second fork of a thread", "further forks of threads"};
    case rule::after_join:
      return {"event of a thread after its join", "events of threads after their join"};
    case rule::begin_not_first:
      return {"begin of a thread that acted before", "begins of threads that acted before"};
    case rule::after_end:
      return {"event of a thread after its end", "events of threads after their end"};
    default:
      return {nullptr, nullptr};
  }
}

}  // namespace

cut_effects::cut_effects(const options& o) : options_(o), looks_(!mends(o) && is_part(o)) {}

rapidbin::well_formed_part cut_effects::well_formed() {
  return {options_.part.skip, options_.part.limit, [this](const rapidbin::changed_event& e) {
            if (e.left_out_for)
              ++broken_[static_cast<std::size_t>(*e.left_out_for)];
            else
              ++added_;
          }};
}

void cut_effects::add(const rapidbin::event_batch& written) {
  if (!looks_) return;
  for (const rapidbin::event e : written.events)
    rules_.add(e, index_++, [this](rule r, const std::string&) {
      ++broken_[static_cast<std::size_t>(r)];
      return false;
    });
}

std::string cut_effects::broken_rules() const {
  std::string all;
  for (std::size_t i = 0; i < broken_.size(); ++i) {
    const auto [one, more] = events_of(static_cast<rule>(i));
    if (broken_[i] == 0 || one == nullptr) continue;
    if (!all.empty()) all += ", ";
    (all += std::to_string(broken_[i])) += ' ';
    all += broken_[i] == 1 ? one : more;
  }
  return all;
}

void cut_effects::report() const {
  const std::string broken = broken_rules();
  if (!mends(options_)) {
    if (!broken.empty())
      say("the written part is not a sound trace: it has " + broken +
          "; --well-formed makes it one");
    return;
  }
  if (added_ != 0)
    say(some(added_, "acquire") + " added at the beginning, for locks that are held there");
  if (!broken.empty()) say("left out: " + broken);
}

}  // namespace convert
