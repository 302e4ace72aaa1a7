// Defines a fuzzing target: a function that accepts any bytes. A fuzzing program has one target.
// The replay program has all targets and selects one by name.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tracecodec/io/error.hpp"

namespace fuzz {

using bytes = std::vector<std::byte>;
using view = std::span<const std::byte>;
using tracecodec::trace_errc;
using tracecodec::trace_error;

// Fuzzing target with a name. Each source file of a target defines one object with static storage.
class target {
 public:
  target(std::string_view called, void (*f)(view)) : name_(called), run_(f), next_(first) {
    first = this;
  }
  [[nodiscard]] std::string_view name() const { return name_; }
  void run(view in) const { run_(in); }
  [[nodiscard]] const target* next() const { return next_; }

  // Returns the target of that name, or nullptr if there is none.
  static const target* find(std::string_view wanted) {
    const target* t = first;
    while (t != nullptr && t->name_ != wanted) t = t->next_;
    return t;
  }
  static inline const target* first = nullptr;

 private:
  std::string_view name_;
  void (*run_)(view);
  const target* next_;
};

// Ends the program if a property does not hold.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property violated: %s\n", property);
  std::abort();
}

// Returns the trace_error that f() throws, if any. Any other exception ends the program.
template <class F> std::optional<trace_error> error_of(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const trace_error& e) {
    require(e.what()[0] != '\0', "an error says something");
    return e;
  }
  return std::nullopt;
}

// Removes and returns the first byte of the input. This byte selects how the rest is read. Returns
// 0 for an empty input.
inline unsigned take_byte(view& input) {
  if (input.empty()) return 0;
  const auto b = std::to_integer<unsigned>(input[0]);
  input = input.subspan(1);
  return b;
}
inline bool same(view a, view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
inline std::string_view text_of(view b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

}  // namespace fuzz
