#pragma once
#include "../wording.hpp"

namespace tracecodec::file::detail {

[[gnu::cold]] TRACECODEC_FUNC std::string with_article(std::string_view name) {
  const bool vowel = std::string_view("AEIOUaeiou").find(name.front()) != std::string_view::npos;
  return std::string(vowel ? "an " : "a ").append(name);
}

[[gnu::cold]] TRACECODEC_FUNC std::string plural(std::string_view name) {
  const auto ends = [name](std::string_view end) { return name.ends_with(end); };
  if (name.size() > 1 && ends("y") &&
      std::string_view("aeiou").find(name[name.size() - 2]) == std::string_view::npos)
    return std::string(name.substr(0, name.size() - 1)) + "ies";
  return std::string(name) +
         (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh") ? "es" : "s");
}

[[gnu::cold]] TRACECODEC_FUNC std::string bytes(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

}  // namespace tracecodec::file::detail
