// Queries on the values of RapidBin events (feed/values.hpp).
#pragma once
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "../../x86/lower_case.hpp"
#include "trace_feed.hpp"

namespace tracecodec::rapidbin {

// Returns the operation called `name_of_it`, such as "acquire", ignoring case. Returns nullopt if
// no operation has this name.
template <class Feed>
requires std::same_as<typename Feed::batch_type::value_type, instruction_view>
    std::optional<operation> operation_named(const Feed&, std::string_view name_of_it) {
  const auto wanted = x86::lower_case(name_of_it);
  for (std::size_t n = 0; n < operation_count; ++n)
    if (name(static_cast<operation>(n)) == wanted) return static_cast<operation>(n);
  return std::nullopt;
}
inline bool is_operation(const instruction_view& i, operation o) noexcept {
  return i.event().operation == o;
}

}  // namespace tracecodec::rapidbin
