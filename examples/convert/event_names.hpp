// The names of ids in events that are written: into metadata, and into text.
#pragma once
#include <tracecodec/io/utf8.hpp>
#include <tracecodec/rapidbin/metadata.hpp>
#include <tracecodec/rapidbin/reader/id_set.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conversion.hpp"

namespace convert {

namespace rapidbin = tracecodec::rapidbin;

// Collects the names of the ids that occur.
class occurring_names {
 public:
  explicit occurring_names(rapidbin::std_names names) : names_(std::move(names)) {}

  void add(const rapidbin::event& e) {
    using rapidbin::id_kind;
    add(id_kind::thread, e.thread);
    if (const auto kind = operand_of(e.operation); kind != rapidbin::operand::none)
      add(kind_of(kind), e.decor);
    add(id_kind::location, e.location);
  }

  // JSON holds UTF-8 alone: says how many other names are left out.
  rapidbin::id_names take() {
    if (not_utf8_ != 0) say(some(not_utf8_, "name") + " left out of the metadata: not UTF-8");
    const auto table = [this](rapidbin::id_kind kind) {
      return rapidbin::id_table<std::string>(std::move(kinds_[index(kind)].records));
    };
    using rapidbin::id_kind;
    return {table(id_kind::thread), table(id_kind::lock), table(id_kind::variable),
            table(id_kind::location)};
  }

 private:
  struct of_kind {
    rapidbin::id_set seen = {};
    std::vector<rapidbin::id_table<std::string>::record> records = {};
  };
  static std::size_t index(rapidbin::id_kind kind) { return static_cast<std::size_t>(kind); }

  void add(rapidbin::id_kind kind, std::uint64_t id) {
    of_kind& k = kinds_[index(kind)];
    if (!k.seen.insert(id)) return;
    const std::string* const name = names_(kind, id);
    if (name == nullptr) return;
    if (tracecodec::io::utf16_of(*name))
      k.records.push_back({*name, id});
    else
      ++not_utf8_;
  }

  rapidbin::std_names names_;
  std::array<of_kind, rapidbin::id_kind_count> kinds_ = {};
  std::uint64_t not_utf8_ = 0;
};

// Those of `names` that text in dialect `d` has room for: RAPID's locations are numbers. What text
// does not hold is written as a number.
inline rapidbin::std_names readable_names(rapidbin::std_names names, rapidbin::dialect d) {
  return [names = std::move(names), d](rapidbin::id_kind kind,
                                       std::uint64_t id) -> const std::string* {
    if (d == rapidbin::dialect::rapid && kind == rapidbin::id_kind::location) return nullptr;
    const std::string* const name = names(kind, id);
    return name != nullptr && readable_in_std(kind, *name) ? name : nullptr;
  };
}

}  // namespace convert
