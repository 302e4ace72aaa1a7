// Statements that a trace contains about itself, before its records.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../config.hpp"

namespace tracecodec::format {

// Name and value of a statement. Names are, for example, "program" and "hash". Text consists of the
// bytes in the file, which are UTF-8 unless the file is damaged. Numbers are decimal.
struct statement {
  std::string name = {};
  std::string value = {};
  friend bool operator==(const statement&, const statement&) = default;
};

// Collector of statements. It keeps the first value for each name, and drops empty values.
class statements {
 public:
  void add(std::string name, const std::string& value) {
    const bool known = std::any_of(all_.begin(), all_.end(),
                                   [&name](const statement& s) { return s.name == name; });
    if (!value.empty() && !known) all_.push_back({std::move(name), value});
  }
  void add(std::string name, const std::optional<std::string>& value) {
    if (value) add(std::move(name), *value);
  }
  [[nodiscard]] std::vector<statement> take() noexcept { return std::move(all_); }

 private:
  std::vector<statement> all_ = {};
};

}  // namespace tracecodec::format
