// Collects the names of ids that occur in events.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../layout.hpp"
#include "../metadata.hpp"
#include "id_set.hpp"
#include "std_text.hpp"

namespace tracecodec::rapidbin {

// Collector of the names of ids that occur in events. In STD text, a name such as T0 may also be
// the number of another id. The name of the other id is then also collected, because both ids would
// otherwise be written as T0. Memory use grows with the number of distinct ids and the length of
// their names.
class occurring_names {
 public:
  // Creates an empty collector. The collector calls `names` to find the name of an id.
  explicit occurring_names(std_names names) : names_(std::move(names)) {}

  void add(const event& e) {
    add(id_kind::thread, e.thread);
    if (const operand kind = operand_of(e.operation); kind != operand::none)
      add(kind_of(kind), e.decor);
    add(id_kind::location, e.location);
  }
  void add(id_kind kind, std::uint64_t id) {
    of_kind& k = of(kind);
    while (k.seen.insert(id)) {
      const std::string* const name = names_(kind, id);
      if (name == nullptr) return;
      k.records.push_back({*name, id});
      id = std_number(kind, *name).value_or(id);
    }
  }

  // Returns the names of the ids that were added, and clears the collector.
  [[nodiscard]] id_names take() {
    return {table(id_kind::thread), table(id_kind::lock), table(id_kind::variable),
            table(id_kind::location)};
  }

 private:
  struct of_kind {
    id_set seen = {};
    std::vector<id_table<std::string>::record> records = {};
  };
  of_kind& of(id_kind kind) { return kinds_[static_cast<std::size_t>(kind)]; }

  id_table<std::string> table(id_kind kind) {
    return id_table<std::string>(std::exchange(of(kind), {}).records);
  }

  std_names names_;
  std::array<of_kind, id_kind_count> kinds_ = {};
};

}  // namespace tracecodec::rapidbin
